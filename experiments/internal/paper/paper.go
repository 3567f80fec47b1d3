// Package paper knows what the BA-Topo paper prints: its two tables, the speed-ups of its text, and every sentence
// that can be checked, with how we read it. All of it stands in paper.json and nowhere else.
package paper

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

//go:embed paper.json
var printed []byte

// A Paper is everything that can be compared.
type Paper struct {
	Source    string     `json:"source"`
	Table1    Table1     `json:"table1"`
	Table2    []Training `json:"table2"`
	Speedups  []Speedup  `json:"speedups"`
	Sentences []Sentence `json:"sentences"`
}

// Training is one column of Table II: the seconds that DSGD takes to reach the set accuracy, by data set.
type Training struct {
	Scenario string             `json:"scenario"`
	Topology string             `json:"topology"` // the paper's own by their budgets, such as paper-r32
	Seconds  map[string]Decimal `json:"seconds"`
}

// A Speedup is what the text claims over the fastest other topology.
type Speedup struct {
	Scenario string  `json:"scenario"`
	Dataset  string  `json:"dataset"`
	Topology string  `json:"topology"`
	AtLeast  Decimal `json:"at_least"`
}

// Verdict judges the speed-up by the quotient that the paper's own table gives.
func (s Speedup) Verdict(quotient float64) string {
	switch {
	case quotient >= s.AtLeast.Value():
		return "holds"
	case s.AtLeast.Prints(quotient):
		return "rounded up"
	}
	return "fails"
}

// A Sentence is something the paper says that can be checked.
type Sentence struct {
	ID      string   `json:"id"`
	Where   string   `json:"where"` // section
	Of      []string `json:"of"`    // whose numbers decide it
	Text    string   `json:"text"`
	Reading Reading  `json:"reading"`
}

// A Reading is what a sentence means: a rule of package verdict and what the rule is asked about.
type Reading struct {
	Rule     string       `json:"rule"`
	Scenario string       `json:"scenario"`
	Races    []Race       `json:"races"`
	Again    []Race       `json:"again"`    // asked again, for the note
	Levels   []float64    `json:"levels"`   // errors at which curves are compared; none: the time to 10⁻⁴
	Quantity string       `json:"quantity"` // of Table I
	Compare  []Comparison `json:"compare"`  // facts that must compare so
	Verdict  string       `json:"verdict"`  // where an argument decides; the note names it
	Shown    string       `json:"shown"`    // the numbers that belong to it
	Note     string       `json:"note"`     // how its words are read
}

// A Comparison says how two facts, or a fact and a number, must compare: <, <=, = or ≈. One that names {n} is made for
// every number of nodes in Table I.
type Comparison struct {
	Label  string  `json:"label"`
	Left   string  `json:"left"`
	Is     string  `json:"is"`
	Right  string  `json:"right"`
	Most   string  `json:"most"`   // the right side of exact averages in the shortest rounds
	Within float64 `json:"within"` // the share of the right side by which ≈ allows the left to differ
}

// A Race compares BA-Topo, with each of the budgets, with other topologies of Table II and of the figures.
type Race struct {
	Budgets []int    `json:"budgets"`
	Rivals  []string `json:"rivals"`
}

// Datasets are the halves of Table II.
var Datasets = []string{"CIFAR-10", "CIFAR-100"}

// Read returns what the paper prints.
func Read() (*Paper, error) {
	var p Paper
	decoder := json.NewDecoder(bytes.NewReader(printed))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&p); err != nil {
		return nil, fmt.Errorf("paper.json: %w", err)
	}
	return &p, nil
}

// Quotient divides the smallest time of the other topologies by the time of the one that a speed-up is about.
func (p *Paper) Quotient(s Speedup) float64 {
	mine, least := math.NaN(), math.Inf(1)
	for _, t := range p.Table2 {
		switch seconds := t.Seconds[s.Dataset].Value(); {
		case t.Scenario != s.Scenario:
		case t.Topology == s.Topology:
			mine = seconds
		case !strings.HasPrefix(t.Topology, "paper-"):
			least = min(least, seconds)
		}
	}
	return least / mine
}
