package cluster

import (
	"math"
	"math/rand/v2"

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
	alike *kinds
	free  []bag     // by kind: resources that take one more edge
	some  bag       // kinds that have such
	at    [][]int32 // chosen edges by node
	best  []int32   // the largest connected choice so far
	scan  search    // for walking through the chosen graph
}

func newPacking(s *routes, e []int, k *kinds) *packing {
	p := &packing{routes: s, e: e, alike: k, left: append([]int(nil), e...), in: make([]bool, len(s.edges)),
		on: make([][]int32, s.resources), free: make([]bag, len(k.count)), at: make([][]int32, s.nodes)}
	p.scan.seen = make([]int32, s.nodes)
	for l := range int32(s.resources) {
		if p.takes(l) {
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

// open reports whether every resource of candidate k carries something at all.
func (p *packing) open(k int32) bool {
	for _, l := range p.route(k) {
		if p.e[l] <= 0 {
			return false
		}
	}
	return true
}

// takes reports whether a resource has room for an edge that is not there yet.
func (p *packing) takes(l int32) bool { return p.left[l] > 0 && len(p.on[l]) < len(p.candidates(l)) }

func (p *packing) add(k int32) {
	p.in[k] = true
	p.count++
	for _, l := range p.route(k) {
		took := p.takes(l)
		p.left[l]--
		if p.on[l] = append(p.on[l], k); took && !p.takes(l) {
			p.fillUp(l)
		}
	}
	e := p.edges[k]
	p.at[e.I] = append(p.at[e.I], k)
	p.at[e.J] = append(p.at[e.J], k)
}

func (p *packing) remove(k int32) {
	p.in[k] = false
	p.count--
	for _, l := range p.route(k) {
		took := p.takes(l)
		p.left[l]++
		if p.on[l] = without(p.on[l], k); !took && p.takes(l) {
			p.release(l)
		}
	}
	e := p.edges[k]
	p.at[e.I] = without(p.at[e.I], k)
	p.at[e.J] = without(p.at[e.J], k)
}

// release lists a resource as one that takes an edge again; fillUp takes it off that list.
func (p *packing) release(l int32) {
	kind := p.alike.of[l]
	p.free[kind].add(l)
	p.some.add(kind)
}

func (p *packing) fillUp(l int32) {
	kind := p.alike.of[l]
	if p.free[kind].remove(l); len(p.free[kind].items) == 0 {
		p.some.remove(kind)
	}
}

// A bag is a set of numbers from which one can be drawn.
type bag struct {
	items []int32
	place map[int32]int
}

func (b *bag) add(x int32) {
	if _, in := b.place[x]; in {
		return
	}
	if b.place == nil {
		b.place = map[int32]int{}
	}
	b.place[x] = len(b.items)
	b.items = append(b.items, x)
}

func (b *bag) remove(x int32) {
	at, end := b.place[x], len(b.items)-1
	b.items[at] = b.items[end]
	b.place[b.items[at]] = at
	b.items = b.items[:end]
	delete(b.place, x)
}

func (b *bag) draw(rng *rand.Rand) int32 { return b.items[rng.IntN(len(b.items))] }

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
	p.fill(min(enough, p.nodes-1), func(k int32) bool { return joined.JoinEnds(p.edges[k]) })
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
