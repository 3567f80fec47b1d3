package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"batopo/rounding"
)

// A Portfolio divides a search into rounds of independent tasks. The first round looks at many
// symmetries from random starts, the later ones go on from the best candidates with more and more
// evaluations each. Tasks and results do not depend on how many of them run at a time.
type Portfolio struct {
	problem Problem
	seed    uint64
	budget  int
	frames  []*frame
	round   int
	pool    []*Candidate // best first

	relatives []*relative // searches for other numbers of nodes, to be cut down or grown
}

// DefaultEvaluations is the budget when the caller names none: some ten seconds on two cores for a
// hundred nodes, and growing with the root of their number.
func DefaultEvaluations(nodes int) int {
	return int(15e6 * math.Sqrt(max(1, float64(nodes)/128)))
}

// NewPortfolio prepares a search; 0 evaluations mean the default. The error says what is wrong with
// the problem, or wraps [rounding.ErrInfeasible] when no graph keeps its limits.
func NewPortfolio(p Problem, seed uint64, evaluations int) (*Portfolio, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if evaluations < 0 {
		return nil, fmt.Errorf("search: %d evaluations; give a positive number, or 0 for the default", evaluations)
	}
	if evaluations == 0 {
		evaluations = DefaultEvaluations(p.Nodes)
	}
	f := &Portfolio{problem: p, seed: seed, budget: evaluations, frames: frames(p)}
	if p.Space != nil && f.frames[0].table != nil {
		if _, err := rounding.New(p.limitedSpace()); err != nil {
			return nil, err
		}
	}
	if p.uniform() && !rich(f.frames, p.Nodes) {
		f.relatives = relatives(p, seed, evaluations)
		f.budget = int((1 - relativePart) * float64(evaluations))
	}
	return f, nil
}

// later lists the rounds after the first: how many candidates go on, on which part of the
// budget, and how hot.
var later = []struct {
	keep       int
	part, heat float64
}{
	{keep: 12, part: 0.3, heat: 0.01},
	{keep: 6, part: 0.25, heat: 0.007},
	{keep: 2, part: 0.15, heat: 0.004},
}

const firstPart = 0.3

// Next returns the tasks of the next round, nil when the search is over.
func (p *Portfolio) Next() []Task {
	if tasks := p.relativeTasks(); tasks != nil {
		return tasks
	}
	defer func() { p.round++ }()
	if p.round == 0 {
		return p.scouts(int(firstPart * float64(p.budget)))
	}
	if p.round > len(later) {
		return nil
	}
	round := later[p.round-1]
	keep := p.pool[:min(len(p.pool), round.keep)]
	var tasks []Task
	for _, c := range keep {
		each := int(round.part * float64(p.budget) / float64(len(keep)))
		heat := round.heat
		if fewestSolves*solvePrice(c.frame, len(c.arcs)) > each {
			heat = 0 // too few exact answers to anneal by them
		}
		tasks = append(tasks, p.task(c.frame, c, each, heat, len(tasks)))
	}
	return tasks
}

// fewestSolves is how many exact answers make a refinement worthwhile.
const fewestSolves = 40

func (p *Portfolio) task(f *frame, start *Candidate, evaluations int, heat float64, index int) Task {
	return Task{Name: fmt.Sprintf("round %d, task %d (%d×%d)", p.round+1, index+1, f.orbits, f.size), Evaluations: evaluations,
		problem: p.problem, frame: f, start: start, heat: heat, stream: [2]uint64{p.seed, uint64(p.round)<<32 | uint64(index)}}
}

// natural returns how many evaluations a quench should have.
func natural(f *frame) int {
	arcs := f.budget/f.size + 1
	blocks := f.size/2 + 1
	return 4000*arcs + quenchStages*blocks*f.orbits*f.orbits*f.orbits/inverseUnit
}

// mostOrbits keeps the memory of resolvents, two matrices per block, linear in the number of nodes.
const mostOrbits = 64

// scouts returns quenches on all symmetries that the budget can afford, an equal share for
// each, and on what came from relatives.
func (p *Portfolio) scouts(budget int) []Task {
	var affordable []*frame
	for _, f := range p.frames {
		if f.orbits >= fewestOrbits(p.problem.Nodes)/2 && (f.orbits <= mostOrbits || f.nodes() <= mostFree) {
			affordable = append(affordable, f)
		}
	}
	slices.SortStableFunc(affordable, func(f, g *frame) int { return cmp.Compare(natural(f), natural(g)) })
	for len(affordable) > 1 && natural(affordable[len(affordable)-1]) > 2*budget/len(affordable) {
		affordable = affordable[:len(affordable)-1]
	}
	starts := p.transplanted()
	var tasks []Task
	for _, c := range starts {
		tasks = append(tasks, p.task(c.frame, c, budget/2/len(starts), 0, len(tasks)))
	}
	if len(starts) > 0 {
		budget /= 2
	}
	for _, f := range affordable {
		share := budget / len(affordable)
		count := max(1, min(16, share/natural(f)))
		for range count {
			tasks = append(tasks, p.task(f, nil, share/count, 0, len(tasks)))
		}
	}
	return tasks
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
