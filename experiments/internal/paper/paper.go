// Package paper knows what the BA-Topo paper prints: its two tables, the speed-ups of its text, and every sentence
// that can be checked, with how we read it. All of it stands in paper.json and nowhere else.
package paper

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
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
	Topology string             `json:"topology"`
	Seconds  map[string]Decimal `json:"seconds"`
}

// ByMethod tells whether the topology is one of the paper's own.
func (t Training) ByMethod() bool { return strings.HasPrefix(t.Topology, "paper-") }

// Budget returns the number of edges that the paper's own topologies are named by, 0 for the others.
func (t Training) Budget() (edges int) {
	fmt.Sscanf(t.Topology, "paper-r%d", &edges)
	return edges
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
	Rule       string             `json:"rule"`
	Scenario   string             `json:"scenario"`
	Budgets    []int              `json:"budgets"`     // of BA-Topo; none: all of the scenario
	Rivals     []string           `json:"rivals"`      // none: all known topologies of the scenario
	Except     []string           `json:"except"`      // known topologies that are not asked
	SameEdges  bool               `json:"same_edges"`  // only rivals with as many edges
	OwnBudgets bool               `json:"own_budgets"` // BA-Topo with other budgets is a rival too
	Levels     []float64          `json:"levels"`      // errors at which curves are compared; none: the time to 10⁻⁴
	Instead    map[string]string  `json:"instead"`     // asked again with these rivals replaced, for the note
	Quantity   string             `json:"quantity"`    // of Table I
	Values     map[string]Decimal `json:"values"`      // numbers of the sentence and of our reading
	Note       string             `json:"note"`        // how its words are read
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
	return &p, p.Table1.validate()
}

// Scenario returns the columns of Table II for one kind of hardware, in the paper's order.
func (p *Paper) Scenario(name string) []Training {
	return slices.DeleteFunc(slices.Clone(p.Table2), func(t Training) bool { return t.Scenario != name })
}

// Quotient divides the smallest time of the other topologies by that of the one that a speed-up is about.
func (p *Paper) Quotient(s Speedup) float64 {
	mine, least := math.NaN(), math.Inf(1)
	for _, t := range p.Scenario(s.Scenario) {
		switch seconds := t.Seconds[s.Dataset].Value(); {
		case t.Topology == s.Topology:
			mine = seconds
		case !t.ByMethod():
			least = min(least, seconds)
		}
	}
	return least / mine
}
