package feasible

import "math/rand/v2"

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
	p := &packing{routes: s, e: e, alike: k, left: append([]int(nil), e...), in: make([]bool, len(s.Edges)),
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
	for _, l := range p.Route(k) {
		if p.left[l] <= 0 {
			return false
		}
	}
	return true
}

// open reports whether every resource of candidate k carries something at all.
func (p *packing) open(k int32) bool {
	for _, l := range p.Route(k) {
		if p.e[l] <= 0 {
			return false
		}
	}
	return true
}

// takes reports whether a resource has room for an edge that is not there yet.
func (p *packing) takes(l int32) bool { return p.left[l] > 0 && len(p.on[l]) < len(p.Through(l)) }

func (p *packing) add(k int32) {
	p.in[k] = true
	p.count++
	for _, l := range p.Route(k) {
		took := p.takes(l)
		p.left[l]--
		if p.on[l] = append(p.on[l], k); took && !p.takes(l) {
			p.fillUp(l)
		}
	}
	e := p.Edges[k]
	p.at[e.I] = append(p.at[e.I], k)
	p.at[e.J] = append(p.at[e.J], k)
}

func (p *packing) remove(k int32) {
	p.in[k] = false
	p.count--
	for _, l := range p.Route(k) {
		took := p.takes(l)
		p.left[l]++
		if p.on[l] = without(p.on[l], k); !took && p.takes(l) {
			p.release(l)
		}
	}
	e := p.Edges[k]
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
