package verify

import (
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// A listener is a node as the argument "spread" sees it.
type listener struct {
	rate float64 // messages that can come in per millisecond
	one  float64 // the least time of one message, in or out
}

// bySpread repeats the argument "spread": docs/bounds.md. Nodes below a limit on their slowness are told apart, and
// every limit gives a bound.
func (l *lines) bySpread(need int) float64 {
	nodes, limits := make([]listener, l.n), []float64{0}
	for j := range nodes {
		in, out := math.Inf(1), math.Inf(1)
		var routes [][]cluster.Hop
		for i := range l.n {
			if hops := l.hops[i*l.n+j]; len(hops) > 0 {
				routes = append(routes, hops)
				in = min(in, l.longest(hops))
			}
			if hops := l.hops[j*l.n+i]; len(hops) > 0 {
				out = min(out, l.longest(hops))
			}
		}
		nodes[j] = listener{l.carried(routes), min(in, out)}
		limits = append(limits, nodes[j].one)
	}
	slices.Sort(limits)
	best := 0.0
	for _, limit := range slices.Compact(limits) {
		h := &hearing{nodes: nodes, need: need, limit: limit, latency: l.least(), known: map[heard]float64{}}
		best = max(best, h.bound())
	}
	return best
}

func (l *lines) longest(hops []cluster.Hop) (ms float64) {
	for _, h := range hops {
		ms = max(ms, l.ms[h])
	}
	return ms
}

// carried is how many messages per millisecond can come over routes: every route passes one of the hops that are
// counted, at each turn the one with the least capacity per route.
func (l *lines) carried(routes [][]cluster.Hop) (rate float64) {
	for len(routes) > 0 {
		on := map[cluster.Hop]float64{}
		for _, hops := range routes {
			for _, h := range hops {
				on[h]++
			}
		}
		var gate cluster.Hop
		least := math.Inf(1)
		for h, count := range on {
			each := 1 / (l.ms[h] * count)
			if each < least || each == least && (h.Resource < gate.Resource ||
				h.Resource == gate.Resource && h.Side < gate.Side) {
				gate, least = h, each
			}
		}
		rate += 1 / l.ms[gate]
		routes = slices.DeleteFunc(slices.Clone(routes), func(hops []cluster.Hop) bool {
			return slices.Contains(hops, gate)
		})
	}
	return rate
}

// hearing finds the least time in which nodes can have heard of enough others.
type hearing struct {
	nodes   []listener
	need    int
	limit   float64
	latency float64
	slow    int // nodes that the limit calls slow; 0 where it tells none apart
	lengths []float64
	known   map[heard]float64
}

// heard is how many nodes the best informed one, and the best informed slow one, know of; met says that slow ones have
// taken part.
type heard struct {
	any, slow int
	met       bool
}

func (h *hearing) bound() float64 {
	if h.limit > 0 {
		for _, n := range h.nodes {
			if n.one >= h.limit*(1-1e-12) {
				h.slow++
			}
		}
		if h.slow < 2 || h.slow == len(h.nodes) || math.IsInf(h.limit, 1) {
			return 0
		}
	}
	for _, n := range h.nodes {
		for d := 1; d < len(h.nodes); d++ {
			h.lengths = append(h.lengths, max(n.one, float64(d)/n.rate))
		}
	}
	slices.Sort(h.lengths)
	h.lengths = slices.CompactFunc(h.lengths, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*b })
	return h.left(heard{1, 1, false})
}

// left is the least time until enough is known. Every round that is worth it makes somebody know more, so this ends.
func (h *hearing) left(at heard) float64 {
	if h.slow == 0 && at.any >= h.need || h.slow > 0 && at.met && at.slow >= h.need {
		return 0
	}
	if ms, ok := h.known[at]; ok {
		return ms
	}
	best := math.Inf(1)
	for _, ms := range h.lengths {
		if ms+h.latency >= best {
			break
		}
		if next := h.after(at, ms); next != at {
			best = min(best, h.latency+ms+h.left(next))
		}
	}
	h.known[at] = best
	return best
}

// after is the most that can be known after a round of some length.
func (h *hearing) after(at heard, ms float64) heard {
	anybody, slow := 0, 0
	for _, n := range h.nodes {
		if n.one > ms*(1+1e-9) {
			continue
		}
		count := min(int(ms*n.rate*(1+1e-9)), len(h.nodes)-1)
		anybody = max(anybody, count)
		if h.slow > 0 && n.one >= h.limit*(1-1e-12) {
			slow = max(slow, count)
		}
	}
	best := max(at.any, at.slow)
	next := heard{min(h.need, at.any+anybody*best), at.slow, at.met}
	quick := len(h.nodes) - h.slow
	if slow == 0 {
		if !at.met && h.slow > 0 {
			next.any = min(next.any, max(quick, 1))
		}
		return next
	}
	next.slow, next.met = min(h.need, at.slow+slow*best), true
	if !at.met {
		next.any, next.slow = min(next.any, quick+anybody), min(next.slow, quick+1+slow)
	}
	next.any = max(next.any, next.slow)
	return next
}
