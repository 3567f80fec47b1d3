package admm

import (
	"context"
	"fmt"
	"slices"

	"github.com/batopo/batopo/design"
)

// A literal run is Algorithm 2 line by line, for readers of the paper:
//
//   - one start: x⁰ holds the weights of a graph annealed for a short average path (the best constant) and its λ̃, z⁰
//     its edges; the paper does not say whether annealing may crowd edges at a node, so it may ([Annealed]) or may
//     not ([Bounded]); S⁰, y⁰, T⁰, ν⁰ follow from them by the equations, the copies Y⁰ and the multipliers D⁰ are 0;
//   - ρ is constant, and the linear system may be solved as printed ([Printed]) or by formulas: the iterates are the
//     same up to rounding, but a run that does not settle magnifies that and may end elsewhere;
//   - the loop ends when ‖X − Y‖² ≤ ε, the printed rule, or after Settings.Iterations steps;
//     the paper has no such limit;
//   - the plan is x₁ (and z₁) at that moment: no plan from earlier steps, no other weights.
//
// Two things the paper does not say have to be done. Where x₁ leaves a self weight below 0, because it is only within
// ε, all weights are lowered by the same factor. Where the r largest entries break M z = e or leave the graph in
// parts, package rounding repairs them, and Run.Dropped and Run.Added say by how many edges.
func (r *runner) literal(ctx context.Context) {
	if r.report.Stop = stopped(ctx); r.report.Stop != "" {
		return
	}
	b := r.begin(ctx)
	r.report.PathLength = b.pathLength
	it, err := r.newIteration(r.problem)
	if err == nil {
		it.begin(r.settings.rho(r.problem, r.index), 1-b.first.rAsym, b.weights, selection(b.first.chosen))
		clear(it.y.all)
		r.report.RhoFirst = it.rho
		r.report.Stop, err = r.repeat(ctx, it)
		r.report.RhoLast, r.report.Residual, r.report.Linear = it.rho, it.gap(), it.linear()
	}
	if err != nil {
		r.report.Stop, r.report.Err = design.Breakdown, err
		return
	}
	if r.report.Iterations == 0 {
		return // nothing was projected yet, so there is no x₁
	}
	c := r.determine(it)
	r.report.RAsym = c.rAsym
	r.short.offer(c)
	r.progress.best(&c)
}

// gap is what the printed rule compares with ε: ‖x − x₁‖² + ‖S − S₁‖² + ….
func (it *iteration) gap() float64 {
	d := distance(it.x, it.y)
	return d * d
}

// repeat is the while loop of Algorithm 2.
func (r *runner) repeat(ctx context.Context, it *iteration) (design.Stop, error) {
	for it.gap() > r.settings.Tolerance {
		if stop := stopped(ctx); stop != "" {
			return stop, nil
		}
		if r.report.Iterations == r.settings.Iterations {
			return design.BudgetSpent, nil
		}
		if err := it.step(); err != nil {
			return design.Breakdown, err
		}
		r.report.Iterations++
		r.trace(it, func() float64 { return r.determine(it).rAsym })
		it.rho *= r.settings.Growth
		if r.report.Iterations%checkEvery == 0 {
			primal, dual := it.residuals()
			r.progress.advance(design.Relaxing, primal, dual, checkEvery)
		}
	}
	return design.Converged, nil
}

// determine reads the plan from Y: the edges of z₁, or those with a weight in x₁, with the weights of x₁.
func (r *runner) determine(it *iteration) candidate {
	chosen := make([]bool, r.problem.m)
	for k := range chosen {
		chosen[k] = it.y.g[k] > 0
		if r.problem.selecting {
			chosen[k] = it.y.z[k] > 0
		}
	}
	if r.space.Check(chosen) == nil {
		g := slices.Clone(it.y.g)
		for k, in := range chosen {
			if !in {
				g[k] = 0
			}
		}
		if rAsym := r.appraiser.lower(g); rAsym < 1 {
			return candidate{chosen, g, rAsym}
		}
	}
	score := make([]float64, r.problem.m)
	it.score(score)
	repaired := r.rounder.Round(score).Chosen()
	r.report.Added, r.report.Dropped = 0, 0
	for k, in := range repaired {
		switch {
		case in && !chosen[k]:
			r.report.Added++
		case !in && chosen[k]:
			r.report.Dropped++
		}
	}
	return r.appraiser.appraise(repaired, it.y.g)
}

// literalNotes tells people what a literal run did.
func (s *solver) literalNotes(win Run, runs int) []string {
	step := "Bi-CGSTAB with ILU"
	if s.settings.Method == ClosedForm {
		step = "formulas"
	}
	notes := []string{
		fmt.Sprintf("Algorithm 2 as printed, best of %d starts (%s), linear step by %s", runs, s.settings.Start, step),
		fmt.Sprintf("ρ %.3g, %d steps (%s), ‖X − Y‖² %.2g, start of average shortest path %.4g", win.RhoFirst,
			win.Iterations, win.Stop, win.Residual, win.PathLength),
	}
	if win.Dropped+win.Added > 0 {
		notes = append(notes, fmt.Sprintf("the printed rounding broke M z = e or another limit, or left the graph in parts: "+
			"edges dropped: %d, added: %d", win.Dropped, win.Added))
	}
	return notes
}
