package schedules

import (
	"math"
	"slices"

	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// mostDivided is up to how many nodes rounds are divided: every part is tried in every round before it.
const mostDivided = 128

// keepDivided keeps known schedules whose rounds are too much for the caps of the hardware at once: what a round is
// made of runs one after the other then. That takes more rounds, and ends with the same average.
func (h *hunt) keepDivided(list []construction) {
	if h.problem.Cluster.Nodes() > mostDivided {
		return
	}
	for _, known := range list {
		if !math.IsInf(known.ms, 1) {
			continue // it runs unchanged
		}
		if h.ctx.Err() != nil {
			return // the best so far is kept
		}
		rounds, err := h.divided(known.rounds)
		if err != nil {
			h.why = err
			continue
		}
		h.keep(known.name+", divided", rounds)
	}
}

// divided is a period whose rounds keep the caps.
func (h *hunt) divided(rounds []*mixing.Matrix) (out []*mixing.Matrix, err error) {
	for _, w := range rounds {
		if _, err := cost.Gossip(h.problem.Cluster, w); err == nil {
			out = append(out, w)
			continue
		}
		some, err := h.packed(partsOf(w))
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// A part is a set of arcs that belong into one round. The product of parts without common nodes is the same in whatever
// order they are applied, and at once.
type part []mixing.Arc

// partsOf takes a round apart: nodes that do not hear of each other in it are in different parts.
func partsOf(w *mixing.Matrix) (parts []part) {
	joined := topology.NewParts(w.Nodes())
	for i := range w.Nodes() {
		from, _ := w.Row(i)
		for _, j := range from {
			joined.Join(i, j)
		}
	}
	at := map[int]int{}
	for i := range w.Nodes() {
		from, weights := w.Row(i)
		if len(from) == 0 {
			continue
		}
		k, known := at[joined.Of(i)]
		if !known {
			k = len(parts)
			at[joined.Of(i)], parts = k, append(parts, nil)
		}
		for m, j := range from {
			parts[k] = append(parts[k], mixing.Arc{From: j, To: i, Weight: weights[m]})
		}
	}
	return parts
}

// packed puts every part into the first round in which its nodes are free and the caps of the hardware leave room. The
// error says why a part does not run even alone.
func (h *hunt) packed(parts []part) (rounds []*mixing.Matrix, err error) {
	c := h.problem.Cluster
	var turns []part
	for _, p := range parts {
		for k := 0; ; k++ {
			if k == len(turns) {
				turns, rounds = append(turns, nil), append(rounds, nil)
			}
			if meet(turns[k], p) {
				continue
			}
			both := slices.Concat(turns[k], p)
			w, err := mixing.FromArcs(c.Nodes(), both)
			if err == nil {
				_, err = cost.Gossip(c, w)
			}
			if err == nil {
				turns[k], rounds[k] = both, w
				break
			}
			if turns[k] == nil {
				return nil, err
			}
		}
	}
	return rounds, nil
}

// meet reports whether two parts have a node in common.
func meet(a, b part) bool {
	return slices.ContainsFunc(a, func(x mixing.Arc) bool {
		return slices.ContainsFunc(b, func(y mixing.Arc) bool {
			return x.To == y.To || x.To == y.From || x.From == y.To || x.From == y.From
		})
	})
}
