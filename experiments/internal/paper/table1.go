package paper

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
)

// The rows of Table I.
const (
	Exponential = "exponential"
	EquiStatic  = "u-equistatic"
	BATopo      = "ba-topo"
)

// Table1 holds r_asym and convergence time by topology, one entry per number of nodes.
type Table1 struct {
	Nodes  []int                `json:"nodes"`
	RAsym  map[string][]Decimal `json:"r_asym"`
	TimeMS map[string][]Decimal `json:"time_ms"`
}

// Printed returns one half of the table by its name in result files, r_asym or time_ms.
func (t Table1) Printed(quantity string) map[string][]Decimal {
	if quantity == "r_asym" {
		return t.RAsym
	}
	return t.TimeMS
}

// A Factor is a way to read a convergence time: iterations, each as slow as the largest degree.
type Factor struct{ Iterations, MaxDegree int }

func (f Factor) String() string { return fmt.Sprintf("%d × %d", f.Iterations, f.MaxDegree) }

// Implied returns the ways to write the printed time of column k as iterations × degree × time of
// one message that agree with the printed r_asym: r_asym^i is below the target at the last
// iteration, and √(n−1)·r_asym^i was not the iteration before.
func (t Table1) Implied(row string, k int) []Factor {
	n, rate, time := t.Nodes[k], t.RAsym[row][k], t.TimeMS[row][k]
	message := cluster.PaperMessageMB / cluster.PaperBandwidthGBs
	var ways []Factor
	for degree := 1; degree < n; degree++ {
		round := float64(degree) * message
		i := math.Round(time.Value() / round)
		reached := math.Pow(rate.Value()-rate.Unit()/2, i) <= cluster.PaperTarget
		needed := math.Sqrt(float64(n-1))*math.Pow(rate.Value()+rate.Unit()/2, i-1) > cluster.PaperTarget
		if time.Rounds(i*round) && reached && needed {
			ways = append(ways, Factor{int(i), degree})
		}
	}
	return ways
}
