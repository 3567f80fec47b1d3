package search

import (
	"cmp"
	"slices"
)

// frames returns the symmetries under which the problem loses nothing, by size of the
// orbits, the trivial one (size 1) first. Node classes become orbits, servers that are
// wired alike become fibres.
func frames(p Problem) []*frame {
	p = p.plain()
	var out []*frame
	for size := 1; size <= p.Nodes; size++ {
		if p.Nodes%size != 0 || !p.Symmetry.looksAt(size) {
			continue
		}
		if p.Space == nil {
			if f := degreeFrame(p, size); f != nil {
				out = append(out, f)
			}
			continue
		}
		if p.Nodes > mostFree && p.Nodes/size > mostOrbits {
			continue // would never be searched, and its table takes seconds
		}
		out = append(out, spaceFrames(p, size)...)
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

// degreeFrame makes orbits of nodes with the same degree limit; nil when a class
// of nodes does not split into orbits of that size.
func degreeFrame(p Problem, size int) *frame {
	order := make([]int, p.Nodes)
	for i := range order {
		order[i] = i
	}
	if size > 1 && p.Degrees != nil {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p.degree(j), p.degree(i)) })
	}
	f := &frame{orbits: p.Nodes / size, size: size, budget: p.budget(), caps: make([]int, p.Nodes/size)}
	for i, node := range order {
		f.caps[i/size] = p.degree(node)
		if p.degree(node) != p.degree(order[i-i%size]) {
			return nil
		}
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
