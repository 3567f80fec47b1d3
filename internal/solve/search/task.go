package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// A Task is one independent piece of a search. Tasks of one round may run at the
// same time; each gives the same candidate whenever and wherever it runs.
type Task struct {
	Name        string
	Evaluations int // what it may spend

	problem Problem
	rounder *feasible.Rounder // of a restricted problem without symmetry
	frame   *frame
	start   *Solution // to go on from; nil means random arcs
	stream  [2]uint64 // of the random numbers
	heat    float64   // of a refinement; 0 means a quench
	relax   int       // runs of the paper's iteration, instead of moves
	workers int       // how many of these are made at the same time; 0 means as many as there are cores
	foreign bool      // it searches for another number of nodes, so its values say nothing yet
}

// Run works on the task until its evaluations are spent or ctx is cancelled, and returns the best
// candidate; nil when there is none, because no connected graph was met. report, if not nil, is called now and then on
// the calling goroutine; the Elapsed of what it gets is not set.
func (t Task) Run(ctx context.Context, report func(design.Progress)) (*Solution, error) {
	if t.frame.size == 1 && t.frame.orbits > mostFree {
		return t.asItIs(), nil
	}
	if t.relax > 0 {
		return t.relaxed(ctx, report)
	}
	r, err := t.refinement(report)
	if err != nil {
		return nil, fmt.Errorf("search: %s: %w", t.Name, err)
	}
	if t.heat == 0 {
		t.begin(r)
		if len(r.w.arcs) == 0 {
			return nil, nil // one arc is more than the budget
		}
		r.quench.run(ctx, r.budget, t.start != nil)
		// Two answers are better than one: the last wiring and the narrowest spectrum on the way.
		last := slices.Clone(r.w.arcs)
		r.consider(ctx, last)
		r.consider(ctx, r.narrowest)
	} else {
		r.consider(ctx, t.start.arcs)
		if r.best.result != nil {
			r.run(ctx)
		}
	}
	if r.best.result == nil {
		return nil, ctx.Err()
	}
	c := newCandidate(t.frame, r.best.arcs, r.best.result)
	c.Seed, c.Evaluations, c.Stop = t.stream[0], r.budget.spent, design.BudgetSpent
	if t.start != nil {
		c.Evaluations += t.start.Evaluations
	}
	if ctx.Err() != nil {
		c.Stop = design.Interrupted
	}
	return c, nil
}

// asItIs finds the weights of the start and does not search: beyond mostFree nodes without symmetry a
// search would need matrices of n² numbers.
func (t Task) asItIs() *Solution {
	result := scaled(t.frame, t.start.arcs, t.problem.weighing(coarse, 0))
	if !(result.Lambda2 < 1) {
		return nil
	}
	c := newCandidate(t.frame, t.start.arcs, result)
	c.Seed, c.Evaluations, c.Stop = t.stream[0], t.start.Evaluations, design.BudgetSpent
	return c
}

func (t Task) refinement(report func(design.Progress)) (*refinement, error) {
	rng := rand.New(rand.NewPCG(t.stream[0], t.stream[1]))
	r := &refinement{refused: map[int64]float64{}, problem: t.problem, heat: t.heat, report: report, silent: t.foreign,
		budget: &meter{limit: t.Evaluations}}
	r.quench = *newQuench(t.frame, rng)
	r.quench.pulse = r.pulse
	if t.frame.size > 1 {
		solver, err := weights.NewLiftSolver(t.frame.orbits, t.frame.size)
		if err != nil {
			return nil, err
		}
		r.solver = solver
	}
	return r, nil
}

// begin chooses the arcs that a quench starts from.
func (t Task) begin(r *refinement) {
	switch {
	case t.start != nil:
		r.w.set(t.start.arcs)
	case t.frame.size == 1 && t.frame.table != nil:
		t.roundedStart(r)
		return
	case t.frame.size == 1:
		r.w.tree(r.rng)
	}
	r.w.fill(r.rng)
}

// roundedStart takes a random choice of candidate edges that keeps all limits.
func (t Task) roundedStart(r *refinement) {
	candidates := t.problem.Space.Candidates
	score := make([]float64, len(candidates))
	for k := range score {
		score[k] = r.rng.Float64()
	}
	for k, in := range t.rounder.Round(score).Chosen() {
		if in {
			e := candidates[k]
			r.w.add(topology.Arc{A: e.I, B: e.J})
		}
	}
}
