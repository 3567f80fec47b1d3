package paper

import (
	"fmt"
	"math"

	"batopo/cluster"
)

// The rows of Table I.
const (
	Exponential = "exponential"
	EquiStatic  = "u-equistatic"
	BATopo      = "ba-topo"
)

// Table1 holds r_asym and convergence time by topology, one entry per number of nodes.
type Table1 struct {
	Source    string               `json:"source"`
	Nodes     []int                `json:"nodes"`
	RAsym     map[string][]float64 `json:"r_asym"`
	TimeMS    map[string][]float64 `json:"time_ms"`
	Sentences []Sentence           `json:"sentences"`
}

// Half of the last digit that the table prints.
const (
	HalfRAsym  = 0.005
	HalfTimeMS = 0.5
)

func (t Table1) validate() error {
	for _, row := range []string{Exponential, EquiStatic, BATopo} {
		if len(t.RAsym[row]) != len(t.Nodes) || len(t.TimeMS[row]) != len(t.Nodes) {
			return fmt.Errorf("paper: row %s of Table I has %d and %d entries for %d sizes", row, len(t.RAsym[row]), len(t.TimeMS[row]), len(t.Nodes))
		}
	}
	return nil
}

// A Factor is a way to read a convergence time: iterations, each as slow as the largest degree.
type Factor struct{ Iterations, MaxDegree int }

// Implied returns the ways to write the printed time of column k as iterations × degree × time of
// one message that agree with the printed r_asym: r_asym^i is below the target at the last
// iteration, and √(n−1)·r_asym^i was not the iteration before.
func (t Table1) Implied(row string, k int) []Factor {
	n, r := t.Nodes[k], t.RAsym[row][k]
	message := cluster.PaperMessageMB / cluster.PaperBandwidthGBs
	var ways []Factor
	for degree := 1; degree < n; degree++ {
		round := float64(degree) * message
		i := math.Round(t.TimeMS[row][k] / round)
		if math.Abs(i*round-t.TimeMS[row][k]) > HalfTimeMS {
			continue
		}
		reached := math.Pow(r-HalfRAsym, i) <= cluster.PaperTarget
		needed := math.Sqrt(float64(n-1))*math.Pow(r+HalfRAsym, i-1) > cluster.PaperTarget
		if reached && needed {
			ways = append(ways, Factor{int(i), degree})
		}
	}
	return ways
}
