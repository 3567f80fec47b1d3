package measure

import (
	"math"

	"github.com/batopo/batopo/cluster"
)

// Outcomes are what one way of solving gave, once per seed.
type Outcomes struct {
	Nodes   int       `json:"nodes"`
	Edges   int       `json:"edges,omitempty"` // budget, where there is one
	RAsym   []float64 `json:"r_asym"`
	Seconds float64   `json:"seconds"` // of all seeds together; differs from run to run
}

// An Epoch is what an epoch of training costs with one topology on one kind of hardware.
type Epoch struct {
	Edges      int     `json:"edges"`
	MaxDegree  int     `json:"max_degree"`
	Slowdown   float64 `json:"slowdown"`   // m = b_avail / b_min
	Iterations int     `json:"iterations"` // per epoch
	Seconds    float64 `json:"seconds"`
}

// EpochSeconds prices an epoch as the paper's times show it to have been done: communication at full bandwidth
// and computation both rounded to 10 ms per epoch.
func EpochSeconds(iterations, slowdown float64) float64 {
	seconds := func(ms float64) float64 { return math.Round(iterations*ms/10) / 100 }
	return seconds(cluster.PaperMessageMB/cluster.PaperBandwidthGBs)*slowdown + seconds(cluster.PaperComputeMS)
}
