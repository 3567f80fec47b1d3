package placement

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A Placement says which node plays which part.
type Placement struct {
	Order       []int // part k is played by node Order[k]
	Evaluations int   // orders that were priced
	All         bool  // every order was priced
	Missing     int   // arcs that still have no route, or too many on a resource; 0: the topology is possible
}

// Note says how many orders were tried; one order needs no words.
func (p Placement) Note() string {
	if p.Evaluations < 2 {
		return ""
	}
	return fmt.Sprintf("best of %d node orders", p.Evaluations)
}

// Err says that no order was found in which all pairs have a route, where that is so.
func (p Placement) Err() error {
	if p.Missing == 0 {
		return nil
	}
	return noOrder(p)
}

// noOrder is the error of orders that were tried in vain.
type noOrder Placement

func (n noOrder) Error() string {
	return fmt.Sprintf("no order of the nodes was found in which all its pairs have a route (orders tried: %d)",
		n.Evaluations)
}

func (n noOrder) Unwrap() error {
	if n.All {
		return feasible.ErrInfeasible
	}
	return feasible.ErrUndecided
}

// How much is tried: all orders of few nodes; else limits hold for the orders and for the work, and every start goes on
// only as long as something improves. On larger clusters nodes keep their own order.
const (
	fewNodes   = 6
	mostNodes  = 2048
	mostOrders = 4000
	mostWork   = 1 << 21 // arcs priced

	mostTransfers = 1 << 18 // of collectives, which cost more to price
)

// Best looks for the order of the nodes in which the rounds take least time together. It begins with the nodes in
// their own order and with chains of near nodes, and exchanges nodes and turns pieces of the order round while that
// helps. Up to six nodes it tries every order. Same cluster, rounds and seed: same order.
func Best(ctx context.Context, c *cluster.Cluster, rounds []*mixing.Matrix, seed uint64) Placement {
	b := newBill(c, rounds)
	complete := b.arcs() == len(rounds)*c.Nodes()*(c.Nodes()-1)
	return search(ctx, c, seed, b.within, min(mostOrders, mostWork/max(1, b.arcs())), complete)
}

// BestRing is Best for a ring on which everybody sends to the next.
func BestRing(ctx context.Context, c *cluster.Cluster, seed uint64) (Placement, error) {
	arcs := make([]mixing.Arc, c.Nodes())
	for i := range arcs {
		arcs[i] = mixing.Arc{From: i, To: (i + 1) % len(arcs), Weight: 0.5}
	}
	ring, err := mixing.FromArcs(len(arcs), arcs)
	if err != nil {
		return Placement{}, err
	}
	return Best(ctx, c, []*mixing.Matrix{ring}, seed), nil
}

// BestOf looks in the same way for the order in which a collective takes least time.
func BestOf(
	ctx context.Context, c *cluster.Cluster, seed uint64, in func(order []int) *collective.Algorithm,
) Placement {
	pricer := cost.NewPricer(c)
	priced := func(order []int, limit price) (price, bool) {
		most := math.Inf(1)
		if limit.missing == 0 {
			most = limit.rounds * (1 + 2*same)
		}
		a := in(order)
		found, err := pricer.Within(a, most)
		switch {
		case errors.Is(err, cost.ErrAbove):
			return price{}, false
		case err != nil:
			return price{missing: max(1, cost.Missing(a, c))}, true
		}
		return price{rounds: found.MS}, true
	}
	first := in(topology.InOrder(c.Nodes()))
	transfers := first.Chunks * first.Transfers()
	return search(ctx, c, seed, priced, min(mostOrders, mostTransfers/max(1, transfers)), false)
}

// A pricing prices an order. Not ok: it is worse than the limit, and by how much was not found out.
type pricing func(order []int, limit price) (p price, ok bool)

// search tries about that many orders, unless the order does not matter.
func search(
	ctx context.Context, c *cluster.Cluster, seed uint64, within pricing, total int, indifferent bool,
) Placement {
	n := c.Nodes()
	best := Placement{Order: topology.InOrder(n), Evaluations: 1}
	lowest, _ := within(best.Order, worst)
	if c.Homogeneous() || indifferent || n < 3 || n > mostNodes {
		best.Missing = lowest.missing
		return best
	}
	if n <= fewNodes {
		return bestOfAll(best, lowest, within)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	total = max(16, total)
	starts := [][]int{topology.InOrder(n), chain(c, 0), chain(c, rng.IntN(n)), chain(c, rng.IntN(n))}
	var tried []int
	for _, start := range starts {
		now, _ := within(start, worst)
		best.Evaluations++
		for step, idle := 0, 0; step < total/len(starts) && idle < patience(n); step++ {
			if step%64 == 0 && ctx.Err() != nil {
				break
			}
			tried = changed(rng, append(tried[:0], start...))
			best.Evaluations++
			idle++
			if slices.Equal(tried, start) {
				continue
			}
			p, ok := within(tried, now)
			if ok && p.less(now) {
				idle = 0
			}
			if ok && !now.less(p) {
				start, tried, now = tried, start, p
			}
		}
		if now.less(lowest) {
			best.Order, lowest = start, now
		}
	}
	best.Missing = lowest.missing
	return best
}

// patience is how many orders in a row may be no better before a start is given up: a few for every pair of nodes that
// could be exchanged.
func patience(n int) int { return 2 * n * n }

// bestOfAll tries every order of a few nodes.
func bestOfAll(best Placement, lowest price, within pricing) Placement {
	best.All = true
	order := topology.InOrder(len(best.Order))
	var from func(k int)
	from = func(k int) {
		if k == len(order) {
			best.Evaluations++
			if p, ok := within(order, lowest); ok && p.less(lowest) {
				best.Order, lowest = slices.Clone(order), p
			}
			return
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			from(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	from(0)
	best.Evaluations-- // its own order came first, and again among all
	best.Missing = lowest.missing
	return best
}

// changed returns the order with two nodes exchanged, or a piece turned round, or a node moved.
func changed(rng *rand.Rand, out []int) []int {
	i, j := rng.IntN(len(out)), rng.IntN(len(out))
	if i > j {
		i, j = j, i
	}
	switch rng.IntN(3) {
	case 0:
		out[i], out[j] = out[j], out[i]
	case 1:
		slices.Reverse(out[i : j+1])
	default:
		node := out[i]
		out = slices.Insert(slices.Delete(out, i, i+1), j, node)
	}
	return out
}

// Placed is a matrix whose part k is played by node order[k].
func Placed(w *mixing.Matrix, order []int) (*mixing.Matrix, error) {
	var arcs []mixing.Arc
	for to := range w.Nodes() {
		from, weight := w.Row(to)
		for k, i := range from {
			arcs = append(arcs, mixing.Arc{From: order[i], To: order[to], Weight: weight[k]})
		}
	}
	return mixing.FromArcs(w.Nodes(), arcs)
}
