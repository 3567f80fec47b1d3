package planner

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"batopo/design"
	"batopo/mixing"
	"batopo/search"
	"batopo/spectral"
	"batopo/topology"
)

// bySearch runs a portfolio of searches on all cores and gives the best graph optimal weights. It ends
// early when the bound is met: nothing better exists.
func bySearch(ctx context.Context, p design.Problem, s Settings, bound float64) (*design.Plan, error) {
	q, err := searchProblem(p)
	if err != nil {
		return nil, err
	}
	if p.Cluster.Homogeneous() && s.Method == Auto && q.Nodes <= search.ExhaustiveNodes {
		return byEnumeration(ctx, p, q, s)
	}
	portfolio, err := search.NewPortfolio(q, s.Seed, s.Evaluations)
	if err != nil {
		return nil, err
	}
	for tasks := portfolio.Next(); len(tasks) > 0 && ctx.Err() == nil; tasks = portfolio.Next() {
		results, err := runTasks(ctx, tasks, s.Progress)
		if err != nil {
			return nil, err
		}
		portfolio.Merge(results)
		if c := portfolio.Best(); c != nil && c.Value(q) <= bound*(1+searchAccuracy) {
			break
		}
	}
	best := portfolio.Best()
	switch {
	case best == nil && ctx.Err() != nil:
		return nil, ErrNoPlan
	case best == nil:
		return nil, fmt.Errorf("%w: the evaluations met no connected graph within the limits; allow more of them", ErrNoPlan)
	}
	if s.Progress != nil {
		s.Progress(design.Progress{Phase: design.Polishing, Feasible: true, Best: best.Value(q)})
	}
	// Polishing is short; a cancelled search still deserves its best weights and their proof.
	polished, err := search.Polish(context.WithoutCancel(ctx), q, best)
	if err != nil {
		return nil, err
	}
	return candidatePlan(p, polished)
}

// byEnumeration looks at every graph within the limits: the plan is the optimum.
func byEnumeration(ctx context.Context, p design.Problem, q search.Problem, s Settings) (*design.Plan, error) {
	best, err := search.Exhaust(ctx, q, s.Progress)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ErrNoPlan
	case err != nil:
		return nil, err
	}
	plan, err := candidatePlan(p, best)
	if err == nil && best.Stop == design.Exhausted {
		plan.Notes = append(plan.Notes, "optimal: every connected graph within the limits was looked at")
	}
	return plan, err
}

// searchAccuracy is how far above its true value a search may leave a graph before it is polished.
const searchAccuracy = 2e-5

// searchProblem says a problem in the search's terms, without listing pairs where degrees say it all.
func searchProblem(p design.Problem) (search.Problem, error) {
	q := search.Problem{Nodes: p.Cluster.Nodes(), MaxEdges: p.MaxEdges, MaxDegree: p.MaxDegree, Setting: p.Setting, MinEigenvalue: p.MinEigenvalue}
	switch {
	case p.Cluster.Homogeneous():
	case p.Cluster.PerNode():
		a, err := p.Cluster.Allocate(p.MaxEdges)
		if err != nil {
			return q, err
		}
		q.Degrees = a.Edges
	default:
		space, err := p.Space()
		if err != nil {
			return q, err
		}
		q.Space = &space
	}
	return q, nil
}

// runTasks runs the tasks of a round on all cores; results are in the order of the tasks.
func runTasks(ctx context.Context, tasks []search.Task, report func(design.Progress)) ([]*search.Candidate, error) {
	results, errs := make([]*search.Candidate, len(tasks)), make([]error, len(tasks))
	var group sync.WaitGroup
	var lock sync.Mutex // progress is called by one goroutine at a time
	done, best := 0, 0.0
	tokens := make(chan struct{}, runtime.GOMAXPROCS(0))
	for k, task := range tasks {
		tokens <- struct{}{}
		group.Go(func() {
			defer func() { <-tokens }()
			results[k], errs[k] = task.Run(ctx, nil)
			lock.Lock()
			defer lock.Unlock()
			done++
			if c := results[k]; c != nil && (best == 0 || c.RAsym < best) {
				best = c.RAsym
			}
			if report != nil {
				report(design.Progress{Phase: design.Searching, Iteration: done, Limit: len(tasks), Feasible: best > 0, Best: best})
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// candidatePlan describes a candidate as a plan, by blocks where it is a lift, so that nothing of size n² is formed.
func candidatePlan(p design.Problem, c *search.Candidate) (*design.Plan, error) {
	asLift := c.Lift != nil && c.Labels == nil
	var plan *design.Plan
	var err error
	if asLift {
		plan, err = liftPlan(p, c)
	} else {
		plan, err = weighted(p, c.Graph, c.Weights)
	}
	if err != nil {
		return nil, err
	}
	plan.Stop = c.Stop
	plan.Notes = append(plan.Notes, "found as "+c.Method)
	if c.Certificate != nil && (asLift || c.Lift == nil) {
		plan.WeightsBound = &design.WeightBound{RAsym: c.Bound, Certificate: c.Certificate}
	}
	return plan, nil
}

// liftPlan describes a symmetric candidate; arcs without weight are left out.
func liftPlan(p design.Problem, c *search.Candidate) (*design.Plan, error) {
	l := topology.Lift{Orbits: c.Lift.Orbits, Size: c.Lift.Size}
	var used []float64
	for k, arc := range c.Lift.Arcs {
		if c.ArcWeights[k] != 0 {
			l.Arcs, used = append(l.Arcs, arc), append(used, c.ArcWeights[k])
		}
	}
	g, arcOf := l.Graph()
	edgeWeights := make([]float64, len(arcOf))
	for k, a := range arcOf {
		edgeWeights[k] = used[a]
	}
	w, err := mixing.FromEdges(g, edgeWeights)
	if err != nil {
		return nil, err
	}
	plan, err := design.NewPlan(p.Cluster, w, liftSpectrum(l, used))
	if err != nil {
		return nil, err
	}
	plan.Lift = &l
	return asked(plan, p), nil
}

// liftSpectrum computes all eigenvalues by blocks.
func liftSpectrum(l topology.Lift, weights []float64) mixing.Spectrum {
	all := make([]float64, l.Nodes())
	spectral.NewLiftSpectrum(l.Orbits, l.Size).All(all, l, weights)
	// Ascending; the last is the 1 of the all-ones vector, since no weight can bring another above it.
	return mixing.SymmetricSpectrum(l.Nodes(), all[:len(all)-1])
}
