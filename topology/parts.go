package topology

import "slices"

// Parts is a partition of things numbered from 0 into those joined so far. One goroutine owns it.
type Parts struct {
	parent []int32
	count  int
}

// NewParts returns n parts of one thing each.
func NewParts(n int) *Parts {
	p := &Parts{parent: make([]int32, n)}
	p.Reset()
	return p
}

// Reset takes all parts apart again.
func (p *Parts) Reset() {
	for i := range p.parent {
		p.parent[i] = int32(i)
	}
	p.count = len(p.parent)
}

// Clone returns a copy.
func (p *Parts) Clone() *Parts { return &Parts{parent: slices.Clone(p.parent), count: p.count} }

// Count returns the number of parts.
func (p *Parts) Count() int { return p.count }

// Of returns the member that stands for the part of i: the first.
func (p *Parts) Of(i int) int {
	for p.parent[i] != int32(i) {
		p.parent[i] = p.parent[p.parent[i]]
		i = int(p.parent[i])
	}
	return i
}

// Join joins the parts of i and j and reports whether they were two.
func (p *Parts) Join(i, j int) bool {
	a, b := p.Of(i), p.Of(j)
	if a == b {
		return false
	}
	p.parent[max(a, b)] = int32(min(a, b))
	p.count--
	return true
}

// JoinEnds joins the parts at the ends of an edge and reports whether they were two.
func (p *Parts) JoinEnds(e Edge) bool { return p.Join(e.I, e.J) }
