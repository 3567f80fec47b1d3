package design

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// mostAveraged limits the nodes of matrices in which everybody depends on everybody.
const mostAveraged = 1 << 10

// Averages returns the matrices that a period of rounds applies to the nodes' values, and what the rounds cost. For a
// plan that is [Plan.Plain] these are its own matrices. A collective gives every node the mean of all. Hierarchical
// averaging gives every node of a group the same mix of the means of groups.
func (p *Plan) Averages() (*mixing.Schedule, error) {
	groups, rounds := [][]int{nil}, []*mixing.Matrix{nil}
	switch {
	case p.Kind == CollectiveKind:
		for i := range p.Nodes {
			groups[0] = append(groups[0], i)
		}
	case p.Inside != nil:
		var err error
		if rounds, err = p.Between(); err != nil {
			return nil, err
		}
		groups = p.Inside.Groups
	default:
		return p.Schedule()
	}
	if p.Nodes > mostAveraged {
		return nil, limits.Refuse("averages all of a group; matrices of that kind are made for at most %d nodes, not %d",
			mostAveraged, p.Nodes)
	}
	s := &mixing.Schedule{Name: p.Method, RoundMS: p.RoundMS}
	for _, between := range rounds {
		w, err := spread(p.Nodes, groups, between)
		if err != nil {
			return nil, err
		}
		s.Rounds = append(s.Rounds, w)
	}
	return s, nil
}

// spread is the matrix between nodes where every group first averages exactly; between is nil where there is one group.
func spread(nodes int, groups [][]int, between *mixing.Matrix) (*mixing.Matrix, error) {
	var arcs []mixing.Arc
	add := func(to, from int, weight float64) {
		for _, i := range groups[to] {
			for _, j := range groups[from] {
				if i != j {
					arcs = append(arcs, mixing.Arc{From: j, To: i, Weight: weight / float64(len(groups[0]))})
				}
			}
		}
	}
	for g := range groups {
		if between == nil {
			add(g, g, 1)
			continue
		}
		add(g, g, between.Self()[g])
		from, weight := between.Row(g)
		for k, h := range from {
			add(g, h, weight[k])
		}
	}
	return mixing.FromArcs(nodes, arcs)
}

// On describes the same rounds on another cluster, used in training as before.
func (p *Plan) On(ctx context.Context, c *cluster.Cluster) (*Plan, error) {
	out, err := p.roundsOn(ctx, c)
	if err != nil {
		return nil, err
	}
	out.Every, out.Order, out.Overlap, out.Clocks = p.Every, p.Order, p.Overlap, p.Clocks
	if p.Inside != nil {
		out.Inside = p.Inside
	}
	if len(out.clocksSet()) > 0 {
		err = out.setCosts(c)
	}
	out.Seal()
	return out, err
}

func (p *Plan) roundsOn(ctx context.Context, c *cluster.Cluster) (*Plan, error) {
	if p.Kind == CollectiveKind {
		return newExact(c, p.Inside, p.Collective)
	}
	rounds, err := p.Between()
	if err != nil {
		return nil, err
	}
	s := &mixing.Schedule{Name: p.Method, Rounds: rounds}
	if p.Inside != nil {
		return NewTwoLevelPlan(ctx, c, p.Inside.Groups, s)
	}
	return NewSchedulePlan(ctx, c, s)
}

// RoundCosts prices every round of a period on a cluster, which need not be the plan's own.
func (p *Plan) RoundCosts(c *cluster.Cluster) ([]cluster.Round, error) {
	forms, err := p.forms(c)
	if err != nil {
		return nil, err
	}
	if c, err = p.onWire(c); err != nil {
		return nil, err
	}
	return cost.Rounds(c, forms)
}

// setCosts says what the rounds cost on a cluster.
func (p *Plan) setCosts(c *cluster.Cluster) error {
	costs, err := p.RoundCosts(c)
	if err != nil {
		return err
	}
	forms, err := p.forms(c)
	if err != nil {
		return err
	}
	p.RoundMS, p.MinEdgeGBs = nil, 0
	if p.InSteps() {
		p.MaxDegree = 0
	}
	for t, r := range costs {
		p.RoundMS = append(p.RoundMS, r.CommunicationMS)
		if forms[t].Steps != nil {
			p.MaxDegree = max(p.MaxDegree, forms[t].Steps.MaxDegree())
		}
		if r.MinEdgeGBs > 0 && (p.MinEdgeGBs == 0 || r.MinEdgeGBs < p.MinEdgeGBs) {
			p.MinEdgeGBs = r.MinEdgeGBs
		}
	}
	p.CommunicationMS, p.TimeMS = slices.Max(p.RoundMS), TimeOfRounds(p.RoundMS, p.Iterations)
	return nil
}

// Period prices the rounds of the plan on a cluster for messages of any size.
func (p *Plan) Period(c *cluster.Cluster) (*cost.Period, error) {
	forms, err := p.forms(c)
	if err != nil {
		return nil, err
	}
	return cost.NewPeriod(c, forms)
}

// Process returns what the plan's nodes do on a cluster in training, with its clocks; of phases the last.
func (p *Plan) Process(c *cluster.Cluster) (*cost.Process, error) {
	forms, err := p.forms(c)
	if err != nil {
		return nil, err
	}
	onWire, err := p.onWire(c)
	if err != nil {
		return nil, err
	}
	if p.Synchronous() {
		return p.inBuckets(c)
	}
	process, err := cost.NewProcess(onWire, forms)
	if err != nil {
		return nil, err
	}
	if p.Inside != nil && p.Inside.Gradients {
		if process, err = process.GradientsInside(c, p.Inside.Groups, p.Wire.OfGradients().Share()); err != nil {
			return nil, err
		}
	}
	return process.Running(p.Every/p.Parts(), p.Delay()), nil
}

// inBuckets averages gradients during the backward pass, by the backend's all-reduce or by the plan's own.
func (p *Plan) inBuckets(c *cluster.Cluster) (*cost.Process, error) {
	mb := cmp.Or(p.BucketMB, cost.BucketMB)
	if p.Library {
		library, err := cost.NewLibrary(c, p.exact())
		if err != nil {
			return nil, err
		}
		process, _, err := library.InBuckets(c, mb, cost.Gradients(p.Wire.Share()))
		return process, err
	}
	hook, err := cost.NewHook(c, p.exact())
	if err != nil {
		return nil, err
	}
	return hook.InBuckets(c, mb, cost.Gradients(p.Wire.Share()))
}

// Delay is how many gradients a round of the plan runs beside.
func (p *Plan) Delay() int { return max(p.DelaySteps, cost.DelayOf(p.Overlap)) }

// IterationMS predicts how long an iteration of training by the plan takes on a cluster, on average; of phases in the
// last.
func (p *Plan) IterationMS(c *cluster.Cluster) (float64, error) {
	process, err := p.Process(c)
	if err != nil {
		return 0, err
	}
	return process.MeanOver(cost.DrawsWith(c, p.BatchWeights), 0)
}

// forms are the rounds of a period, of a plan that the cluster has the nodes for.
func (p *Plan) forms(c *cluster.Cluster) ([]cost.Form, error) {
	if p.Nodes != c.Nodes() {
		return nil, fmt.Errorf("the plan has %d nodes, the cluster %d", p.Nodes, c.Nodes())
	}
	if p.Kind == CollectiveKind {
		return []cost.Form{{Steps: p.exact()}}, nil
	}
	matrices, err := p.between()
	if err != nil {
		return nil, err
	}
	forms := cost.Forms(matrices)
	for t, w := range matrices {
		if p.Inside != nil {
			forms[t] = cost.Form{Steps: p.Inside.round(w), Peers: cost.PeersThrough(p.Inside.Groups, w)}
		}
	}
	return forms, nil
}

// InSteps reports whether a round of the plan consists of steps one after the other, as all-reduces and rounds on two
// levels do.
func (p *Plan) InSteps() bool { return p.Kind == CollectiveKind || p.Inside != nil }

// Steps returns the steps of every round of a plan whose rounds consist of them; see [Plan.InSteps].
func (p *Plan) Steps() ([]*collective.Algorithm, error) {
	if p.Kind == CollectiveKind {
		return []*collective.Algorithm{p.exact()}, nil
	}
	matrices, err := p.between()
	if err != nil {
		return nil, err
	}
	all := make([]*collective.Algorithm, len(matrices))
	for t, w := range matrices {
		all[t] = p.Inside.round(w)
	}
	return all, nil
}

// exact is what travels in the collective of the plan: between nodes, or between the counterparts of groups.
func (p *Plan) exact() *collective.Algorithm {
	if p.Inside != nil {
		return collective.Counterparts(p.Inside.Groups, p.Collective.Runs())
	}
	return p.Collective.Runs()
}

// round is what travels in a round between groups.
func (in *Inside) round(w *mixing.Matrix) *collective.Algorithm {
	var arcs [][2]int
	for to := range w.Nodes() {
		from, _ := w.Row(to)
		for _, j := range from {
			arcs = append(arcs, [2]int{j, to})
		}
	}
	if in.Gradients {
		return collective.CounterpartsRound(in.Groups, arcs)
	}
	return collective.LevelsRound(in.Groups, arcs)
}

// Traffic returns who sends how much to whom in a period, as a picture of the plan: a symmetric matrix whose weights
// are shares of what the busiest node sends and receives.
func (p *Plan) Traffic() (*mixing.Matrix, error) {
	all, err := p.Steps()
	if err != nil {
		return nil, err
	}
	sent := map[topology.Edge]float64{}
	for _, a := range all {
		for s := range a.Steps {
			for _, t := range a.At(s) {
				sent[topology.Edge{I: min(t.From, t.To), J: max(t.From, t.To)}] += t.End - t.Begin
			}
		}
	}
	pairs := slices.SortedFunc(maps.Keys(sent), topology.Edge.Compare)
	node := make([]float64, p.Nodes)
	for _, e := range pairs {
		node[e.I], node[e.J] = node[e.I]+sent[e], node[e.J]+sent[e]
	}
	var arcs []mixing.Arc
	most := slices.Max(node)
	for _, e := range pairs {
		weight := sent[e] / most
		arcs = append(arcs, mixing.Arc{From: e.I, To: e.J, Weight: weight}, mixing.Arc{From: e.J, To: e.I, Weight: weight})
	}
	return mixing.FromArcs(p.Nodes, arcs)
}
