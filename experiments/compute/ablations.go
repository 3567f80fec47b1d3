package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
)

// toySize is the largest problem that tests repeat.
const toySize = 8

// A size is a problem of Table I: n nodes, half the degree sum of the exponential graph.
type size struct{ nodes, edges int }

var small, medium, large, larger, largest = size{8, 12}, size{16, 32}, size{32, 80}, size{64, 192}, size{128, 448}

// A solver answers a problem once and returns r_asym.
type solver func(ctx context.Context, p design.Problem, seed uint64) (float64, error)

// A variant is one way to solve one problem, for seeds 1, 2, ….
type variant struct {
	group, name string
	size
	seeds    int
	settings map[string]any // what makes it different from the others
	once     solver
}

// ablations are what the paper does not show: how much the warm start, the penalty ρ, the weights and the symmetry of
// the search matter, and how the time to solve grows with the number of nodes.
func ablations(o ledger.Options) (list []ledger.Task[measure.Outcomes], err error) {
	for _, v := range slices.Concat(warmStarts(), penalties(), weightRules(), symmetries(), scaling(), literals(),
		weightSpaces()) {
		if o.Toy && v.nodes > toySize {
			continue
		}
		key := fmt.Sprintf("%s/n=%d/%s", v.group, v.nodes, v.name)
		settings := map[string]any{"nodes": v.nodes, "edges": v.edges, "seeds": v.seeds, "variant": v.settings}
		list = append(list, runs(key, settings, v.seeds, v.size.problem, v.once))
	}
	return append(list, limitedRuns(o)...), nil
}

func (s size) problem() (design.Problem, error) {
	c, err := measure.Equal(s.nodes)
	return measure.Problem(c, s.edges), err
}

// runs solves a problem once for every seed.
func runs(key string, settings map[string]any, seeds int, problem func() (design.Problem, error),
	once solver) ledger.Task[measure.Outcomes] {
	compute := func(ctx context.Context) (out measure.Outcomes, err error) {
		p, err := problem()
		if err != nil {
			return out, err
		}
		out.Nodes, out.Edges = p.Cluster.Nodes(), p.MaxEdges
		started := time.Now()
		for seed := range uint64(seeds) {
			r, err := once(ctx, p, seed+1)
			if err != nil {
				return out, err
			}
			out.RAsym = append(out.RAsym, r)
		}
		out.Seconds = time.Since(started).Seconds()
		return out, nil
	}
	return ledger.Task[measure.Outcomes]{Key: key, Settings: settings, Compute: compute}
}
