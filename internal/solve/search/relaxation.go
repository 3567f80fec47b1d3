package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/topology"
)

// Moves change one edge at a time. The iteration of package admm moves the weights of all edges at once, and
// from a good graph mixed with chance it often ends at a better one that no short sequence of
// improving moves leads to: above all where the budget does not divide evenly among the nodes,
// so that there is no symmetry to search and it is open which nodes get more.
const (
	// What a round of the relaxation takes, as a part of the evaluations and on top of them: where all nodes can have the
	// same degree and there are symmetries, and otherwise.
	evenPart    = 0.1
	unevenPart  = 0.4
	relaxKeep   = 3   // candidates that are polished
	relaxShare  = 0.5 // of the first weights that lies on the candidate
	relaxSteps  = 1000
	relaxGrowth = 1.002
	relaxPolish = 200
	mostRelaxed = 12 // runs from one candidate
)

// relaxPrice is what one run costs: each step takes two eigenvalue decompositions.
func relaxPrice(nodes int) int {
	return (relaxSteps + relaxPolish) * max(1, nodes*nodes*nodes/250+nodes*nodes/10)
}

// relaxRuns returns how many runs the evaluations pay for, as far as there are candidates for them.
func (p *Portfolio) relaxRuns() int {
	part := unevenPart
	if q := p.problem; q.uniform() && 2*q.MaxEdges%q.Nodes == 0 && rich(p.frames, q.Nodes) {
		part = evenPart
	}
	return min((relaxKeep+1)*mostRelaxed, int(part*float64(p.asked))/relaxPrice(p.problem.Nodes))
}

// relaxable reports whether the iteration minimises what the problem does and the evaluations pay for it.
func (p *Portfolio) relaxable(f *frame) bool {
	q := p.problem
	return q.Sign != design.Free && q.MinEigenvalue == nil && f.size == 1 && p.relaxRuns() > 0
}

// relaxations returns tasks that polish the best candidates, and one that starts over.
func (p *Portfolio) relaxations(f *frame, evaluations int) []Task {
	starts := slices.Clone(p.pool[:min(len(p.pool), relaxKeep)])
	starts = slices.Insert(starts, min(1, len(starts)), nil)
	runs := evaluations / relaxPrice(p.problem.Nodes)
	starts = starts[:min(len(starts), runs)]
	var tasks []Task
	for i, c := range starts {
		t := p.task(f, c, 0, 0, i)
		t.relax = min(mostRelaxed, runs/len(starts))
		t.Evaluations = t.relax * relaxPrice(p.problem.Nodes)
		tasks = append(tasks, t)
	}
	return tasks
}

// relaxed runs the iteration and finds the weights of the graph it ends at, as far as that fits the frame. It returns
// nil when the graph is not new.
func (t Task) relaxed(ctx context.Context, report func(design.Progress)) (*Solution, error) {
	rng := rand.New(rand.NewPCG(t.stream[0], t.stream[1]))
	s := admm.Settings{Seed: rng.Uint64(), Starts: t.relax, Workers: t.workers, Iterations: relaxSteps,
		Growth: relaxGrowth, Polished: 1, PolishIterations: relaxPolish}
	if t.start != nil {
		s.Start, s.Graph, s.Share = admm.Given, t.start.Graph, relaxShare
	}
	if report != nil {
		s.Progress = func(now design.Progress) {
			now.Phase, now.Done, now.Total = design.Searching, t.Evaluations/max(1, now.Total)*now.Done, t.Evaluations
			now.Feasible = false // its best may have edges that do not fit
			report(now)
		}
	}
	found, err := admm.Solve(ctx, t.relaxedSpace(), s)
	if errors.Is(err, admm.ErrNoPlan) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("search: %s: %w", t.Name, err)
	}
	w := t.fitted(found, rng)
	if g, _ := t.frame.lift(w.arcs).Graph(); w.missing() > 0 || !g.Connected() {
		return nil, nil
	}
	result, err := solveGraph(grace.Late(ctx), t.frame, w.arcs, t.problem.weighing(coarse, 0))
	if err != nil {
		return nil, fmt.Errorf("search: %s: %w", t.Name, err)
	}
	c := newCandidate(t.frame, w.arcs, result)
	if report != nil {
		report(design.Progress{Phase: design.Searching, Done: t.Evaluations, Total: t.Evaluations, Feasible: true,
			Best: c.Value(t.problem), Graph: c.Graph, Weights: c.Weights})
	}
	if t.start != nil && math.Abs(c.Value(t.problem)-t.start.Value(t.problem)) < coarse {
		return nil, nil // the start again, in other words: what was known about its symmetry is better kept
	}
	c.Seed, c.Evaluations, c.Stop = t.stream[0], t.Evaluations, design.BudgetSpent
	if t.start != nil {
		c.Evaluations += t.start.Evaluations
	}
	return c, nil
}

// fitted takes as many edges of a result as fit, the heaviest first, and random ones in place of the others.
func (t Task) fitted(found *admm.Result, rng *rand.Rand) *wiring {
	order := topology.InOrder(len(found.Weights))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(found.Weights[j], found.Weights[i]) })
	w := newWiring(t.frame)
	for _, k := range order {
		e := found.Graph.Edges()[k]
		if a := (topology.Arc{A: e.I, B: e.J}); w.fits(a) {
			w.add(a)
		}
	}
	w.fill(rng)
	return w
}

// relaxedSpace returns what the iteration may choose from. Where all nodes are alike it need not keep degree limits: it
// ends at better graphs without, most of whose edges fit.
func (t Task) relaxedSpace() design.Space {
	p := t.problem
	if p.uniform() {
		p.MaxEdges, p.MaxDegree, p.Degrees = p.budget(), 0, nil
	}
	return p.space()
}
