package cluster

import (
	"math"

	"github.com/batopo/batopo/topology"
)

// A packing is a set of candidate edges that keeps to capacities. The largest connected one is wanted.
type packing struct {
	*routes
	e     []int // capacities
	left  []int // what the chosen edges leave of them
	in    []bool
	count int
	on    [][]int32 // chosen edges by resource
	free  []int32   // resources that take one more edge, in no order
	place []int32   // where each resource stands in free, −1 where it does not
	at    [][]int32 // chosen edges by node
	best  []int32   // the largest connected choice so far
	scan  search    // for walking through the chosen graph
}

func newPacking(s *routes, e []int) *packing {
	p := &packing{routes: s, e: e, left: append([]int(nil), e...), in: make([]bool, len(s.edges)),
		on: make([][]int32, s.resources), place: make([]int32, s.resources), at: make([][]int32, s.nodes)}
	p.scan.seen = make([]int32, s.nodes)
	for l := range int32(s.resources) {
		if p.place[l] = -1; e[l] > 0 {
			p.release(l)
		}
	}
	return p
}

// room reports whether every resource of candidate k takes one more edge.
func (p *packing) room(k int32) bool {
	for _, l := range p.route(k) {
		if p.left[l] <= 0 {
			return false
		}
	}
	return true
}

func (p *packing) add(k int32) {
	p.in[k] = true
	p.count++
	for _, l := range p.route(k) {
		if p.left[l]--; p.left[l] == 0 {
			p.fillUp(l)
		}
		p.on[l] = append(p.on[l], k)
	}
	e := p.edges[k]
	p.at[e.I] = append(p.at[e.I], k)
	p.at[e.J] = append(p.at[e.J], k)
}

func (p *packing) remove(k int32) {
	p.in[k] = false
	p.count--
	for _, l := range p.route(k) {
		if p.left[l]++; p.left[l] == 1 {
			p.release(l)
		}
		p.on[l] = without(p.on[l], k)
	}
	e := p.edges[k]
	p.at[e.I] = without(p.at[e.I], k)
	p.at[e.J] = without(p.at[e.J], k)
}

// release lists a resource as one that takes an edge again; fillUp takes it off that list.
func (p *packing) release(l int32) {
	p.place[l] = int32(len(p.free))
	p.free = append(p.free, l)
}

func (p *packing) fillUp(l int32) {
	last := p.free[len(p.free)-1]
	p.free[p.place[l]], p.place[last] = last, p.place[l]
	p.free = p.free[:len(p.free)-1]
	p.place[l] = -1
}

// without removes k and keeps no order.
func without(list []int32, k int32) []int32 {
	for x, v := range list {
		if v == k {
			list[x] = list[len(list)-1]
			return list[:len(list)-1]
		}
	}
	return list
}

// keep remembers the present choice if it is connected and the largest so far.
func (p *packing) keep() {
	if p.count > len(p.best) && p.count >= p.nodes-1 && p.components() == 1 {
		p.best = p.best[:0]
		for k, in := range p.in {
			if in {
				p.best = append(p.best, int32(k))
			}
		}
	}
}

// greedy first connects the nodes, then adds edges while there is room and fewer than enough: always one that takes the
// smallest part of what its resources have left, Σ 1/left, the lowest number among equals. That cost only grows, so
// candidates wait in lists by cost, eight to a doubling, at what it was when they were last looked at.
func (p *packing) greedy(enough int) {
	joined := topology.NewParts(p.nodes)
	p.fill(enough, func(k int32) bool { return joined.JoinEnds(p.edges[k]) })
	p.fill(enough, func(int32) bool { return true })
}

func (p *packing) fill(enough int, wanted func(k int32) bool) {
	// The exponent of the cost and three bits of its mantissa: eight levels from 2⁻³², less than any cost, to 1, then to
	// 2, ….
	const levels, mantissa, least = 8 * 64, 52 - 3, (1023 - 32) << 3
	level := func(k int32) int {
		cost := 0.0
		for _, l := range p.route(k) {
			cost += 1 / float64(p.left[l])
		}
		return min(levels-1, int(math.Float64bits(cost)>>mantissa)-least)
	}
	var waiting [levels][]int32
	put := func(k int32) {
		if !p.in[k] && p.room(k) {
			at := level(k)
			waiting[at] = append(waiting[at], k)
		}
	}
	for k := range int32(len(p.edges)) {
		put(k)
	}
	for at := range waiting {
		for x := 0; x < len(waiting[at]); x++ {
			k := waiting[at][x]
			switch {
			case p.count >= enough:
				return
			case !p.room(k):
			case level(k) > at:
				put(k)
			case wanted(k):
				p.add(k)
			}
		}
		waiting[at] = nil
	}
}

// search is scratch for breadth-first search in a chosen graph.
type search struct {
	seen  []int32 // by node: the number of the search that saw it
	round int32
	queue []int32
}

// components counts the parts of the chosen graph.
func (p *packing) components() int {
	p.scan.round++
	parts := 0
	for i := range p.nodes {
		if p.scan.seen[i] != p.scan.round {
			parts++
			p.reach(i, -1)
		}
	}
	return parts
}

// reach marks what the chosen edges connect with a node; it stops at target and reports whether it came there.
func (p *packing) reach(from, target int) bool {
	s := &p.scan
	s.seen[from] = s.round
	s.queue = append(s.queue[:0], int32(from))
	for head := 0; head < len(s.queue); head++ {
		i := int(s.queue[head])
		if i == target {
			return true
		}
		for _, k := range p.at[i] {
			if j := other(p.edges[k], i); s.seen[j] != s.round {
				s.seen[j] = s.round
				s.queue = append(s.queue, int32(j))
			}
		}
	}
	return false
}

// joined reports whether the chosen edges connect two nodes.
func (p *packing) joined(i, j int) bool {
	p.scan.round++
	return p.reach(i, j)
}

func other(e topology.Edge, i int) int { return e.I + e.J - i }
