package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/internal/solve/feasible"
)

// A Portfolio divides a search into rounds of independent tasks. The first round looks at many
// symmetries from random starts, the later ones go on from the best candidates with more and more
// evaluations each. Tasks and results do not depend on how many of them run at a time.
//
// Two kinds of rounds come on top of the budget. Small problems, above all those without symmetry, hand their best
// candidates to the paper's iteration, see relaxation.go. And where nodes are alike and may have any number of
// neighbours, all these rounds keep to degrees that are as even as the budget of edges allows, since the best graphs
// nearly do; further rounds at the end are free to leave that, so that dropping a degree limit never makes the result
// of the same seed worse.
type Portfolio struct {
	problem Problem
	seed    uint64
	asked   int // evaluations
	budget  int // of them, for the problem's own rounds
	total   int // with the rounds on top
	frames  []*frame
	loose   []*frame // without the degree limit below
	rounds  []func() []Task
	round   int         // that comes next
	stream  int         // of its random numbers: rounds without tasks do not count
	pool    []*Solution // best first

	starts    []Start           // of the caller, beside those of its own
	relatives []*relative       // searches for other numbers of nodes, to be cut down or grown
	rounder   *feasible.Rounder // of a restricted problem; nil where none is needed
}

// DefaultEvaluations is the budget when the caller names none: some ten seconds on two cores for a
// hundred nodes, and growing slowly with their number.
func DefaultEvaluations(nodes int) int {
	return int(15e6 * math.Pow(max(1, float64(nodes)/128), 0.4))
}

// newPortfolio prepares a search for a problem that was validated; 0 evaluations mean the default, m may be nil. The
// error says what is wrong, or wraps [feasible.ErrInfeasible] when no graph keeps the limits; it is ctx.Err() when ctx
// ends first.
func newPortfolio(ctx context.Context, p Problem, seed uint64, evaluations int, m *Memory) (*Portfolio, error) {
	if plain := p.plain(); plain.Space != p.Space {
		if err := plain.Validate(); err != nil {
			return nil, err
		}
	}
	if evaluations < 0 {
		return nil, fmt.Errorf("search: %d evaluations; give a positive number, or 0 for the default", evaluations)
	}
	f := &Portfolio{problem: p, seed: seed}
	core := p.even()
	if p.uniform() && core.MaxDegree < p.degree(0) {
		f.loose = frames(p, m)
	}
	f.frames = frames(core, m)
	if len(f.frames) == 0 && p.Nodes > mostFree {
		return nil, fmt.Errorf("%w: the limits leave no symmetry, and more than %d nodes are not searched without",
			ErrNothing, mostFree)
	}
	if len(f.frames) == 0 {
		return nil, fmt.Errorf("%w: the limits leave no symmetry; search without", ErrNothing)
	}
	// Beyond mostFree nodes the question whether any graph fits takes longer than to find one.
	if p.Space != nil && f.frames[0].table != nil && f.frames[0].size == 1 && p.Nodes <= mostFree {
		var err error
		if f.rounder, err = feasible.New(ctx, p.space()); err != nil {
			return nil, err
		}
	}
	return f.restarted(cmp.Or(evaluations, DefaultEvaluations(p.Nodes))), nil
}

// restarted returns the same search from its beginning, with other evaluations.
func (p *Portfolio) restarted(evaluations int) *Portfolio {
	f := &Portfolio{problem: p.problem, seed: p.seed, asked: evaluations, budget: evaluations,
		frames: p.frames, loose: p.loose, starts: p.starts, rounder: p.rounder}
	if q := p.problem; q.uniform() && q.Symmetry == AnySymmetry && !rich(f.frames, q.Nodes) {
		part := relativePart
		if q.Nodes > mostFree {
			part = 1
		}
		f.relatives = relatives(q.even(), f.seed, int(part*float64(evaluations)))
		f.budget = int((1 - part) * float64(evaluations))
	}
	f.divide()
	return f
}

// Next returns the tasks of the next round, nil when the search is over.
func (p *Portfolio) Next() []Task {
	if tasks := p.relativeTasks(); tasks != nil {
		return tasks
	}
	if p.round == len(p.rounds) {
		return nil
	}
	tasks := p.rounds[p.round]()
	p.round++
	if len(tasks) > 0 {
		p.stream++
	}
	return tasks
}

// Merge takes the results of a round in the order of its tasks; nil entries are
// tasks that found nothing or did not run.
func (p *Portfolio) Merge(results []*Solution) {
	if p.mergeRelatives(results) {
		return
	}
	for _, c := range results {
		if c != nil {
			p.pool = append(p.pool, c)
		}
	}
	slices.SortStableFunc(p.pool, func(a, b *Solution) int {
		return cmp.Compare(a.Value(p.problem), b.Value(p.problem))
	})
	// Equal values in one frame are nearly always the same graph.
	p.pool = slices.CompactFunc(p.pool, func(a, b *Solution) bool {
		return a.frame == b.frame && math.Abs(a.Value(p.problem)-b.Value(p.problem)) < coarse/10
	})
}

// Best returns the best candidate so far, nil when there is none.
func (p *Portfolio) Best() *Solution {
	if len(p.pool) == 0 {
		return nil
	}
	return p.pool[0]
}
