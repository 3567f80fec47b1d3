package admm

import (
	"errors"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// ErrNoPlan means that the solve was cancelled before any feasible plan existed.
var ErrNoPlan = errors.New("admm: stopped before there was a plan")

// A Result is the best plan of all runs.
type Result struct {
	Graph   *topology.Graph
	Chosen  []bool         // which candidates are in Graph
	Weights []float64      // of the edges of Graph, in order; ≥ 0
	Mixing  *mixing.Matrix // W = I − L(g): symmetric, rows sum to 1, no negative entry
	RAsym   float64        // ‖W − J‖₂, recomputed from W
	Lambda2 float64        // second largest eigenvalue of W
	LambdaN float64        // smallest eigenvalue of W
	Met     bool           // every limit is used up exactly: M z = e

	Stop       design.Stop // why the run that won ended, or why the whole solve was stopped
	Iterations int         // of all runs, weights included
	Winner     int         // position in Runs
	Runs       []Run
	Notes      []string // for people: method, ρ, start, residuals
}

// A Run is what one start did.
type Run struct {
	RAsym float64 // of its best plan; 1 when it has none

	RhoFirst, RhoLast float64
	Iterations        int // of the relaxation
	Stop              design.Stop
	Rounded           int // different supports that rounding gave

	PolishIterations int // over all supports it polished
	PolishStop       design.Stop

	// Of a literal run: the sum of squares that the printed rule looks at when it ended, and how many edges of its
	// rounding were dropped, and others added, because they broke a limit or left the graph in parts (0 and 0: the plan
	// is as printed).
	Residual       float64
	Dropped, Added int

	Linear Linear // of the relaxation, by the printed linear solver

	PathLength float64  // average shortest path of the first graph; 0 when not annealed
	Polish     []Sample // residuals of the weights of its best support, thinned to at most 64
	Err        error    // why Stop is Breakdown
}

// Linear is what the printed linear solver had to do.
type Linear struct {
	Unknowns int // of the saddle-point system
	Entries  int // stored of its matrix; the ILU has as many
	Steps    int // of Bi-CGSTAB, two products with the matrix each
}

// A Sample is the state of the iteration at one moment.
type Sample struct {
	Iteration    int
	Rho          float64
	Primal, Dual float64 // relative residuals
	Lambda       float64 // λ̃ of X
}

// thin appends a sample, forgetting every second one when there are too many: it keeps
// samples at a spacing that doubles.
func thin(history []Sample, s Sample) []Sample {
	const most = 64
	if len(history) == most {
		for k := range most / 2 {
			history[k] = history[2*k]
		}
		history = history[:most/2]
	}
	return append(history, s)
}
