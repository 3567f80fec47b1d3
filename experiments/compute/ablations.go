package main

import (
	"context"
	"fmt"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
)

// toySize is the largest problem that tests repeat.
const toySize = 8

// A size is a problem of Table I: n nodes, half the degree sum of the exponential graph.
type size struct{ nodes, edges int }

var (
	sizes = []size{{8, 12}, {16, 32}, {32, 80}, {64, 192}, {128, 448}}
	onSix = []size{{6, 5}, {6, 6}, {6, 7}, {6, 8}, {6, 9}, {6, 10}, {6, 11}, {6, 12}, {6, 13}, {6, 14}, {6, 15}}
)

func (s size) problem() (design.Problem, error) {
	c, err := measure.Equal(s.nodes)
	return measure.Problem(c, s.edges), err
}

// A way solves a problem once for each of the seeds 1, 2, … and gives r_asym.
type way struct {
	name     string
	seeds    int
	settings settings // what makes it different from the others
	once     solver
}

type settings = map[string]any

// comparisons are of ways to solve the same problems, size by size.
var comparisons = []struct {
	name  string
	sizes []size
	ways  func(size) []way
}{
	{"warm start", sizes[:3], warmStarts},
	{"penalty", sizes[:2], penalties},
	{"weights", []size{{nodes: 8}}, knownWeights},
	{"weights", sizes[:1], foundWeights},
	{"weights", []size{{nodes: 16}}, knownWeights},
	{"weights", sizes[1:2], foundWeights},
	{"symmetry", sizes[:4], symmetries},
	{"scaling", sizes, scaling},
	{"remark 2", sizes[:2], weightSpaces},
	{"remark 2", onSix, everyGraph},
}

// ablations are what the paper does not show: how much the warm start, the penalty ρ, the weights and the symmetry of
// the search matter, and how the time to solve grows with the number of nodes.
func ablations(o ledger.Options) (list []ledger.Task[measure.Outcomes], err error) {
	for _, c := range comparisons {
		for _, s := range c.sizes {
			if o.Toy && s.nodes > toySize {
				continue
			}
			p, err := s.problem()
			if err != nil {
				return nil, err
			}
			for _, w := range c.ways(s) {
				key := fmt.Sprintf("%s/n=%d/%s", c.name, s.nodes, w.name)
				all := settings{"nodes": s.nodes, "edges": s.edges, "seeds": w.seeds, "variant": w.settings}
				list = append(list, w.task(key, all, p))
			}
		}
	}
	limited, err := limitedRuns(o)
	return append(list, limited...), err
}

func (w way) task(key string, all settings, p design.Problem) ledger.Task[measure.Outcomes] {
	compute := func(ctx context.Context) (measure.Outcomes, error) {
		out := measure.Outcomes{Nodes: p.Cluster.Nodes(), Edges: p.MaxEdges}
		started := time.Now()
		for seed := range uint64(w.seeds) {
			answer, err := w.once(ctx, p, seed+1)
			if err != nil {
				return out, err
			}
			spectrum, err := answer.Spectrum(ctx)
			if err != nil {
				return out, err
			}
			out.RAsym = append(out.RAsym, spectrum.RAsym)
		}
		out.Seconds = time.Since(started).Seconds()
		return out, nil
	}
	return ledger.Task[measure.Outcomes]{Key: key, Settings: all, Compute: compute}
}
