package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// BestWeights answers the smallest problem: the graph is given, only the weights are free. Limits on edges and degrees
// do not apply. The plan's bound is its certificate.
func BestWeights(
	ctx context.Context, p design.Problem, g *topology.Graph, progress func(design.Progress),
) (*design.Plan, error) {
	p = p.WithDefaults()
	if err := validateWeights(p, g); err != nil {
		return nil, err
	}
	return withoutIdleLimit(p, func(p design.Problem) (*design.Plan, error) {
		return bestWeights(ctx, p, g, progress)
	})
}

// validateWeights checks a question about the weights of a graph.
func validateWeights(p design.Problem, g *topology.Graph) error {
	if p.Cluster == nil || g == nil {
		return errors.New("best weights need a cluster and a graph")
	}
	n := p.Cluster.Nodes()
	p.MaxEdges, p.MaxDegree = n-1, 0
	if err := p.Validate(); err != nil {
		return err
	}
	if g.Nodes() != n {
		return fmt.Errorf("the graph has %d nodes, the cluster %d; they must be the same", g.Nodes(), n)
	}
	if parts, of := g.Components(); parts > 1 {
		return fmt.Errorf("the graph falls into %d parts (nodes 0 and %d never meet); "+
			"add edges until it is connected", parts, slices.Index(of, 1))
	}
	return nil
}

func bestWeights(
	ctx context.Context, p design.Problem, g *topology.Graph, progress func(design.Progress),
) (*design.Plan, error) {
	r, err := finalWeights(ctx, p, g, progress)
	if err != nil {
		return nil, err
	}
	plan, err := weighted(grace.Late(ctx), p, g, r.Weights)
	if err != nil {
		return nil, err
	}
	plan.Method, plan.Stop = "weights", r.Stop
	plan.MaxEdges, plan.DegreeLimit, plan.Objective = 0, 0, "" // no budget was asked for: the edges were given
	if dropped := len(g.Edges()) - len(plan.Edges()); dropped > 0 {
		plan.Notes = append(plan.Notes,
			fmt.Sprintf("left out, because their best weight is 0: %d of the %d edges", dropped, len(g.Edges())))
	}
	certify(plan, r)
	if !weights.Proves(g) {
		plan.Notes = append(plan.Notes, fmt.Sprintf("equal weights, or by degree, scaled to their best: %d nodes and "+
			"%d edges are too many to find the best weights, and nothing is proved about others", g.Nodes(), len(g.Edges())))
	}
	if r.Certificate != nil {
		plan.SetBound(&design.Bound{
			RAsym: r.Bound, Kind: design.CertificateBound, Detail: "no weights on these edges do better",
		})
	}
	return plan, nil
}

// finalWeights gives a graph the weights that a plan for the problem is written with.
func finalWeights(
	ctx context.Context, p design.Problem, g *topology.Graph, progress func(design.Progress),
) (*weights.Result, error) {
	return weights.Solve(ctx, g, weights.Settings{Sign: p.Sign, MinEigenvalue: p.MinEigenvalue, Progress: progress})
}

// certify records what a weight solve proved about the plan's edges.
func certify(plan *design.Plan, r *weights.Result) {
	if r.Certificate != nil {
		plan.WeightsBound = &design.WeightBound{RAsym: r.Bound, Certificate: r.Certificate}
	}
}

// weighted describes a graph with one weight per edge as a plan; edges of weight 0 are left out.
func weighted(ctx context.Context, p design.Problem, g *topology.Graph, weight []float64) (*design.Plan, error) {
	var edges []topology.Edge
	var used []float64
	for k, e := range g.Edges() {
		if weight[k] != 0 {
			edges, used = append(edges, e), append(used, weight[k])
		}
	}
	kept, err := topology.New(g.Nodes(), edges)
	if err != nil {
		return nil, err
	}
	w, err := mixing.FromEdges(kept, used)
	if err != nil {
		return nil, err
	}
	plan, err := Describe(ctx, p.Cluster, w)
	if err != nil {
		return nil, err
	}
	return asked(plan, p), nil
}

// asked copies the question into the plan.
func asked(plan *design.Plan, p design.Problem) *design.Plan {
	plan.Sign, plan.Purpose, plan.MinEigenvalue = p.Sign, p.Purpose, p.MinEigenvalue
	plan.MaxEdges, plan.DegreeLimit, plan.Objective = p.MaxEdges, p.MaxDegree, p.Objective
	return plan
}
