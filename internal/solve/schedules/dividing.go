package schedules

import (
	"cmp"
	"context"
	"slices"

	"github.com/batopo/batopo/internal/ground/minmax"
	"github.com/batopo/batopo/topology"
)

// Limits of the linear programs that divide the message among trees: how many compete, and how many loads they have.
const (
	mostTrees = 160
	mostHops  = 256
	mostLoads = 2048
)

// refined changes how the message is divided among the trees of a packing, such that the busiest hop is busy for as
// short as possible. Where it finds nothing better the packing stays.
func (w *network) refined(ctx context.Context, p packing) packing {
	if len(w.ms) > mostHops {
		return p
	}
	fine := w.divided(ctx, p, w.loadsOfHops)
	if len(fine.trees) == 0 || w.busiest(fine) > w.busiest(p) {
		return p
	}
	return fine
}

// inEvenSteps changes how the message is divided among the trees of a packing, such that no step is long. Where
// latencies are long messages are cut into few chunks, steps hardly overlap, and it does not help that a hop which is
// busy in one step is free in the next. It has no trees where there would be too many loads.
func (w *network) inEvenSteps(ctx context.Context, p packing) packing {
	return w.divided(ctx, p, w.loadsOfSteps)
}

// divided keeps the trees of a packing and divides the message by a linear program over the loads that each tree
// would cause with all of it: few trees are left, at most one per load.
func (w *network) divided(ctx context.Context, p packing, of func(trees [][]edge) (loads [][]float64)) (fine packing) {
	order := topology.InOrder(len(p.trees))
	slices.SortStableFunc(order, func(a, b int) int { // late trees know the prices better
		return cmp.Or(cmp.Compare(p.shares[b], p.shares[a]), b-a)
	})
	var trees [][]edge
	for _, at := range order[:min(len(order), mostTrees)] {
		trees = append(trees, p.trees[at])
	}
	if len(trees) == 0 || !(slices.Max(w.ms) > 0) {
		return fine
	}
	loads := of(trees)
	if len(loads) == 0 || len(loads) > mostLoads {
		return fine
	}
	x, _ := minmax.Divide(ctx, loads)
	const crumb = 1e-6 // a smaller share is not worth a tree
	total := 0.0
	for t, tree := range trees {
		if x[t] > crumb {
			fine.trees, fine.shares = append(fine.trees, tree), append(fine.shares, x[t])
			total += x[t]
		}
	}
	for t := range fine.shares {
		fine.shares[t] /= total
	}
	return fine
}

// loadsOfHops says per hop how long every tree would keep it busy, in units of the slowest hop.
func (w *network) loadsOfHops(trees [][]edge) [][]float64 {
	longest := slices.Max(w.ms)
	loads, load := empty(len(w.ms), len(trees)), make([]float64, len(w.ms))
	for t, tree := range trees {
		clear(load)
		w.burden(load, tree)
		for h, ms := range load {
			loads[h][t] = ms / longest
		}
	}
	return loads
}

// loadsOfSteps says the same per step and hop; loads that repeat another are left out.
func (w *network) loadsOfSteps(trees [][]edge) [][]float64 {
	roots := rootedTrees(trees, w.n)
	steps, hops, longest := 2*roots.levels, len(w.ms), slices.Max(w.ms)
	const repeated = 8 // times as many may be looked at: most are 0, or there twice
	if steps*hops > repeated*mostLoads {
		return nil
	}
	loads := empty(steps*hops, len(trees))
	carry := func(s, i, j, t int) {
		for _, h := range w.routes[i*w.n+j] {
			loads[s*hops+int(h)][t] += w.ms[h] / longest
		}
	}
	for t, parent := range roots.parent {
		for i, up := range parent {
			if up >= 0 {
				s := roots.step(t, i)
				carry(s, i, up, t)
				carry(steps-1-s, up, i, t)
			}
		}
	}
	slices.SortFunc(loads, slices.Compare)
	return slices.CompactFunc(loads, slices.Equal)
}

func empty(rows, columns int) [][]float64 {
	out := make([][]float64, rows)
	for r := range out {
		out[r] = make([]float64, columns)
	}
	return out
}
