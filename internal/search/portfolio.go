package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/internal/rounding"
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
	round   int          // that comes next
	pool    []*Candidate // best first

	starts    []Start           // of the caller, beside those of its own
	relatives []*relative       // searches for other numbers of nodes, to be cut down or grown
	rounder   *rounding.Rounder // of a restricted problem; nil where none is needed
}

// DefaultEvaluations is the budget when the caller names none: some ten seconds on two cores for a
// hundred nodes, and growing slowly with their number.
func DefaultEvaluations(nodes int) int {
	return int(15e6 * math.Pow(max(1, float64(nodes)/128), 0.4))
}

// NewPortfolio prepares a search; 0 evaluations mean the default. The error says what is wrong with the problem, or
// wraps [rounding.ErrInfeasible] when no graph keeps its limits; it is that of ctx when that ends first.
func NewPortfolio(ctx context.Context, p Problem, seed uint64, evaluations int) (*Portfolio, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := p.plain().Validate(); err != nil {
		return nil, err
	}
	if evaluations < 0 {
		return nil, fmt.Errorf("search: %d evaluations; give a positive number, or 0 for the default", evaluations)
	}
	if evaluations == 0 {
		evaluations = DefaultEvaluations(p.Nodes)
	}
	core := p
	f := &Portfolio{problem: p, seed: seed, asked: evaluations, budget: evaluations}
	if p.uniform() {
		core.Degrees, core.MaxDegree = nil, min(p.degree(0), (2*p.MaxEdges+p.Nodes-1)/p.Nodes)
		if core.MaxDegree < p.degree(0) {
			f.loose = frames(p)
		}
	}
	f.frames = frames(core)
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
		if f.rounder, err = rounding.New(ctx, p.space()); err != nil {
			return nil, err
		}
	}
	if p.uniform() && p.Symmetry == AnySymmetry && !rich(f.frames, p.Nodes) {
		part := relativePart
		if p.Nodes > mostFree {
			part = 1
		}
		f.relatives = relatives(core, seed, int(part*float64(evaluations)))
		f.budget = int((1 - part) * float64(evaluations))
	}
	f.divide()
	return f, nil
}

// later lists the rounds after the first: how many candidates go on, and on which part of the budget.
var later = []struct {
	keep int
	part float64
}{{12, 0.3}, {6, 0.25}, {2, 0.15}}

const (
	firstPart = 0.3
	loosePart = 0.1 // of each round on top of the budget
	looseKeep = 4
	firstHeat = 0.01 // where a refinement's temperature is steered from
)

// divide lists the rounds and adds up what they may spend.
func (p *Portfolio) divide() {
	p.total = p.asked - p.budget // by relatives
	add := func(evaluations int, tasks func(evaluations int) []Task) {
		p.total += evaluations
		p.rounds = append(p.rounds, func() []Task { return tasks(evaluations) })
	}
	part := func(f float64) int { return int(f * float64(p.budget)) }
	refine := func(keep int, f float64, frames []*frame) {
		add(part(f), func(all int) []Task { return p.refinements(keep, all, frames) })
	}
	relax := func(f *frame) {
		add(p.relaxRuns()*relaxPrice(p.problem.Nodes), func(all int) []Task { return p.relaxations(f, all) })
	}
	add(part(firstPart), func(all int) []Task { return p.scouts(append(p.given(), p.transplanted()...), p.frames, all) })
	if first := part(firstPart); p.frames[0].size == 1 && !slices.Contains(affordable(p.frames, first/2), p.frames[0]) {
		add(0, func(int) []Task { return p.unsymmetric(first) })
	}
	for _, l := range later {
		refine(l.keep, l.part, nil)
	}
	if p.relaxable(p.frames[0]) {
		relax(p.frames[0])
		refine(looseKeep, loosePart, nil)
	}
	if p.loose != nil {
		add(part(loosePart), func(all int) []Task { return p.scouts(p.hubs(), p.loose, all) })
		if p.relaxable(p.loose[0]) {
			relax(p.loose[0])
		}
		refine(looseKeep, loosePart, p.loose)
	}
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
	return tasks
}

// refinements returns tasks that go on from the best candidates so far.
func (p *Portfolio) refinements(keep, budget int, frames []*frame) []Task {
	return p.goOn(p.pool[:min(len(p.pool), keep)], budget, frames)
}

// goOn returns tasks that go on from candidates, in their own frames or in those given of the same size.
func (p *Portfolio) goOn(from []*Candidate, budget int, frames []*frame) []Task {
	var tasks []Task
	for _, c := range from {
		f := c.frame
		if i := slices.IndexFunc(frames, func(g *frame) bool { return g.size == f.size }); i >= 0 {
			f = frames[i]
		}
		each, heat := budget/len(from), firstHeat
		if fewestSolves*solvePrice(f, len(c.arcs)) > each {
			heat = 0 // too few exact answers to anneal by them
		}
		tasks = append(tasks, p.task(f, c, each, heat, len(tasks)))
	}
	return tasks
}

const (
	fewestSolves = 40 // exact answers that make a refinement worthwhile
	mostScouts   = 16 // quenches on one symmetry
)

func (p *Portfolio) task(f *frame, start *Candidate, evaluations int, heat float64, index int) Task {
	return Task{Name: fmt.Sprintf("round %d, task %d (%d×%d)", p.round+1, index+1, f.orbits, f.size),
		Evaluations: evaluations,
		problem:     p.problem, rounder: p.rounder, frame: f, start: start, heat: heat,
		stream: [2]uint64{p.seed, uint64(p.round)<<32 | uint64(index)}}
}

// natural returns how many evaluations a quench should have.
func natural(f *frame) int {
	arcs := f.budget/f.size + 1
	blocks := f.size/2 + 1
	return 4000*arcs + quenchStages*blocks*f.orbits*f.orbits*f.orbits/inverseUnit
}

// fewNodes is where no symmetry is left out for its price, not even none at all, as long as the evaluations pay for the
// weights of one graph or these cost little.
const (
	fewNodes   = 32
	cheapSolve = 10_000
)

// mostOrbits keeps the memory of resolvents, two matrices per block, linear in the number of nodes.
const mostOrbits = 64

// scouts returns quenches from random arcs on all symmetries that the budget can afford, an
// equal share for each. Half of the budget goes to given starts, if there are any.
func (p *Portfolio) scouts(starts []*Candidate, frames []*frame, budget int) []Task {
	var tasks []Task
	if len(starts) > 0 {
		budget /= 2
		tasks = p.goOn(starts, budget, nil)
	}
	frames = affordable(frames, budget)
	for _, f := range frames {
		share := budget / len(frames)
		count := max(1, min(mostScouts, share/natural(f)))
		for range count {
			tasks = append(tasks, p.task(f, nil, share/count, 0, len(tasks)))
		}
	}
	return tasks
}

// unsymmetric returns a quench without symmetry where those with symmetry met no connected graph, as they meet no tree.
func (p *Portfolio) unsymmetric(evaluations int) []Task {
	if len(p.pool) > 0 || p.problem.Nodes > mostFree {
		return []Task{}
	}
	return []Task{p.task(p.frames[0], nil, evaluations, 0, 0)}
}

// affordable returns the frames on which a quench of natural length is not out of proportion.
func affordable(frames []*frame, budget int) []*frame {
	var out []*frame
	for _, f := range frames {
		if f.orbits >= fewestOrbits(f.nodes())/2 && (f.orbits <= mostOrbits || f.nodes() <= mostFree) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(f, g *frame) int { return cmp.Compare(natural(f), natural(g)) })
	for len(out) > 1 {
		last, share := out[len(out)-1], budget/len(out)
		few := last.nodes() <= fewNodes && solvePrice(last, last.budget/last.size) <= max(share, cheapSolve)
		if few || natural(last) <= 2*share {
			break
		}
		out = out[:len(out)-1]
	}
	return out
}

// Merge takes the results of a round in the order of its tasks; nil entries are
// tasks that found nothing or did not run.
func (p *Portfolio) Merge(results []*Candidate) {
	if p.mergeRelatives(results) {
		return
	}
	for _, c := range results {
		if c != nil {
			p.pool = append(p.pool, c)
		}
	}
	slices.SortStableFunc(p.pool, func(a, b *Candidate) int {
		return cmp.Compare(a.Value(p.problem), b.Value(p.problem))
	})
	// Equal values in one frame are nearly always the same graph.
	p.pool = slices.CompactFunc(p.pool, func(a, b *Candidate) bool {
		return a.frame == b.frame && math.Abs(a.Value(p.problem)-b.Value(p.problem)) < coarse/10
	})
}

// Best returns the best candidate so far, nil when there is none.
func (p *Portfolio) Best() *Candidate {
	if len(p.pool) == 0 {
		return nil
	}
	return p.pool[0]
}
