package bound

import (
	"maps"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A Gate says that at most Edges edges join some set of Inside nodes to the others: the one group that it names, or
// some union of Together of several groups of one size that hold all nodes.
type Gate struct {
	Groups        [][]int
	Together      int
	Inside, Edges int
}

// mostDivisions is how many ways to divide the nodes are looked at. Hardware has a few levels.
const mostDivisions = 64

// gates returns what is known about the edges between groups of nodes that limits hold apart, if there are at most
// budget edges in all. Single nodes are left to their degrees.
func (s *sharing) gates(budget int) []Gate {
	var gates []Gate
	for _, groups := range s.divisions() {
		d := division{groups: groups, leaving: make([]int, len(groups)), across: min(budget, s.most(s.across(groups)))}
		size, even := len(groups[0]), true
		for g, nodes := range groups {
			even = even && len(nodes) == size
			if len(nodes) > 1 {
				d.leaving[g] = min(budget, s.most(s.leaving(nodes)))
				gates = append(gates, Gate{Groups: groups[g : g+1], Together: 1, Inside: len(nodes),
					Edges: max(1, d.leaving[g])})
			}
		}
		for h := 1; even && len(groups) > 2 && h <= len(groups)/2; h++ {
			gates = append(gates, Gate{Groups: groups, Together: h, Inside: h * size, Edges: max(1, d.around(h))})
		}
	}
	return gates
}

// A division is a way to divide the nodes into groups, with the most edges that can leave each, and that can join
// different ones.
type division struct {
	groups  [][]int
	leaving []int
	across  int
}

// around returns a number of edges that some union of h groups is left by at most.
func (d division) around(h int) int {
	p, ends := len(d.groups), sum(d.leaving)
	most := min(d.across, ends/2)
	// Of all unions, 2h(p−h)/(p(p−1)) have a given pair of groups on different sides: on average that share crosses.
	average := func(edges int) int { return edges * 2 * h * (p - h) / (p * (p - 1)) }
	few, each := average(most), slices.Max(d.leaving)
	// If every group uses all of its k edges, what leaves h of them is hk less twice the edges among these.
	if ends == p*each && 2*most == ends && (few-h*each)%2 != 0 {
		few = max(few-1, average(most-1))
	}
	if each <= 2 { // groups form a ring or a path, and two edges leave any stretch of it
		few = min(few, 2)
	}
	return few
}

// divisions lists the parts of the candidates that are left when all limits on equally many candidates are taken out,
// such as those of all network cards: the servers.
func (s *sharing) divisions() [][][]int {
	alike := map[int][]int{} // limits by the number of candidates
	for l, limit := range s.limits {
		alike[len(limit.Edges)] = append(alike[len(limit.Edges)], l)
	}
	sizes := slices.Sorted(maps.Keys(alike))
	slices.Reverse(sizes)
	var divisions [][][]int
	for _, size := range sizes[:min(len(sizes), mostDivisions)] {
		if groups := s.without(alike[size]); len(groups) > 1 && len(groups) < s.n {
			divisions = append(divisions, groups)
		}
	}
	return divisions
}

// without returns the parts of the candidates that count against none of the limits, in the order of their first nodes.
func (s *sharing) without(limits []int) [][]int {
	out := make([]bool, len(s.candidates))
	for _, l := range limits {
		for _, k := range s.limits[l].Edges {
			out[k] = true
		}
	}
	parts := topology.NewParts(s.n)
	for k, e := range s.candidates {
		if !out[k] {
			parts.JoinEnds(e)
		}
	}
	var groups [][]int
	number := make([]int, s.n) // of the group, from 1, at the node that stands for it
	for i := range s.n {
		first := parts.Of(i)
		if number[first] == 0 {
			groups = append(groups, nil)
			number[first] = len(groups)
		}
		groups[number[first]-1] = append(groups[number[first]-1], i)
	}
	return groups
}

// leaving lists the candidates that join some nodes to the others.
func (s *sharing) leaving(nodes []int) (edges []int) {
	for _, i := range nodes {
		for _, k := range s.at.of(i) {
			if _, in := slices.BinarySearch(nodes, s.candidates[k].I+s.candidates[k].J-i); !in {
				edges = append(edges, k)
			}
		}
	}
	return edges
}

// across lists the candidates that join different groups.
func (s *sharing) across(groups [][]int) (edges []int) {
	group := make([]int, s.n)
	for g, nodes := range groups {
		for _, i := range nodes {
			group[i] = g
		}
	}
	for k, e := range s.candidates {
		if group[e.I] != group[e.J] {
			edges = append(edges, k)
		}
	}
	return edges
}

func sum(numbers []int) (total int) {
	for _, x := range numbers {
		total += x
	}
	return total
}
