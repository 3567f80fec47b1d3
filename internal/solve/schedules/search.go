package schedules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/mixing"
)

// A Form says what a schedule is made of.
type Form string

// The forms. Only gossip keeps the mean of all nodes after every round; in the others just the end counts.
const (
	Gossip Form = "gossip" // rounds of doubly stochastic matrices
	Whole  Form = "whole"  // exact: sums are collected and handed back in whole messages
	Parts  Form = "parts"  // exact: the message is cut up, and pieces follow each other
)

// A Problem is what to look for.
type Problem struct {
	Cluster *cluster.Cluster
	Form    Form // "" means Gossip
	// Exact demands that everybody holds the average after one period. Otherwise the least time to the cluster's
	// target error is looked for: the most contraction per millisecond down to there. Other forms are always exact.
	Exact bool
	// Positive demands that every W is positive semidefinite, as training with momentum wants it; only for gossip.
	Positive bool
}

// Settings of a search. The zero value means the defaults.
type Settings struct {
	Seed        uint64
	Evaluations int                   // schedules priced; 0 means DefaultEvaluations
	Chunks      int                   // the most that a message is cut into; 0 means limits.Chunks
	Progress    func(design.Progress) // called on the searching goroutine; must not block
	Memo        *Memo                 // what was found before; nil: nothing
}

// DefaultEvaluations is a few seconds' worth.
func DefaultEvaluations(nodes int) int { return max(10_000, 2_000_000/max(nodes, 16)) }

// A Result is the best schedule that was found.
type Result struct {
	Name        string                // how it is built
	MS          float64               // time to the target; exact ones: until everybody holds the average
	Exact       bool                  // everybody holds the average after one period
	Schedule    *mixing.Schedule      // gossip; otherwise nil
	Algorithm   *collective.Algorithm // whole and parts; otherwise nil
	Bound       *design.TimeBound     // what no schedule of the form beats; nil where none is known
	Evaluations int                   // schedules that were priced
	Stop        design.Stop
}

// ErrNone says that no schedule of the kind was found. It is a [feasible.ErrUndecided]: a search proves nothing.
var ErrNone error = noneFound{}

type noneFound struct{}

func (noneFound) Error() string { return "schedules: none was found" }
func (noneFound) Unwrap() error { return feasible.ErrUndecided }

// Search looks for the schedule that takes least time. Same problem, seed and evaluations: same schedule; more of them:
// one that takes as long or less. A cancelled context returns the best so far with the reason in Stop; without any yet,
// an error.
func Search(ctx context.Context, p Problem, s Settings) (*Result, error) {
	if p.Cluster == nil {
		return nil, errors.New("schedules: a problem needs a cluster")
	}
	if p.Form == "" {
		p.Form = Gossip
	}
	if p.Positive && p.Form != Gossip {
		return nil, fmt.Errorf("schedules: form %q has no matrices that could be positive; only %q has", p.Form, Gossip)
	}
	if n := p.Cluster.Nodes(); p.Form == Gossip && n > mixing.DirectedLimit { // or no rate could be given of what is found
		return nil, limits.Refuse("schedules: there are %d nodes; what rounds of form %q do together is computed for up "+
			"to %d; forms %q and %q take more", n, Gossip, mixing.DirectedLimit, Whole, Parts)
	}
	if s.Evaluations < 0 || s.Chunks < 0 || s.Chunks > limits.Chunks {
		return nil, fmt.Errorf("schedules: %d evaluations and at most %d chunks; neither may be negative, and a plan has "+
			"at most %d chunks", s.Evaluations, s.Chunks, limits.Chunks)
	}
	s.Evaluations = cmp.Or(s.Evaluations, DefaultEvaluations(p.Cluster.Nodes()))
	s.Chunks = cmp.Or(s.Chunks, limits.Chunks)
	s.Memo = cmp.Or(s.Memo, new(Memo))
	h := &hunt{ctx: ctx, problem: p, settings: s, best: Result{MS: math.Inf(1), Stop: design.BudgetSpent},
		rankMS: math.Inf(1)}
	h.best.Bound = LowerBound(p.Cluster, p.Form != Parts)
	var err error
	switch p.Form {
	case Gossip:
		err = h.gossip()
	case Whole, Parts:
		h.exactly()
	default:
		return nil, fmt.Errorf("schedules: form is %q; it must be %q, %q or %q", p.Form, Gossip, Whole, Parts)
	}
	if err != nil {
		return nil, err
	}
	h.takeTurns()
	return h.result()
}

// site is where collectives are looked for.
func (h *hunt) site() Site { return Site{h.problem.Cluster, h.settings.Seed, h.settings.Chunks, true} }

// A hunt collects what a search finds.
type hunt struct {
	ctx      context.Context
	problem  Problem
	settings Settings
	best     Result
	rankMS   float64 // of the best, where it is an algorithm
	turns    Result  // allowed pairs in turn; without a schedule where that was not looked at
	why      error   // the last reason why a candidate was impossible
}

func (h *hunt) result() (*Result, error) {
	if math.IsInf(h.best.MS, 1) {
		switch {
		case h.ctx.Err() != nil:
			return nil, h.ctx.Err()
		case h.why != nil:
			return nil, fmt.Errorf("%w: %w", ErrNone, h.why)
		}
		return nil, ErrNone
	}
	switch b := h.best.Bound; {
	case b != nil && h.best.MS <= b.MS*(1+design.Attained):
		h.best.Stop = design.BoundAttained
	case h.ctx.Err() == context.DeadlineExceeded:
		h.best.Stop = design.TimeLimit
	case h.ctx.Err() != nil:
		h.best.Stop = design.Interrupted
	}
	found := h.best
	return &found, nil
}

// over reports whether to stop: cancelled, all evaluations used, or nothing better exists. Evaluations that orders of
// the nodes have used up do not end a search that has found nothing yet.
func (h *hunt) over() bool {
	done := h.spent() && !math.IsInf(h.best.MS, 1)
	return h.ctx.Err() != nil || done || h.best.Bound != nil && h.best.MS <= h.best.Bound.MS*(1+design.Attained)
}

// spent reports whether all evaluations are used.
func (h *hunt) spent() bool { return h.best.Evaluations >= h.settings.Evaluations }

// priced counts an evaluation and reports progress now and then.
func (h *hunt) priced() {
	h.best.Evaluations++
	if report := h.settings.Progress; report != nil && h.best.Evaluations%64 == 1 {
		now := design.Progress{Phase: design.Searching, Done: h.best.Evaluations, Total: h.settings.Evaluations}
		if !math.IsInf(h.best.MS, 1) {
			now.Feasible, now.Best = true, h.best.MS
		}
		if h.best.Bound != nil {
			now.Bound = h.best.Bound.MS
		}
		report(now)
	}
}

// better is how much less time, relatively, a schedule must take to count as better: more than rounding makes of it.
const better = 1e-9
