package search

import (
	"cmp"
	"slices"

	"github.com/batopo/batopo/topology"
)

// frames returns the symmetries under which the problem loses nothing, by size of the
// orbits, the trivial one (size 1) first. Node classes become orbits, servers that are
// wired alike become fibres.
func frames(p Problem, m *Memory) []*frame {
	p = p.plain()
	if p.Space != nil {
		return listedFrames(p, m.limits(p))
	}
	var out []*frame
	for _, size := range p.sizes() {
		if f := degreeFrame(p, size); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// listedFrames are the frames of a problem whose pairs are listed. Those of many orbits have large tables: on many
// nodes they are left out where there are others worth searching, and where they would never be searched.
func listedFrames(p Problem, limits *limitSet) []*frame {
	var few, many []*frame // orbits
	sizes := p.sizes()
	for _, size := range sizes {
		if p.Nodes <= mostListed || p.Nodes/size <= mostOrbits {
			few = append(few, spaceFrames(p, limits, size)...)
		}
	}
	if p.Nodes <= mostListed || p.Nodes > mostFree || rich(few, p.Nodes) {
		return few
	}
	for _, size := range sizes {
		if p.Nodes/size > mostOrbits {
			many = append(many, spaceFrames(p, limits, size)...)
		}
	}
	return append(many, few...)
}

// sizes are the sizes of orbits to look at.
func (p Problem) sizes() []int {
	var out []int
	for size := 1; size <= p.Nodes; size++ {
		if p.Nodes%size == 0 && p.Symmetry.looksAt(size) {
			out = append(out, size)
		}
	}
	return out
}

// plain says the same problem without a list of pairs where its limits are nothing but degrees.
func (p Problem) plain() Problem {
	if p.Space == nil || p.Space.Exact {
		return p
	}
	degrees, ok := p.Space.Degrees()
	if !ok {
		return p
	}
	for i, d := range degrees {
		degrees[i] = min(d, p.degree(i))
	}
	p.Space, p.Degrees = nil, degrees
	return p
}

// mostLost is the part of what limits allow that a symmetry may leave unused. Algorithm 1 hands out the last edges one
// by one: without that, an edge more would end the symmetry of nodes that are alike.
const mostLost = 0.125

// degreeFrame makes orbits of nodes with nearly the same degree limit, whose least holds for all; nil when classes of
// nodes do not split into orbits of that size.
func degreeFrame(p Problem, size int) *frame {
	order := topology.InOrder(p.Nodes)
	if size > 1 && p.Degrees != nil {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p.degree(j), p.degree(i)) })
	}
	f := &frame{orbits: p.Nodes / size, size: size, budget: p.budget(), caps: make([]int, p.Nodes/size)}
	lost, total := 0, 0
	for i, node := range order {
		least := p.degree(order[i-i%size+size-1]) // they fall
		f.caps[i/size] = least
		lost, total = lost+p.degree(node)-least, total+p.degree(node)
	}
	if float64(lost) > mostLost*float64(total) {
		return nil
	}
	if !slices.IsSorted(order) {
		f.label = order
	}
	if most := slices.Max(f.caps); most != slices.Min(f.caps) {
		f.share = make([]float64, f.orbits)
		for a, c := range f.caps {
			f.share[a] = float64(most) / float64(c)
		}
	}
	return f
}
