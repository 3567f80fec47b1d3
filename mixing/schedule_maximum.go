package mixing

import (
	"slices"

	"github.com/batopo/batopo/topology"
)

// maximumMatching returns as many pairs without a common node as a graph has (Edmonds 1965: a search for
// augmenting paths that shrinks odd cycles). Among those it prefers what comes first in the order of the edges, so a
// random order gives a random matching.
func maximumMatching(n int, edges []topology.Edge) []topology.Edge {
	m := &matching{near: make([][]int, n), mate: make([]int, n), parent: make([]int, n), base: make([]int, n),
		even: make([]bool, n), inside: make([]bool, n)}
	for i := range m.mate {
		m.mate[i] = none
	}
	for _, e := range edges {
		m.near[e.I], m.near[e.J] = append(m.near[e.I], e.J), append(m.near[e.J], e.I)
		if m.mate[e.I] == none && m.mate[e.J] == none {
			m.mate[e.I], m.mate[e.J] = e.J, e.I
		}
	}
	for root := range n {
		if m.mate[root] != none {
			continue
		}
		for at := m.search(root); at != none; { // turn the path round
			before := m.parent[at]
			next := m.mate[before]
			m.mate[at], m.mate[before] = before, at
			at = next
		}
	}
	var pairs []topology.Edge
	for i, j := range m.mate {
		if j > i {
			pairs = append(pairs, topology.Edge{I: i, J: j})
		}
	}
	return pairs
}

// A matching under construction, with the forest of one search.
type matching struct {
	near   [][]int
	mate   []int
	parent []int // of odd nodes: the even node before it
	base   []int // of the odd cycle that a node was shrunk into
	even   []bool
	inside []bool
	queue  []int
}

// search looks for a path from a free node to another that can be turned round; it returns the end, or none.
func (m *matching) search(root int) int {
	for i := range m.mate {
		m.parent[i], m.base[i], m.even[i] = none, i, false
	}
	m.even[root] = true
	m.queue = append(m.queue[:0], root)
	for k := 0; k < len(m.queue); k++ {
		at := m.queue[k]
		for _, to := range m.near[at] {
			switch {
			case m.base[at] == m.base[to] || m.mate[at] == to:
			case to == root || m.mate[to] != none && m.parent[m.mate[to]] != none:
				m.shrink(at, to)
			case m.parent[to] == none:
				m.parent[to] = at
				if m.mate[to] == none {
					return to
				}
				m.even[m.mate[to]] = true
				m.queue = append(m.queue, m.mate[to])
			}
		}
	}
	return none
}

// shrink makes an odd cycle one node: all of its nodes become even.
func (m *matching) shrink(a, b int) {
	base := m.meeting(a, b)
	for i := range m.inside {
		m.inside[i] = false
	}
	m.mark(a, b, base)
	m.mark(b, a, base)
	for i := range m.base {
		if m.inside[m.base[i]] {
			m.base[i] = base
			if !m.even[i] {
				m.even[i] = true
				m.queue = append(m.queue, i)
			}
		}
	}
}

// meeting is where the ways of two even nodes to the root meet.
func (m *matching) meeting(a, b int) int {
	var way []int
	for {
		a = m.base[a]
		way = append(way, a)
		if m.mate[a] == none {
			break
		}
		a = m.parent[m.mate[a]]
	}
	for {
		b = m.base[b]
		if slices.Contains(way, b) {
			return b
		}
		b = m.parent[m.mate[b]]
	}
}

func (m *matching) mark(at, child, base int) {
	for m.base[at] != base {
		m.inside[m.base[at]], m.inside[m.base[m.mate[at]]] = true, true
		m.parent[at] = child
		child = m.mate[at]
		at = m.parent[m.mate[at]]
	}
}
