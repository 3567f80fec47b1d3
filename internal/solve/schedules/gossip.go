package schedules

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/solve/placement"
	"github.com/batopo/batopo/mixing"
)

// mostSquare is up to how many nodes the product of rounds is multiplied out in a search.
const mostSquare = 128

// firstLength is how many steps the first annealing has; every later one has twice as many as the one before it.
const firstLength = 1000

// gossip tries every exact schedule that is known for the number of nodes, each in a good order of the nodes, and those
// in which slow nodes join late. Where the average need not be exact it takes turns with exchanging pairs of the best.
// Turns have lengths of their own, whatever the number of evaluations: a longer search does all that a shorter one
// does, and then goes on, so it never ends with a worse schedule.
func (h *hunt) gossip() error {
	list := h.constructions()
	if h.problem.Positive {
		list = slices.DeleteFunc(list, func(k construction) bool { return !positive(k.rounds) })
	}
	for k := range list {
		list[k].ms = h.keep(list[k].name, list[k].rounds)
	}
	slices.SortStableFunc(list, func(a, b construction) int { return cmp.Compare(a.ms, b.ms) })
	impossible := len(list) == 0 || math.IsInf(list[0].ms, 1) // as the nodes are numbered
	h.keepDivided(list)
	if n := h.problem.Cluster.Nodes(); impossible && !h.problem.Exact && n <= mostForSpeed {
		if err := h.inTurn(); err != nil && h.ctx.Err() == nil {
			return err
		}
	}
	if h.problem.Exact || h.problem.Cluster.Nodes() > mostSquare {
		h.place(list, math.MaxInt)
		return nil
	}
	m := newMeter(h)
	rng := rand.New(rand.NewPCG(h.settings.Seed, uint64(h.problem.Cluster.Nodes())))
	for turn, length := 0, firstLength; !h.over(); turn, length = turn+1, 2*length {
		list = h.place(list, length)
		if h.over() || !m.anneal(rng, turn, length) || h.spent() {
			break
		}
	}
	return nil
}

// place looks for good orders of the nodes in constructions, one after the other, until it has looked at that many
// orders. It returns those that are left.
func (h *hunt) place(list []construction, orders int) []construction {
	for before := h.best.Evaluations; len(list) > 0 && h.best.Evaluations-before < orders && !h.over(); list = list[1:] {
		if rounds := h.placed(list[0]); rounds != nil {
			h.keep(list[0].name, rounds)
		}
	}
	return list
}

// A construction is an exact schedule before nodes are placed on it.
type construction struct {
	name   string
	rounds []*mixing.Matrix
	ms     float64 // in the nodes' own order; infinite where that is not possible
}

// placed finds the nodes' places in a schedule; nil where none were found.
func (h *hunt) placed(known construction) []*mixing.Matrix {
	c := h.problem.Cluster
	if c.Homogeneous() {
		return known.rounds
	}
	found, _ := h.settings.Memo.orders.get(h.ctx, memoKey{h.site(), known.name}, func() (placement.Placement, error) {
		return placement.Best(h.ctx, c, known.rounds, h.settings.Seed), nil
	})
	h.best.Evaluations += found.Evaluations
	if err := found.Err(); err != nil {
		h.why = fmt.Errorf("%s: %w", known.name, err)
		return nil
	}
	moved := make([]*mixing.Matrix, len(known.rounds))
	for t, w := range known.rounds {
		var err error
		if moved[t], err = placement.Placed(w, found.Order); err != nil {
			h.why = err
			return nil
		}
	}
	return moved
}

// keep prices an exact schedule and remembers it if it is the best.
func (h *hunt) keep(name string, rounds []*mixing.Matrix) float64 {
	h.priced()
	ms, each, err := h.price(rounds)
	if err != nil {
		h.why = err
		return ms
	}
	if ms < h.best.MS*(1-better) {
		h.best.Name, h.best.MS, h.best.Exact = name, ms, true
		h.best.Schedule = &mixing.Schedule{Name: name, Rounds: rounds, RoundMS: each}
	}
	return ms
}

// price adds up what the rounds cost.
func (h *hunt) price(rounds []*mixing.Matrix) (ms float64, each []float64, err error) {
	for _, w := range rounds {
		r, err := cost.Gossip(h.problem.Cluster, w)
		if err != nil {
			return math.Inf(1), nil, err
		}
		ms += r.CommunicationMS
		each = append(each, r.CommunicationMS)
	}
	return ms, each, nil
}

// positive reports whether every round is symmetric and has no eigenvalue below 0. In a round of groups that average
// exactly there is none; otherwise the pairs of a node must not have more weight than its own value (Gershgorin), which
// no round that is a matching misses.
func positive(rounds []*mixing.Matrix) bool {
	for _, w := range rounds {
		if w.Directed() || !projection(w) && !dominated(w) {
			return false
		}
	}
	return true
}

// dominated reports whether every self weight is at least the sum of the weights beside it.
func dominated(w *mixing.Matrix) bool {
	for i, self := range w.Self() {
		_, weights := w.Row(i)
		sum := 0.0
		for _, x := range weights {
			sum += math.Abs(x)
		}
		if self < sum-mixing.SumTolerance {
			return false
		}
	}
	return true
}

// projection reports whether every node takes the mean of a group in which all do.
func projection(w *mixing.Matrix) bool {
	for i, self := range w.Self() {
		from, weights := w.Row(i)
		for k, j := range from {
			if math.Abs(weights[k]-self) > mixing.SumTolerance || math.Abs(w.Self()[j]-self) > mixing.SumTolerance {
				return false
			}
			for _, other := range from {
				if _, ok := w.At(j, other); other != j && !ok {
					return false
				}
			}
		}
	}
	return true
}
