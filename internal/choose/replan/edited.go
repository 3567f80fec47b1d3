package replan

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
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

// edited are graphs near the one of a running plan, with the best weights.
func edited(ctx context.Context, running *design.Plan, c *cluster.Cluster, s Settings) ([]*design.Plan, error) {
	p := design.Problem{Cluster: c, MaxEdges: c.CandidateCount(), MaxDegree: running.DegreeLimit, Objective: design.Time,
		Purpose: running.Purpose, Sign: running.Sign, MinEigenvalue: running.MinEigenvalue}
	candidates, err := candidates(ctx, p, running, s)
	if err != nil {
		return nil, err
	}
	var all []*design.Plan
	for _, found := range candidates[:min(mostWeighted, len(candidates))] {
		g, err := topology.New(c.Nodes(), found.edges)
		if err != nil {
			return nil, err
		}
		plan, err := sweep.BestWeights(ctx, p, g, nil)
		if err != nil {
			return nil, err
		}
		plan.Seed = s.Seed
		all = append(all, plan)
	}
	return all, nil
}

// candidates returns graphs for round times from the present one down, best guess first.
func candidates(ctx context.Context, p design.Problem, running *design.Plan, s Settings) ([]candidate, error) {
	weight := map[topology.Edge]float64{}
	for _, e := range running.Edges() {
		weight[topology.Edge{I: e.I, J: e.J}] = e.Weight
	}
	n, most := p.Cluster.Nodes(), int(s.Changes*float64(len(weight)))
	judge := newSpread(n)
	first := newEdit(p.Cluster, p.MaxDegree, most, weight, judge)
	tries := max(20, int(judgements*math.Pow(64/float64(max(n, 64)), 3)))
	var out []candidate
	for k, ms := range first.room.levels(mostLevels) {
		if ctx.Err() != nil {
			break
		}
		rng := rand.New(rand.NewPCG(s.Seed, uint64(k)))
		e := newEdit(p.Cluster, p.MaxDegree, most, weight, judge)
		e.room.within(ms)
		if !e.thin() {
			break // lower ones need more changes still
		}
		e.fill(rng, fillTries)
		e.exchange(rng, tries)
		guess, err := guess(running, p.Cluster, ms+p.Cluster.LatencyMS(), e.value)
		if err != nil {
			return nil, err
		}
		out = append(out, candidate{slices.Clone(e.edges), guess})
	}
	slices.SortStableFunc(out, func(x, y candidate) int { return cmp.Compare(x.guess, y.guess) })
	return out, nil
}

// guess is the score of a graph with the weights that it was judged by.
func guess(running *design.Plan, c *cluster.Cluster, ms, rate float64) (float64, error) {
	if rate <= 0 || rate >= 1 {
		return ms / max(1e-9, 1-rate), nil
	}
	if trains(running) {
		iteration, err := cost.Together(c, ms).Running(running.Every, running.Delay()).OnCluster(c)
		return iteration / (1 - rate), err
	}
	return ms * math.Log(c.Model().TargetError) / math.Log(rate), nil
}
