package replan

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/cost"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/topology"
)

// How much is tried: counts, so that the answer is the same on every machine.
const (
	mostLevels   = 8   // round times
	judgements   = 600 // graphs per round time at 64 nodes; an eigenvalue problem each
	fillTries    = 12  // edges that compete for a free place
	mostWeighted = 2   // candidates that get optimal weights
)

// A candidate is a set of edges and the round time it was made for.
type candidate struct {
	edges []topology.Edge
	guess float64 // of the score
}

// improve looks for better edges near those of the running plan.
func (a *Answer) improve(ctx context.Context, p design.Problem, s Settings) error {
	weight := map[topology.Edge]float64{}
	for _, e := range a.Now.Edges() {
		weight[topology.Edge{I: e.I, J: e.J}] = e.Weight
	}
	most := int(s.Changes * float64(len(weight)))
	candidates, err := a.candidates(ctx, p, weight, most, s.Seed)
	if err != nil {
		return err
	}
	for _, c := range candidates[:min(mostWeighted, len(candidates))] {
		g, err := topology.New(p.Cluster.Nodes(), c.edges)
		if err != nil {
			return err
		}
		plan, err := sweep.BestWeights(ctx, p, g, nil)
		if err != nil {
			return err
		}
		plan.Every, plan.Order, plan.Overlap = a.Now.Every, a.Now.Order, a.Now.Overlap
		value, ms, err := score(ctx, plan, p.Cluster)
		if err != nil {
			return err
		}
		if value < a.ScoreNow && (a.New == nil || value < a.ScoreNew) {
			a.New, a.ScoreNew, a.IterationNew = plan, value, ms
		}
	}
	if a.New != nil {
		a.finish(s)
	}
	return nil
}

// candidates returns graphs for round times from the present one down, best guess first.
func (a *Answer) candidates(
	ctx context.Context, p design.Problem, weight map[topology.Edge]float64, most int, seed uint64,
) ([]candidate, error) {
	n := p.Cluster.Nodes()
	judge := newSpread(n)
	first := newEdit(p.Cluster, p.MaxDegree, most, weight, judge)
	tries := max(20, int(judgements*math.Pow(64/float64(max(n, 64)), 3)))
	var out []candidate
	for k, ms := range first.room.levels(mostLevels) {
		if ctx.Err() != nil {
			break
		}
		rng := rand.New(rand.NewPCG(seed, uint64(k)))
		e := newEdit(p.Cluster, p.MaxDegree, most, weight, judge)
		e.room.within(ms)
		if !e.thin() {
			break // lower ones need more changes still
		}
		e.fill(rng, fillTries)
		e.exchange(rng, tries)
		guess, err := a.guess(p, ms+p.Cluster.LatencyMS(), e.value)
		if err != nil {
			return nil, err
		}
		out = append(out, candidate{slices.Clone(e.edges), guess})
	}
	slices.SortStableFunc(out, func(x, y candidate) int { return cmp.Compare(x.guess, y.guess) })
	return out, nil
}

// guess is the score of a graph with the weights that it was judged by.
func (a *Answer) guess(p design.Problem, ms, rate float64) (float64, error) {
	if rate <= 0 || rate >= 1 {
		return ms / max(1e-9, 1-rate), nil
	}
	if trains(a.Now) {
		iteration, err := cost.Together(p.Cluster, ms).Running(a.Now.Every, a.Now.Delay()).OnCluster(p.Cluster)
		return iteration / (1 - rate), err
	}
	return ms * math.Log(p.Cluster.Model().TargetError) / math.Log(rate), nil
}

func (a *Answer) finish(s Settings) {
	old, now := a.Now, a.New
	now.Hash = now.ComputeHash()
	now.Method, now.Seed = "replan", s.Seed
	has := func(edges []design.PlanEdge, e design.PlanEdge) bool {
		return slices.ContainsFunc(edges, func(x design.PlanEdge) bool { return x.I == e.I && x.J == e.J })
	}
	for _, e := range old.Edges() {
		if !has(now.Edges(), e) {
			a.Dropped = append(a.Dropped, topology.Edge{I: e.I, J: e.J})
		}
	}
	for _, e := range now.Edges() {
		if !has(old.Edges(), e) {
			a.Added = append(a.Added, topology.Edge{I: e.I, J: e.J})
		}
	}
}
