package sweep

import (
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// A Status says what became of an attempt to find a plan or to price a known topology.
type Status string

// What can become of an attempt. Only the first two leave a plan.
const (
	Solved       Status = "solved"                 // a plan was found; it may be recommended
	Outpaced     Status = "outpaced by collective" // the plan averages exactly, but a collective does so sooner
	SamePlan     Status = "same plan"              // the plan of a smaller budget is no worse than what was found
	Hopeless     Status = "hopeless"               // it is proved that no plan here can beat the best
	Infeasible   Status = "infeasible"             // it is proved that there is no plan
	Undecided    Status = "undecided"              // no plan was found, and no proof that there is none
	TooLarge     Status = "too large"              // not computed at this size; it may exist
	ShareSpent   Status = "share spent"            // its share of the search ended before there was a plan
	NotAttempted Status = "not attempted"          // the time was over, or it was not asked for
)

// An Outcome is what became of one budget. Which of the last fields are set depends on the status.
type Outcome struct {
	Budget Budget
	Status Status // "" until something is known
	Scored

	CollectiveMS float64 // Outpaced: the time of the collective
	SameAs       int     // SamePlan: the position of the budget that has the plan
	Proof        *Proof  // Hopeless
	Err          error   // Infeasible, Undecided and ShareSpent: what forbids a plan, or what was tried
}

// A Budget is one unit bandwidth, as Algorithm 1 of the paper allots it.
type Budget struct {
	feasible.Allocation
	MaxDegree int // limit on degrees that keeps the unit on a homogeneous cluster; 0: resources limit
}

// A Scored is a plan of any kind with what it is ranked by. Without a plan the numbers mean nothing.
type Scored struct {
	Plan        *design.Plan
	IterationMS float64 // a training step and the communication after it, as package cost predicts it
	Neighbors   float64 // n_W(γ) where the score is made of it; 0 otherwise
	Score       float64 // what the sweep minimises
}

// better reports whether c is to be preferred to other, which may have no plan.
func (c Scored) better(other Scored) bool {
	if other.Plan == nil || c.Score != other.Score {
		return other.Plan == nil || c.Score < other.Score
	}
	return c.Plan.RAsym < other.Plan.RAsym
}

// A Proof says why no plan within a budget can win. When agreement is what counts it takes at least Rounds rounds of at
// least RoundMS; when training is, an iteration takes at least IterationMS and averages over at most Neighbors.
type Proof struct {
	Rounds      int
	RoundMS     float64
	IterationMS float64
	Neighbors   float64
	Best        float64 // the score that cannot be beaten
}

// A Criterion is what a sweep minimises: the unit of its scores.
type Criterion string

// What can be minimised. The last is a rule of thumb for training, not a prediction.
const (
	ByRate      Criterion = "r_asym"                          // contraction per round, whatever a round costs
	ByTime      Criterion = "time to target"                  // milliseconds until the target error is reached
	PerNeighbor Criterion = "time per iteration / neighbours" // over the effective number of neighbours n_W(γ)
)

func criterion(p design.Problem) Criterion {
	switch {
	case p.Objective != design.Time:
		return ByRate
	case p.Purpose == design.Training:
		return PerNeighbor
	}
	return ByTime
}
