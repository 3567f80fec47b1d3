package design

import (
	"time"

	"github.com/batopo/batopo/topology"
)

// Stop says why a solve ended. It says nothing about the quality of the plan:
// that is the business of bounds and gaps.
type Stop string

// The reasons for stopping.
const (
	Constructed   Stop = "constructed"    // written down, not searched for
	Converged     Stop = "converged"      // residuals or step below tolerance
	Exhausted     Stop = "exhausted"      // every case was looked at
	BudgetSpent   Stop = "evaluations"    // the evaluation or iteration budget is used up
	TimeLimit     Stop = "time limit"     // the deadline has passed
	Interrupted   Stop = "interrupted"    // cancelled from outside
	Stalled       Stop = "stalled"        // no progress any more
	Breakdown     Stop = "breakdown"      // numbers stopped making sense
	BoundAttained Stop = "bound attained" // the plan meets its lower bound
	Rejected      Stop = "rejected"       // proved to miss the value that was asked for
)

// stopWords lists every reason that a plan may state.
func stopWords() []string {
	var words []string
	for _, s := range []Stop{Constructed, Converged, Exhausted, BudgetSpent, TimeLimit, Interrupted, Stalled, Breakdown,
		BoundAttained, Rejected} {
		words = append(words, string(s))
	}
	return words
}

// A Phase is what a solver is doing.
type Phase string

// The phases of a solve.
const (
	Relaxing  Phase = "relaxing"
	Polishing Phase = "polishing weights"
	Searching Phase = "searching"
	Listing   Phase = "listing what can be run"
	Comparing Phase = "comparing candidates"
	Varying   Phase = "looking for what would change the answer"
)

// Progress is a snapshot of running work, a plain value. In a sweep it is about one budget.
type Progress struct {
	Budget, Budgets int // which budget of how many, from 1; 0 where there is no sweep
	Phase           Phase
	Done, Total     int // evaluations of a search, iterations of others; Total is 0 when unknown
	Primal, Dual    float64
	Feasible        bool    // a plan exists; Best is meaningful
	Best            float64 // r_asym of the best plan so far
	Bound           float64 // proved lower bound, 0 when none is known
	Elapsed         time.Duration

	// Step is the iteration of Algorithm 2 that has just ended; nil where no trace is asked for.
	Step *Step

	// Graph and Weights are those of the best plan so far; nil where they are not at hand. They change together.
	Graph   *topology.Graph
	Weights []float64
}

// A Step is one iteration of Algorithm 2, as a trace shows it. Runs are traced side by side, so sort by Run and Number.
type Step struct {
	Run    int     `json:"run"`    // which start, from 1
	Number int     `json:"number"` // from 1
	Rho    float64 `json:"rho"`
	Gap    float64 `json:"gap"`    // ‖X − Y‖², what the printed rule compares with ε
	Dual   float64 `json:"dual"`   // relative dual residual: how far X moved, times ρ
	Lambda float64 `json:"lambda"` // λ̃ of X
	RAsym  float64 `json:"r_asym"` // of the graph that rounding gives at this step; 1: it does not average
}
