package paper

import (
	"math"
	"strconv"
	"strings"
)

// A Decimal is a number as printed, so that its last digit is known.
type Decimal string

// Value returns the number.
func (d Decimal) Value() float64 {
	v, err := strconv.ParseFloat(string(d), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Unit returns one unit of the last digit.
func (d Decimal) Unit() float64 {
	_, digits, _ := strings.Cut(string(d), ".")
	return math.Pow(10, -float64(len(digits)))
}

// Prints tells whether v would be printed like this, rounded or cut off.
func (d Decimal) Prints(v float64) bool {
	const rounding = 1e-9
	above := v - d.Value()
	return above >= -d.Unit()/2-rounding && above < d.Unit()-rounding
}

// Table2 holds training times in seconds: by data set, scenario, topology.
type Table2 struct {
	Source               string                                   `json:"source"`
	Seconds              map[string]map[string]map[string]Decimal `json:"seconds"`
	Speedups             []Speedup                                `json:"speedups"`
	AbstractSpeedups     map[string]Decimal                       `json:"abstract_speedups"`
	RingEndsAfterSeconds float64                                  `json:"ring_ends_after_seconds"`
	Sentences            []Sentence                               `json:"sentences"`
}

// A Speedup is what the text claims over the fastest other topology.
type Speedup struct {
	Scenario string  `json:"scenario"`
	Dataset  string  `json:"dataset"`
	Topology string  `json:"topology"`
	AtLeast  Decimal `json:"at_least"`
}

// Datasets are the halves of the table.
var Datasets = []string{"CIFAR-10", "CIFAR-100"}

// Scenarios are the rows of each half.
var Scenarios = []string{"homogeneous", "node-level", "intra-server", "bcube-1to2"}

// ByMethod tells whether a topology of the table is one of the paper's own.
func ByMethod(topology string) bool { return strings.HasPrefix(topology, "paper-") }

// FastestOther returns the smallest time among the topologies that are not the paper's.
func (t Table2) FastestOther(dataset, scenario string) float64 {
	least := math.Inf(1)
	for topology, seconds := range t.Seconds[dataset][scenario] {
		if !ByMethod(topology) {
			least = min(least, seconds.Value())
		}
	}
	return least
}
