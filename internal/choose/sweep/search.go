package sweep

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/search"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// bySearch looks for the best graph on all cores: by enumeration where that is small, else by a portfolio of
// symmetric and free searches. It ends early when the bound is met: nothing better exists.
func bySearch(ctx context.Context, p design.Problem, s Settings, bound float64) (*design.Plan, error) {
	q, err := searchProblem(ctx, p)
	if err != nil {
		return nil, err
	}
	q.Symmetry = map[Method]search.Symmetry{Lift: search.OnlyLifts, Swap: search.OnlyFree}[s.Method]
	best, err := search.Run(ctx, q, search.Settings{
		Seed: s.Seed, Evaluations: s.Evaluations, Workers: s.Workers, Goal: bound, Progress: s.Progress,
		Starts: s.starts, Memory: s.memory.symmetries(),
		Shorter: s.memory == nil, // a sweep searches each budget again and again, and keeps the best itself
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ErrNoPlan
	case errors.Is(err, search.ErrNothing):
		return nil, fmt.Errorf("%w: %w", ErrNoPlan, err)
	case err != nil:
		return nil, err
	}
	plan, err := candidatePlan(ctx, p, best)
	if err == nil && best.Stop == design.Exhausted {
		plan.Notes = append(plan.Notes, "optimal: every connected graph within the limits was looked at")
	}
	return plan, err
}

// validateSearch is p.Validate that also refuses now what searchProblem could not list.
func validateSearch(p design.Problem) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if pairs := p.Cluster.CandidateCount(); !p.Cluster.PerNode() && pairs > limits.Edges {
		return fmt.Errorf("sweep: %d pairs of %d nodes may be edges; where they share more than the ports of nodes, "+
			"graphs are searched among at most %d: plan for a part of the nodes, or price a known graph (batopo topology)",
			pairs, p.Cluster.Nodes(), limits.Edges)
	}
	return nil
}

// searchProblem says a problem in the search's terms, without listing pairs where degrees say it all.
func searchProblem(ctx context.Context, p design.Problem) (search.Problem, error) {
	q := search.Problem{Nodes: p.Cluster.Nodes(), MaxEdges: p.MaxEdges, MaxDegree: p.MaxDegree, Sign: p.Sign,
		MinEigenvalue: p.MinEigenvalue}
	switch {
	case p.Cluster.Homogeneous():
	case p.Cluster.PerNode():
		a, err := feasible.On(p.Cluster).Allocate(ctx, p.MaxEdges)
		if err != nil {
			return q, err
		}
		q.Degrees = a.Edges
	default:
		space, err := feasible.Space(ctx, p)
		if err != nil {
			return q, err
		}
		q.Space = &space
	}
	return q, nil
}

// candidatePlan describes a candidate as a plan: by blocks where it is a lift, so that nothing of size n² is formed.
func candidatePlan(ctx context.Context, p design.Problem, c *search.Solution) (*design.Plan, error) {
	var plan *design.Plan
	var err error
	certificate, bound := c.Certificate, c.Bound
	switch {
	case c.Lift != nil && c.Labels == nil:
		plan, err = weightedLift(grace.Late(ctx), p, *c.Lift, c.ArcWeights)
	case c.Lift != nil && c.Graph.Nodes() <= mostRelabelled && weights.Proves(c.Graph):
		// The lift's certificate uses its own numbering, not the cluster's: prove it again on the graph.
		var r *weights.Result
		if r, err = finalWeights(grace.Late(ctx), p, c.Graph, nil); err != nil {
			return nil, err
		}
		certificate, bound = r.Certificate, r.Bound
		plan, err = weighted(grace.Late(ctx), p, c.Graph, r.Weights)
	case c.Lift != nil:
		certificate = nil
		plan, err = relabelled(grace.Late(ctx), p, c)
	default:
		plan, err = weighted(grace.Late(ctx), p, c.Graph, c.Weights)
	}
	if err != nil {
		return nil, err
	}
	plan.Stop = c.Stop
	plan.Notes = append(plan.Notes, "found as "+c.Method)
	if certificate != nil {
		plan.WeightsBound = &design.WeightBound{RAsym: bound, Certificate: certificate}
	}
	return plan, nil
}

// relabelled describes a lift whose nodes have other numbers on the cluster: its eigenvalues are those of its blocks.
func relabelled(ctx context.Context, p design.Problem, c *search.Solution) (*design.Plan, error) {
	w, err := mixing.FromEdges(c.Graph, c.Weights)
	if err != nil {
		return nil, err
	}
	plan, err := design.NewPlan(ctx, p.Cluster, w, liftSpectrum(*c.Lift, c.ArcWeights))
	if err != nil {
		return nil, err
	}
	return asked(plan, p), nil
}

// mostRelabelled is how many nodes a dense weight solve takes seconds for.
const mostRelabelled = 256

// liftSpectrum computes all eigenvalues by blocks.
func liftSpectrum(l topology.Lift, weights []float64) mixing.Spectrum {
	all := make([]float64, l.Nodes())
	spectral.NewLiftSpectrum(l.Orbits, l.Size).All(all, l, weights)
	// Ascending; the last is the 1 of the all-ones vector, since no weight can bring another above it.
	return mixing.SymmetricSpectrum(l.Nodes(), all[:len(all)-1])
}
