package admm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/internal/ground/workers"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A solver is what all runs of one solve share.
type solver struct {
	settings Settings
	space    design.Space
	problem  *problem
	rounder  *feasible.Rounder
	first    *feasible.Rounder // of the start graph
	progress *progress
}

// Solve chooses edges of the space and weights for them. The error comes from [design.Space.Validate], from the
// settings, or from [feasible.New] when no choice is feasible; [ErrNoPlan] when ctx was done before there was a plan.
// Once there is one, cancelling is not an error: the best plan so far is returned with Stop Interrupted or TimeLimit.
//
// The same space and settings give the same result, however many workers there are.
func Solve(ctx context.Context, space design.Space, settings Settings) (*Result, error) {
	if err := space.Validate(); err != nil {
		return nil, err
	}
	if err := settings.validate(space); err != nil {
		return nil, err
	}
	s := &solver{settings: settings.withDefaults(space), space: space}
	err := s.addRounders(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("%w: %w", ErrNoPlan, ctx.Err())
	case err != nil:
		return nil, err
	}
	if s.problem, err = newProblem(space); err != nil {
		return nil, err
	}
	s.problem.alpha, s.problem.sparse = s.settings.Alpha, s.settings.SparseWeights
	s.progress = newProgress(s.settings.Progress, s.problem, s.settings.Starts*s.settings.Iterations)
	return s.merge(ctx, s.runAll(ctx))
}

// addRounders decides whether there is a feasible plan, and a feasible start.
func (s *solver) addRounders(ctx context.Context) (err error) {
	if s.rounder, err = feasible.New(ctx, s.space); err != nil {
		return err
	}
	if s.first = s.rounder; s.settings.Start != Bounded {
		return nil
	}
	if s.first, err = feasible.New(ctx, boundedSpace(s.space)); err != nil {
		return fmt.Errorf("admm: no start with an even share of the edges at every node: %w", err)
	}
	return nil
}

// runAll performs the runs.
func (s *solver) runAll(ctx context.Context) []*runner {
	runs := make([]*runner, s.settings.Starts)
	workers.Each(s.settings.Workers, len(runs), func(i int) {
		runs[i] = s.newRunner(i)
		if s.settings.Literal {
			runs[i].literal(ctx)
		} else {
			runs[i].run(ctx)
		}
	})
	return runs
}

// merge picks the best run, the first of equals, and writes its plan down.
func (s *solver) merge(ctx context.Context, runs []*runner) (*Result, error) {
	res := &Result{Winner: -1}
	for i, r := range runs {
		res.Runs = append(res.Runs, r.report)
		res.Iterations += r.report.Iterations + r.report.PolishIterations
		if len(r.short.list) > 0 && (res.Winner < 0 || r.report.RAsym < res.Runs[res.Winner].RAsym) {
			res.Winner = i
		}
	}
	if res.Winner < 0 {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoPlan, err)
		}
		return nil, ErrNoPlan
	}
	if err := s.writePlan(res, runs[res.Winner].short.list[0]); err != nil {
		return nil, err
	}
	res.Stop = res.Runs[res.Winner].Stop
	if stop := stopped(ctx); stop != "" {
		res.Stop = stop
	}
	res.Notes = s.notes(res)
	return res, nil
}

// writePlan builds W and recomputes from it everything that is claimed.
func (s *solver) writePlan(res *Result, c candidate) error {
	res.Chosen = c.chosen
	s.dropIdle(res.Chosen, c.weights)
	var edges []topology.Edge
	for k, in := range res.Chosen {
		if in {
			edges = append(edges, s.space.Candidates[k])
			res.Weights = append(res.Weights, c.weights[k])
		}
	}
	if err := s.space.Check(res.Chosen); err != nil {
		return fmt.Errorf("admm: the plan breaks a rule it was built to keep: %w", err)
	}
	var err error
	if res.Graph, err = topology.New(s.space.Nodes, edges); err != nil {
		return err
	}
	if res.Mixing, err = mixing.FromEdges(res.Graph, res.Weights); err != nil {
		return err
	}
	values, ok := spectral.NewEigen(s.space.Nodes).Values(res.Mixing.Sym())
	if !ok {
		return errEigen
	}
	n := len(values)
	res.LambdaN, res.Lambda2 = values[0], values[n-2]
	res.RAsym = max(math.Abs(res.LambdaN), math.Abs(res.Lambda2))
	exact := s.space
	exact.Exact = true
	res.Met = exact.Check(res.Chosen) == nil
	return nil
}

// dropIdle takes out edges of weight zero, which carry nothing, unless the limits or the graph need them.
func (s *solver) dropIdle(chosen []bool, weights []float64) {
	if s.space.Exact {
		return
	}
	used := slices.Clone(chosen)
	for k := range used {
		used[k] = used[k] && weights[k] != 0
	}
	if s.space.Check(used) == nil {
		copy(chosen, used)
	}
}

// notes tells people how the plan came about.
func (s *solver) notes(res *Result) []string {
	win := res.Runs[res.Winner]
	if s.settings.Literal {
		return append(s.literalNotes(win, len(res.Runs)), s.failures(res)...)
	}
	notes := []string{
		fmt.Sprintf("method %s, start %s, run %d of %d", s.settings.Method, s.settings.Start, res.Winner+1,
			len(res.Runs)),
		fmt.Sprintf("ρ from %.3g to %.3g in %d iterations (%s), %d different supports rounded", win.RhoFirst,
			win.RhoLast, win.Iterations, win.Stop, win.Rounded),
	}
	if win.PathLength > 0 {
		notes = append(notes, fmt.Sprintf("warm start: average shortest path %.4g", win.PathLength))
	}
	if k := len(win.Polish); k > 0 {
		last := win.Polish[k-1]
		notes = append(notes, fmt.Sprintf("weights: %d iterations (%s), relative residuals %.1e and %.1e",
			last.Iteration, win.PolishStop, last.Primal, last.Dual))
	}
	return append(notes, s.failures(res)...)
}

func (s *solver) failures(res *Result) (notes []string) {
	for i, r := range res.Runs {
		if r.Err != nil {
			notes = append(notes, fmt.Sprintf("run %d stopped before its end", i+1))
		}
	}
	return notes
}
