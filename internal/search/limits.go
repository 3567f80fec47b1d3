package search

import (
	"encoding/binary"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// A limitSet are the limits of a restricted problem, found by the edges that they count. It is made once for all
// symmetries that are tried.
type limitSet struct {
	candidates []topology.Edge
	all        []design.Limit
	position   map[string]int // of a limit in all; the first of equal ones
	complete   bool           // every pair is a candidate
	nodes      int
	key        []byte // scratch
	moved      []int
}

func newLimitSet(p Problem) *limitSet {
	s := &limitSet{candidates: p.Space.Candidates, nodes: p.Nodes}
	s.all = append(degreeRows(p, s.candidates), p.Space.Limits...)
	s.complete = len(s.candidates) == topology.Pairs(p.Nodes)
	s.position = make(map[string]int, len(s.all))
	for i, l := range s.all {
		key := s.name(l.Edges, l)
		if _, twice := s.position[string(key)]; !twice {
			s.position[string(key)] = i
		}
	}
	return s
}

// name tells a limit like another, but for these edges, from all that are not the same. It is scratch.
func (s *limitSet) name(edges []int, of design.Limit) []byte {
	kind := byte('=')
	if of.Kind == design.NodeDegree {
		kind = '<'
	}
	s.key = append(s.key[:0], kind)
	for _, k := range edges {
		s.key = binary.AppendVarint(s.key, int64(k))
	}
	s.key = binary.AppendVarint(s.key, int64(of.Max))
	return s.key
}

// shifted is the candidate that a shift of all nodes moves candidate k to.
func (s *limitSet) shifted(k int, next func(node int) int) (int, bool) {
	a, b := next(s.candidates[k].I), next(s.candidates[k].J)
	a, b = min(a, b), max(a, b)
	if s.complete { // those of node 0 come first, n−1 of them, then those of node 1, …
		return a*s.nodes - a*(a+1)/2 + b - a - 1, true
	}
	return slices.BinarySearchFunc(s.candidates, topology.Edge{I: a, J: b}, topology.Edge.Compare)
}

// orbits returns one limit of each orbit that a shift makes of them, or false when it maps a candidate or a limit to
// something that is none.
func (s *limitSet) orbits(next func(node int) int) ([]design.Limit, bool) {
	for k := 0; k < len(s.candidates) && !s.complete; k++ {
		if _, ok := s.shifted(k, next); !ok {
			return nil, false
		}
	}
	seen := make([]bool, len(s.all))
	var out []design.Limit
	for i, l := range s.all {
		if seen[i] || s.position[string(s.name(l.Edges, l))] != i {
			continue
		}
		out = append(out, l)
		for j := i; !seen[j]; {
			seen[j] = true
			s.moved = s.moved[:0]
			for _, e := range s.all[j].Edges {
				to, _ := s.shifted(e, next)
				s.moved = append(s.moved, to)
			}
			slices.Sort(s.moved)
			to, ok := s.position[string(s.name(s.moved, s.all[j]))]
			if !ok {
				return nil, false
			}
			j = to
		}
	}
	return out, true
}
