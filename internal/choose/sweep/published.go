package sweep

import (
	"context"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/solve/placement"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A published method is one of the literature that knows how fast links are.
type published struct {
	name string
	row  func(g *pricing, ctx context.Context) (Row, error)
}

// What the papers leave to the user: rounds after which parts are joined, rounds drawn, and MATCHA's budget, for which
// its authors recommend about one half.
const (
	joinAfter     = 16
	drawnRounds   = 64
	matchaBudget  = 0.5
	mostPublished = 256 // nodes
)

// allPublished lists the methods that BA-Topo's setting is compared with; package mixing says how each is defined.
var allPublished = []published{
	{"SAPS and GossipFL matchings", (*pricing).thresholdRow},
	{"MATCHA", (*pricing).matchaRow},
	{"NetMax", (*pricing).netMaxRow},
	{"Marfoq ring", (*pricing).throughputRing},
	{"Marfoq tree", (*pricing).throughputTree},
	{"Marfoq δ-MBST", (*pricing).bottleneckTree},
}

// Contenders searches schedules on a cluster and prices them beside the published methods that know how fast links
// are. What is not possible, and what ctx left no time for, is listed as skipped.
func Contenders(ctx context.Context, c *cluster.Cluster, seed uint64) ([]Row, []Skipped) {
	g := &pricing{c: c, seed: seed, places: true}
	var list priceList
	for _, s := range searchedSchedules {
		list.add(ctx, s.name, func() (Row, error) { return g.searchedRow(ctx, s) })
	}
	for _, r := range allPublished {
		list.add(ctx, r.name, func() (Row, error) { return g.publishedRow(ctx, r) })
	}
	return list.rows, list.skipped
}

// alone is how long a message takes between two nodes when nobody else talks: what published methods measure.
func (g *pricing) alone(i, j int) float64 { return placement.Alone(g.c, i, j) }

func (g *pricing) publishedRow(ctx context.Context, r published) (Row, error) {
	if g.c.Nodes() > mostPublished {
		return Row{}, limits.Refuse("all pairs are measured; not priced for more than %d nodes", mostPublished)
	}
	return r.row(g, ctx)
}

// scheduled prices a schedule under its own name.
func (g *pricing) scheduled(ctx context.Context, name string, s *mixing.Schedule) (Row, error) {
	p, err := design.NewSchedulePlan(ctx, g.c, s)
	return noted(name, p, err, s.Note)
}

func (g *pricing) thresholdRow(ctx context.Context) (Row, error) {
	message := g.c.Model().MessageMB
	gbs := func(e topology.Edge) float64 { return message / g.alone(e.I, e.J) }
	s, err := mixing.ThresholdMatchings(g.c.Nodes(), g.c.Candidates(), gbs, joinAfter, drawnRounds, g.seed)
	if err != nil {
		return Row{}, err
	}
	return g.scheduled(ctx, "SAPS and GossipFL matchings", s)
}

// matchaRow takes the links of the network as MATCHA's graph, or the exponential graph where all pairs may talk: its
// authors begin with a sparse graph.
func (g *pricing) matchaRow(ctx context.Context) (Row, error) {
	n := g.c.Nodes()
	graph, err := topology.New(n, g.c.Candidates())
	if err != nil {
		return Row{}, err
	}
	if len(graph.Edges()) == topology.Pairs(n) {
		sparse, err := mixing.Exponential(n)
		if err != nil {
			return Row{}, err
		}
		graph = sparse.Graph()
	}
	slowest := func(m []topology.Edge) (ms float64) {
		for _, e := range m {
			ms = max(ms, g.alone(e.I, e.J))
		}
		return ms
	}
	s, err := mixing.Matcha(graph, slowest, matchaBudget, drawnRounds, g.seed)
	if err != nil {
		return Row{}, err
	}
	return g.scheduled(ctx, "MATCHA", s.Schedule)
}

// netMaxRow is what its authors predict: nodes ask at their own pace and links do not disturb each other, so there are
// no rounds that a plan could list.
func (g *pricing) netMaxRow(context.Context) (Row, error) {
	n, model := g.c.Nodes(), g.c.Model()
	p, err := mixing.NetMax(n, g.delay)
	if err != nil {
		return Row{}, err
	}
	ms := p.TimeMS(float64(n-1) / (model.TargetError * model.TargetError))
	questions := int(math.Ceil(ms / p.StepMS))
	return Row{
		Name: "NetMax", Kind: Scheduled, Edges: g.c.CandidateCount(), MaxDegree: 1, CommunicationMS: p.StepMS,
		Iterations: &questions, TimeMS: &ms,
		Note: "as its authors predict: nodes ask one by one, links alone; keeps the mean only in expectation",
	}, nil
}

func (g *pricing) throughputRing(ctx context.Context) (Row, error) {
	w, err := mixing.ThroughputRing(g.c.Nodes(), g.delay)
	if err != nil {
		return Row{}, err
	}
	p, err := Describe(ctx, g.c, w)
	return noted("Marfoq ring", p, err, "Christofides' tour by delays")
}

// delay is alone, infinite where there is no route.
func (g *pricing) delay(i, j int) float64 {
	if ms := g.alone(i, j); ms < placement.Never {
		return ms
	}
	return math.Inf(1)
}

func (g *pricing) throughputTree(ctx context.Context) (Row, error) {
	delay := func(e topology.Edge) float64 { return g.alone(e.I, e.J) }
	tree, err := mixing.ThroughputTree(g.c.Nodes(), g.c.Candidates(), delay)
	if err != nil {
		return Row{}, err
	}
	return g.freelyWeighted(ctx, "Marfoq tree", tree, "minimum spanning tree by delays")
}

// bottleneckTree takes the tree whose round is shortest on the cluster.
func (g *pricing) bottleneckTree(ctx context.Context) (Row, error) {
	trees, err := mixing.BottleneckTrees(g.c.Nodes(), g.delay)
	if err != nil {
		return Row{}, err
	}
	var best *topology.Graph
	least := math.Inf(1)
	for _, tree := range trees {
		w, err := mixing.Metropolis(tree) // what a round costs does not depend on weights
		if err != nil {
			return Row{}, err
		}
		round, err := cost.Gossip(g.c, w)
		if err != nil {
			return Row{}, err
		}
		if round.CommunicationMS < least*(1-1e-9) {
			best, least = tree, round.CommunicationMS
		}
	}
	return g.freelyWeighted(ctx, "Marfoq δ-MBST", best, "tree of bounded degree by delays")
}

// freelyWeighted prices a graph with the weights of least r_asym, negative ones allowed.
func (g *pricing) freelyWeighted(ctx context.Context, name string, graph *topology.Graph, note string) (Row, error) {
	p, err := BestWeights(ctx, design.Problem{Cluster: g.c, Sign: design.Free}, graph, nil)
	return noted(name, p, err, note)
}
