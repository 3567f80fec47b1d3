package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// mostTimed is for how many nodes a bound on time is rechecked: all routes are walked.
const mostTimed = 256

// timeBound rechecks a bound on the time of every schedule, and that the plan itself does not contradict it.
func (k *check) timeBound() {
	b := k.plan.TimeBound
	if b == nil {
		return
	}
	if k.plan.Nodes > mostTimed {
		k.unproved("time_bound", b.MS, fmt.Sprintf("a bound on time is rechecked for up to %d nodes", mostTimed))
		return
	}
	l := newLines(k.cluster)
	var proved float64
	switch heard := design.Heard(k.plan.Nodes, k.plan.TargetError); {
	case b.Kind == design.SpreadBound:
		proved = l.bySpread(heard)
	case b.Whole && heard < k.plan.Nodes: // some node may be left out
	default:
		if ms, ok := l.byPrices(b); ok {
			proved = min(ms+2*l.least(), k.allAtOnce())
		}
	}
	f := Finding{Claim: "time_bound", Status: OK, Claimed: b.MS, Recomputed: proved,
		Tolerance: design.ClaimTolerance * proved}
	if !(b.MS <= proved*(1+design.ClaimTolerance)) {
		f.Status, f.Detail = False, fmt.Sprintf("the argument %q proves less for this cluster", b.Kind)
	}
	k.add(f)
	if k.plan.Iterations > 0 && b.SpeaksOf(k.plan) {
		k.holds("time_ms is not below time_bound", k.plan.TimeMS >= b.MS*(1-design.ClaimTolerance),
			fmt.Sprintf("time_ms is %.12g, the bound %.12g", k.plan.TimeMS, b.MS))
	}
}

// lines are the routes of a cluster with the time that a message keeps each resource busy.
type lines struct {
	n       int
	hops    [][]cluster.Hop // of arc i→j at i·n + j
	latency []float64
	ms      map[cluster.Hop]float64
	named   map[design.HopPrice]cluster.Hop // by resource and side, without a price
}

func newLines(c *cluster.Cluster) *lines {
	n := c.Nodes()
	l := &lines{n: n, hops: make([][]cluster.Hop, n*n), latency: make([]float64, n*n), ms: map[cluster.Hop]float64{},
		named: map[design.HopPrice]cluster.Hop{}}
	sides := map[cluster.Side]design.HopSide{cluster.Sender: design.Leaving, cluster.Receiver: design.Entering,
		cluster.Shared: design.Between, cluster.HalfDuplex: design.Between}
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			at := i*n + j
			l.hops[at] = c.Route(nil, i, j)
			l.latency[at] = c.LatencyMS()
			for _, h := range l.hops[at] {
				r := &c.Resources()[h.Resource]
				l.ms[h] = c.Model().MessageMB / r.Toward(h.Side)
				l.named[design.HopPrice{Resource: r.Name, Side: sides[h.Side]}] = h
				l.latency[at] += r.LatencyMS
			}
		}
	}
	return l
}

// allAtOnce is the time of one step in which everybody sends to everybody; infinite where some pair has no route, or
// some resource may not carry so much at once.
func (k *check) allAtOnce() float64 {
	var all []flow
	for i := range k.plan.Nodes {
		for j := range k.plan.Nodes {
			if i != j {
				all = append(all, flow{i, j, 1})
			}
		}
	}
	step, err := k.slot(all)
	if err != nil {
		return math.Inf(1)
	}
	return step.CommunicationMS
}

// least is the smallest latency of any arc.
func (l *lines) least() float64 {
	least := math.Inf(1)
	for at, hops := range l.hops {
		if len(hops) > 0 {
			least = min(least, l.latency[at])
		}
	}
	return least
}

// byPrices repeats the argument "prices", latency aside: docs/research/bounds.md. It is none where ok is false.
func (l *lines) byPrices(b *design.TimeBound) (ms float64, ok bool) {
	price, sum := map[cluster.Hop]float64{}, 0.0
	for _, p := range b.Prices {
		h, ok := l.named[design.HopPrice{Resource: p.Resource, Side: p.Side}]
		if _, twice := price[h]; !ok || twice {
			return 0, false // no such resource, or priced twice
		}
		price[h] = p.Price
		sum += p.Price
	}
	if sum > 1+design.ClaimTolerance || len(b.Groups) < 2 {
		return 0, false
	}
	of := make([]int, l.n)
	for g, nodes := range b.Groups {
		for _, i := range nodes {
			of[i] = g
		}
	}
	return l.priced(price, of, len(b.Groups)), true
}

// toll of an arc: a shared link carries a pair both ways at once, so a direction pays half.
func (l *lines) toll(price map[cluster.Hop]float64, at int) float64 {
	sum := 0.0
	for _, h := range l.hops[at] {
		pays := price[h] * l.ms[h]
		if h.Side == cluster.Shared {
			pays /= 2
		}
		sum += pays
	}
	return sum
}

// priced is the least toll, over which group has the sum first, of what is sent before and after.
func (l *lines) priced(price map[cluster.Hop]float64, of []int, count int) float64 {
	toll := make([][]float64, count) // cheapest arc from group to group
	for g := range toll {
		toll[g] = make([]float64, count)
		for h := range toll[g] {
			toll[g][h] = math.Inf(1)
		}
	}
	for i := range l.n {
		for j := range l.n {
			if g, h := of[i], of[j]; g != h && len(l.hops[i*l.n+j]) > 0 {
				toll[g][h] = min(toll[g][h], l.toll(price, i*l.n+j))
			}
		}
	}
	out, in := make([]float64, count), make([]float64, count)
	for g := range count {
		out[g], in[g] = slices.Min(toll[g]), math.Inf(1)
		for h := range count {
			in[g] = min(in[g], toll[h][g])
		}
	}
	tree, least := spanning(toll), math.Inf(1)
	for first := range count {
		before, after, to, from := 0.0, 0.0, math.Inf(1), math.Inf(1)
		for g := range count {
			if g == first {
				continue
			}
			before, after = before+out[g], after+in[g]
			to, from = min(to, toll[g][first]-out[g]), min(from, toll[first][g]-in[g])
		}
		least = min(least, max(before+to, tree)+after+from)
	}
	if math.IsNaN(least) || math.IsInf(least, 0) {
		return 0
	}
	return least
}

// spanning is the least toll of a tree over the groups, an edge costing its cheaper direction (Prim).
func spanning(toll [][]float64) (sum float64) {
	in, cost := make([]bool, len(toll)), make([]float64, len(toll))
	for g := range cost {
		cost[g] = math.Inf(1)
	}
	cost[0] = 0
	for range toll {
		at := -1
		for g := range toll {
			if !in[g] && (at < 0 || cost[g] < cost[at]) {
				at = g
			}
		}
		in[at] = true
		sum += cost[at]
		for g := range toll {
			cost[g] = min(cost[g], toll[at][g], toll[g][at])
		}
	}
	return sum
}
