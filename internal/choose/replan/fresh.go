package replan

import (
	"context"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/search"
)

// freshPart is how many times longer optimize searches than this does for a fresh graph.
const freshPart = 8

// A FreshGraph is what a search from scratch finds: how much a small change leaves on the table.
type FreshGraph struct {
	Plan               *design.Plan
	Score, IterationMS float64 // as of an Answer
}

// Fresh searches a graph with at most the running one's edges from scratch, whatever the running one is; nil for plans
// that are no static graph between all nodes.
func (a *Answer) Fresh(ctx context.Context, now *cluster.Cluster, s Settings) (*FreshGraph, error) {
	if !graph(a.Now) || a.Now.Inside != nil {
		return nil, nil
	}
	question := design.Problem{Cluster: now, MaxEdges: len(a.Now.Edges()), MaxDegree: a.Now.DegreeLimit,
		Purpose: a.Now.Purpose, Sign: a.Now.Sign, MinEigenvalue: a.Now.MinEigenvalue}
	p, err := sweep.Optimize(ctx, question, sweep.Settings{Seed: s.Seed,
		Evaluations: search.DefaultEvaluations(now.Nodes()) / freshPart})
	if err != nil {
		return nil, err
	}
	if p, err = a.used(ctx, p, now); err != nil {
		return nil, err
	}
	f := &FreshGraph{Plan: p}
	f.Score, f.IterationMS, err = score(ctx, p, now)
	return f, err
}
