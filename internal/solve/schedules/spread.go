package schedules

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// Spread is a bound on rounds of whole messages: what a node ends with depends on everybody, and a node that hears d
// messages in a round has heard of at most 1 + d times as many nodes as anybody had before.
//
// Nodes that need at least `limit` milliseconds for one message, in and out, are called slow. No round that is shorter
// has any of them in it, nobody knows of a slow node before the first longer round, and the slow ones know only what
// they heard in longer rounds. Every limit gives a bound; the state of the best conceivable schedule is how many nodes
// the best informed node, and the best informed slow one, can have heard of.
type spread struct {
	n, need   int
	latency   float64
	rate, one []float64 // per node: messages that can come in per millisecond; the least time of one, in and out
}

func newSpread(w *network, need int) *spread {
	s := &spread{n: w.n, need: need, latency: math.Inf(1), rate: make([]float64, w.n), one: make([]float64, w.n)}
	for j := range w.n {
		var routes [][]int32
		in, out := math.Inf(1), math.Inf(1)
		for i := range w.n {
			if route := w.routes[i*w.n+j]; route != nil {
				routes = append(routes, route)
				in = min(in, w.ms[w.slowest(route)])
				s.latency = min(s.latency, w.latency[i*w.n+j])
			}
			if route := w.routes[j*w.n+i]; route != nil {
				out = min(out, w.ms[w.slowest(route)])
			}
		}
		s.rate[j], s.one[j] = w.throughput(routes), min(in, out)
	}
	return s
}

// slowest is the hop of a route that a message keeps busy longest, the first among equals.
func (w *network) slowest(route []int32) int {
	least := int(route[0])
	for _, h := range route {
		if w.ms[h] > w.ms[least] {
			least = int(h)
		}
	}
	return least
}

// throughput is how many messages can come over some routes per millisecond at most: what the hops of a cover carry.
func (w *network) throughput(routes [][]int32) (rate float64) {
	for _, h := range w.cover(routes) {
		rate += 1 / w.ms[h]
	}
	return rate
}

// cover lists a few hops such that every route passes one of them. They are taken one after the other, the one that
// carries least per route that it is on first.
func (w *network) cover(routes [][]int32) (hops []int) {
	left, on := slices.Clone(routes), make([]int, len(w.ms))
	each := func(h int32) float64 { return 1 / (w.ms[h] * float64(on[h])) }
	for len(left) > 0 {
		passed := slices.Concat(left...)
		for _, h := range passed {
			on[h]++
		}
		best := slices.MinFunc(passed, func(a, b int32) int { return cmp.Or(cmp.Compare(each(a), each(b)), int(a-b)) })
		for _, h := range passed {
			on[h] = 0
		}
		hops = append(hops, int(best))
		left = slices.DeleteFunc(left, func(route []int32) bool { return slices.Contains(route, best) })
	}
	return hops
}

// bound is the largest over all limits that tell nodes apart.
func (s *spread) bound() float64 {
	limits := slices.Clone(s.one)
	slices.Sort(limits)
	limits = slices.Compact(limits)
	best := s.least(0)
	if s.n > mostListed {
		return best // distinguishing slow nodes would mean n² states
	}
	for _, limit := range limits[1:] {
		best = max(best, s.least(limit))
	}
	return best
}

// A state of knowledge: the most nodes that anybody, and that any slow node, can have heard of.
type state struct {
	any, slow int
	met       bool // a slow node has taken part
}

// least is the least time until the slow nodes, all nodes where limit is 0, can have heard of enough. Dijkstra's
// method over states of knowledge.
func (s *spread) least(limit float64) float64 {
	slowNodes := 0
	for _, one := range s.one {
		if limit > 0 && one >= limit*(1-1e-12) {
			slowNodes++
		}
	}
	if limit > 0 && (slowNodes < 2 || math.IsInf(limit, 1)) {
		return 0
	}
	moves := s.moves(limit)
	cost := map[state]float64{{1, 1, false}: 0}
	open := &frontier{{at: state{1, 1, false}}}
	for open.Len() > 0 {
		now := heap.Pop(open).(reached)
		at := now.at
		if now.ms > cost[at] {
			continue
		}
		if limit == 0 && at.any >= s.need || limit > 0 && at.met && at.slow >= s.need {
			return now.ms
		}
		for _, m := range moves {
			next := s.after(at, m, slowNodes)
			ms := now.ms + s.latency + m.ms
			if c, seen := cost[next]; next != at && (!seen || ms < c) {
				cost[next] = ms
				heap.Push(open, reached{next, ms})
			}
		}
	}
	return 0
}

// A frontier orders states by the least time in which they may be reached.
type frontier []reached

type reached struct {
	at state
	ms float64
}

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(a, b int) bool { return f[a].ms < f[b].ms }
func (f frontier) Swap(a, b int)      { f[a], f[b] = f[b], f[a] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(reached)) }
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// A move is a round of some length: how many messages the quickest node and the quickest slow node can hear.
type move struct {
	ms        float64
	any, slow int
	meets     bool // a slow node can take part: what it sends may be quicker than what it hears
}

// moves lists the lengths of rounds at which somebody can hear one message more, or a slow node can take part.
func (s *spread) moves(limit float64) []move {
	var lengths []float64
	for i, one := range s.one {
		if i > 0 && slices.Contains(s.one[:i], one) && slices.Contains(s.rate[:i], s.rate[i]) {
			continue
		}
		lengths = append(lengths, one)
		for d := 1; d < s.n; d++ {
			lengths = append(lengths, max(one, float64(d)/s.rate[i]))
		}
	}
	slices.Sort(lengths)
	var list []move
	for _, ms := range lengths {
		m := move{ms: ms}
		for i, one := range s.one {
			if one > ms*(1+1e-9) {
				continue
			}
			heard := min(int(ms*s.rate[i]*(1+1e-9)), s.n-1)
			m.any = max(m.any, heard)
			if limit > 0 && one >= limit*(1-1e-12) {
				m.slow, m.meets = max(m.slow, heard), true
			}
		}
		k := len(list)
		if m.any > 0 && (k == 0 || m.any > list[k-1].any || m.slow > list[k-1].slow || m.meets && !list[k-1].meets) {
			list = append(list, m)
		}
	}
	return list
}

// after is the most that can be known after one more round.
func (s *spread) after(at state, m move, slowNodes int) state {
	next := at
	before := max(at.any, at.slow)
	next.any = min(s.need, at.any+m.any*before)
	fast := s.n - slowNodes
	switch {
	case !m.meets && !at.met:
		next.any = min(next.any, max(fast, 1))
	case m.meets:
		if m.slow > 0 {
			next.slow = min(s.need, at.slow+m.slow*before)
		}
		if !at.met { // nothing of any slow node was known to others
			next.any = min(next.any, fast+m.any)
			next.slow = min(next.slow, fast+1+m.slow)
		}
		next.met = true
		next.any = max(next.any, next.slow)
	}
	return next
}
