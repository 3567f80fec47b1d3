package sweep

import (
	"context"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/placement"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// PlacedBaselines is Baselines with every topology in the best order of the nodes that was found, so that none loses
// for being numbered badly. Where not every pair may talk it adds what such networks are used with today: all links
// with Metropolis weights, and the spanning tree of the quickest links.
func PlacedBaselines(ctx context.Context, c *cluster.Cluster, seed uint64) ([]Row, []Skipped) {
	return (&pricing{c: c, seed: seed, places: true}).baselines(ctx)
}

// placed returns rounds with the nodes in the best order found, and says how many orders were tried.
func (g *pricing) placed(ctx context.Context, rounds []*mixing.Matrix) ([]*mixing.Matrix, string, error) {
	if !g.places || g.c.Homogeneous() {
		return rounds, "", nil
	}
	best := placement.Best(ctx, g.c, rounds, g.seed)
	if err := best.Err(); err != nil {
		return nil, "", err
	}
	out := make([]*mixing.Matrix, len(rounds))
	for t, w := range rounds {
		var err error
		if out[t], err = placement.Placed(w, best.Order); err != nil {
			return nil, "", err
		}
	}
	return out, best.Note(), nil
}

// An ownTopology is made of the links that a network has.
type ownTopology struct {
	name  string
	edges func() []topology.Edge
}

// sparse reports whether topologies of the network's own links are priced: not every pair may talk.
func (g *pricing) sparse() bool {
	return g.places && g.c.CandidateCount() < topology.Pairs(g.c.Nodes())
}

// ownTopologies lists what sparse networks are used with.
func (g *pricing) ownTopologies() []ownTopology {
	if !g.sparse() {
		return nil
	}
	tree := func() []topology.Edge { return placement.SpanningTree(g.c) }
	return []ownTopology{{"all links", g.c.Candidates}, {"spanning tree", tree}}
}

func (g *pricing) ownRow(ctx context.Context, own ownTopology) (Row, error) {
	graph, err := topology.New(g.c.Nodes(), own.edges())
	if err != nil {
		return Row{}, err
	}
	w, err := mixing.Metropolis(graph)
	if err != nil {
		return Row{}, err
	}
	p, err := Describe(ctx, g.c, w)
	return noted(own.name, p, err, "Metropolis weights")
}

// noted is the row of a plan with a remark, unless there is none.
func noted(name string, p *design.Plan, err error, note string) (Row, error) {
	if err != nil {
		return Row{}, err
	}
	row := PlanRow(name, p)
	row.Note = joined(row.Note, note)
	return row, nil
}

// joined puts two remarks into one.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
