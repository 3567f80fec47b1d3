package measure

import (
	"math"
	"slices"
)

// Outcomes are what one way of solving gave, once per seed.
type Outcomes struct {
	Nodes   int       `json:"nodes"`
	Edges   int       `json:"edges,omitempty"` // budget, where there is one
	RAsym   []float64 `json:"r_asym"`
	Seconds float64   `json:"seconds"` // of all seeds together; differs from run to run
}

// Best returns the smallest r_asym, +Inf when there is none.
func (o Outcomes) Best() float64 {
	if len(o.RAsym) == 0 {
		return math.Inf(1)
	}
	return slices.Min(o.RAsym)
}

// Worst returns the largest r_asym of at least one run.
func (o Outcomes) Worst() float64 { return slices.Max(o.RAsym) }

// PerRun returns the mean time of a run in seconds.
func (o Outcomes) PerRun() float64 { return o.Seconds / float64(len(o.RAsym)) }

// Median returns the middle r_asym, the mean of the two for an even number; +Inf when there is none.
func (o Outcomes) Median() float64 {
	if len(o.RAsym) == 0 {
		return math.Inf(1)
	}
	sorted := slices.Sorted(slices.Values(o.RAsym))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// An Epoch is what an epoch of training costs with one topology on one kind of hardware.
type Epoch struct {
	Edges      int     `json:"edges"`
	MaxDegree  int     `json:"max_degree"`
	Slowdown   float64 `json:"slowdown"`   // m = b_avail / b_min
	Iterations int     `json:"iterations"` // per epoch
	Seconds    float64 `json:"seconds"`
}
