package verify

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// A listener is a node as the argument "spread" sees it.
type listener struct {
	rate float64 // messages that can come in per millisecond
	one  float64 // the least time of one message, in or out
}

// bySpread repeats the argument "spread": docs/research/bounds.md. Nodes below a limit on their slowness are
// distinguished, and every limit gives a bound.
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
	lengths []length
	known   map[heard]float64
}

// A length of a round, and what it is enough for.
type length struct {
	ms        float64
	any, slow int  // messages that some node, and some slow node, can hear
	meets     bool // a slow node can take part: what it sends may be quicker than what it hears
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
			if h.isSlow(n) {
				h.slow++
			}
		}
		if h.slow < 2 || h.slow == len(h.nodes) || math.IsInf(h.limit, 1) {
			return 0
		}
	}
	h.measure()
	return h.left(heard{1, 1, false})
}

func (h *hearing) isSlow(n listener) bool { return h.limit > 0 && n.one >= h.limit*(1-1e-12) }

// measure lists the lengths of rounds from which on somebody can do more.
func (h *hearing) measure() {
	for d := 1; d < len(h.nodes); d++ {
		anybody, slow := length{ms: math.Inf(1), any: d}, length{ms: math.Inf(1), slow: d}
		for _, n := range h.nodes {
			ms := max(n.one, float64(d)/n.rate)
			anybody.ms = min(anybody.ms, ms)
			if h.isSlow(n) {
				slow.ms = min(slow.ms, ms)
			}
		}
		h.lengths = append(h.lengths, anybody, slow)
	}
	first := length{ms: math.Inf(1), meets: true}
	for _, n := range h.nodes {
		if h.isSlow(n) {
			first.ms = min(first.ms, n.one)
		}
	}
	h.lengths = append(h.lengths, first)
	h.lengths = slices.DeleteFunc(h.lengths, func(l length) bool { return math.IsInf(l.ms, 1) })
	slices.SortFunc(h.lengths, func(a, b length) int { return cmp.Compare(a.ms, b.ms) })
	// What is within rounding of a length counts as possible in it.
	for k := range h.lengths {
		l := &h.lengths[k]
		for _, other := range h.lengths {
			if other.ms <= l.ms*(1+1e-9) {
				l.any, l.slow, l.meets = max(l.any, other.any), max(l.slow, other.slow), l.meets || other.meets
			}
		}
	}
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
	for _, l := range h.lengths {
		if l.ms+h.latency >= best {
			break
		}
		if next := h.after(at, l); next != at {
			best = min(best, h.latency+l.ms+h.left(next))
		}
	}
	h.known[at] = best
	return best
}

// after is the most that can be known after a round of some length.
func (h *hearing) after(at heard, l length) heard {
	best := max(at.any, at.slow)
	next := heard{min(h.need, at.any+l.any*best), at.slow, at.met}
	quick := len(h.nodes) - h.slow
	if !l.meets || l.any == 0 {
		if !at.met && h.slow > 0 {
			next.any = min(next.any, max(quick, 1))
		}
		return next
	}
	next.met = true
	if l.slow > 0 {
		next.slow = min(h.need, at.slow+l.slow*best)
	}
	if !at.met {
		next.any, next.slow = min(next.any, quick+l.any), min(next.slow, quick+1+l.slow)
	}
	next.any = max(next.any, next.slow)
	return next
}
