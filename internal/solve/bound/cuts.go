package bound

import "github.com/batopo/batopo/topology"

// cuts returns, for each limit without whose edges the candidates fall apart, the part
// whose separation says most. A limit on the edges of a single node is left to degrees.
func (s *sharing) cuts() (cuts []Cut) {
	var shared []int
	for l, limit := range s.limits {
		if _, single := limit.AtNode(); !single {
			shared = append(shared, l)
		}
	}
	if len(shared) == 0 {
		return nil
	}
	all := make([]int, len(s.candidates), 4*len(s.candidates))
	for k := range all {
		all[k] = k
	}
	size := make([]int, s.n)
	s.withoutEach(shared, all, topology.NewParts(s.n), func(l int, parts *topology.Parts) {
		cuts = append(cuts, Cut{Name: s.limits[l].Name, Inside: evenest(parts, size), Edges: s.limits[l].Max})
	})
	return cuts
}

// withoutEach calls apart, in order, for each of the limits without which the candidates fall apart, with the parts
// that are left. joined are the parts of all candidates but the undecided ones.
//
// What counts against none of the limits is joined once for all of them, and the rest is left to either half. So a
// candidate is looked at once per halving for each limit that it counts against, and not once for every limit.
func (s *sharing) withoutEach(limits, undecided []int, joined *topology.Parts, apart func(int, *topology.Parts)) {
	parts, first, last := joined.Clone(), limits[0], limits[len(limits)-1]
	rest := undecided[len(undecided):] // in the memory behind, which only the calls below use
	for _, k := range undecided {
		if s.usesAny(k, first, last) {
			rest = append(rest, k)
		} else if parts.JoinEnds(s.candidates[k]) && parts.Count() == 1 {
			return
		}
	}
	half := len(limits) / 2
	if half == 0 {
		apart(first, parts)
		return
	}
	s.withoutEach(limits[:half], rest, parts, apart)
	s.withoutEach(limits[half:], rest, parts, apart)
}

// evenest returns the size of the part nearest to half of all nodes; of two equally near, the part that has the first
// node. size is scratch.
func evenest(parts *topology.Parts, size []int) (best int) {
	n := len(size)
	clear(size)
	for i := range n {
		size[parts.Of(i)]++
	}
	for _, nodes := range size {
		if nodes*(n-nodes) > best*(n-best) {
			best = nodes
		}
	}
	return best
}
