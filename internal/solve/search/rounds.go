package search

import (
	"cmp"
	"fmt"
	"slices"
)

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
		add(part(f), func(all int) []Task { return p.goOn(p.pool[:min(len(p.pool), keep)], all, frames) })
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
	if p.nearTree() {
		add(0, func(int) []Task { return p.trees() })
		refine(nearKeep, nearPart, []*frame{p.free()})
	}
}

// goOn returns tasks that go on from candidates, in their own frames or in those given of the same size.
func (p *Portfolio) goOn(from []*Solution, budget int, frames []*frame) []Task {
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

func (p *Portfolio) task(f *frame, start *Solution, evaluations int, heat float64, index int) Task {
	return Task{Name: fmt.Sprintf("round %d, task %d (%d×%d)", p.round+1, index+1, f.orbits, f.size),
		Evaluations: evaluations,
		problem:     p.problem, rounder: p.rounder, frame: f, start: start, heat: heat,
		stream: [2]uint64{p.seed, uint64(p.stream)<<32 | uint64(index)}}
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
func (p *Portfolio) scouts(starts []*Solution, frames []*frame, budget int) []Task {
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
