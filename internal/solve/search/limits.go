package search

import (
	"maps"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// A Memory keeps what the searches of one cluster have in common, however many edges its resources may carry: which
// symmetries its candidate edges and limits have. The zero value is ready. It serves one search after the other.
type Memory struct{ last *pattern }

// limits returns the limits of a restricted problem, with what is known of a problem with the same ones.
func (m *Memory) limits(p Problem) *limitSet {
	all := append(degreeRows(p, p.Space.Candidates), p.Space.Limits...)
	if m == nil {
		return &limitSet{newPattern(p, all), all}
	}
	if m.last == nil || !m.last.counts(p.Space.Candidates, all) {
		m.last = newPattern(p, all)
	}
	return &limitSet{m.last, all}
}

// A limitSet are the limits of a restricted problem. It is made once for all symmetries that are tried.
type limitSet struct {
	*pattern
	all []design.Limit
}

// A pattern says which candidates limits count, but not how many they allow.
type pattern struct {
	nodes      int
	candidates []topology.Edge
	complete   bool // every pair is a candidate
	limits     []design.Limit
	class      []int           // of a limit: the first that counts the same edges
	first      map[summary]int // the first limit of a class
	turns      map[[2]int]*turn
	mark       []int // scratch, by candidate: one more than the last limit that was compared and counts it
}

// A summary tells nearly all sets of edges apart.
type summary struct {
	degree bool
	count  int
	sum    uint64
}

// A turn is a shift of all nodes, and what it makes of the limits.
type turn struct {
	orbit []int // of a class, by its first limit: the first class of its orbit; nil where the shift is no symmetry
	size  []int // of the orbit that begins with a class

	representatives []int // for which the table was made
	table           *arcTable
}

func newPattern(p Problem, limits []design.Limit) *pattern {
	s := &pattern{nodes: p.Nodes, candidates: p.Space.Candidates, limits: limits, class: make([]int, len(limits)),
		first: map[summary]int{}, turns: map[[2]int]*turn{}, mark: make([]int, len(p.Space.Candidates))}
	s.complete = len(s.candidates) == topology.Pairs(p.Nodes)
	for i, l := range limits {
		class, ok := s.find(l.Edges, l.Kind)
		if !ok {
			class = i
			s.first[summarise(l.Edges, l.Kind)] = i
		}
		s.class[i] = class
	}
	return s
}

// counts reports whether limits count the edges of this pattern.
func (s *pattern) counts(candidates []topology.Edge, limits []design.Limit) bool {
	return slices.Equal(s.candidates, candidates) && slices.EqualFunc(s.limits, limits, func(a, b design.Limit) bool {
		return a.Kind == b.Kind && slices.Equal(a.Edges, b.Edges)
	})
}

func summarise(edges []int, kind design.LimitKind) summary {
	out := summary{degree: kind == design.NodeDegree, count: len(edges)}
	for _, k := range edges {
		x := (uint64(k) + 1) * 0x9e3779b97f4a7c15 // the sum of scrambled numbers, in whatever order they come
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		out.sum += x ^ x>>27
	}
	return out
}

// find returns the first limit that counts these edges, in whatever order, and is on a degree or not.
func (s *pattern) find(edges []int, kind design.LimitKind) (class int, ok bool) {
	class, ok = s.first[summarise(edges, kind)]
	if !ok {
		return 0, false
	}
	for _, k := range s.limits[class].Edges {
		s.mark[k] = class + 1
	}
	return class, !slices.ContainsFunc(edges, func(k int) bool { return s.mark[k] != class+1 })
}

// shifted is the candidate that a shift of all nodes moves candidate k to.
func (s *pattern) shifted(k int, next []int) (int, bool) {
	a, b := next[s.candidates[k].I], next[s.candidates[k].J]
	a, b = min(a, b), max(a, b)
	if s.complete { // those of node 0 come first, n−1 of them, then those of node 1, …
		return a*s.nodes - a*(a+1)/2 + b - a - 1, true
	}
	return slices.BinarySearchFunc(s.candidates, topology.Edge{I: a, J: b}, topology.Edge.Compare)
}

// turned looks at a shift; its orbits are nil where it maps a candidate or a limit to something that is none.
func (s *pattern) turned(next []int) *turn {
	for k := 0; k < len(s.candidates) && !s.complete; k++ {
		if _, ok := s.shifted(k, next); !ok {
			return new(turn)
		}
	}
	t := &turn{orbit: slices.Repeat([]int{-1}, len(s.limits)), size: make([]int, len(s.limits))}
	var moved []int
	for i := range s.limits {
		if s.class[i] != i {
			continue
		}
		for j := i; t.orbit[j] < 0; {
			t.orbit[j] = i
			t.size[i]++
			moved = moved[:0]
			for _, e := range s.limits[j].Edges {
				to, _ := s.shifted(e, next)
				moved = append(moved, to)
			}
			to, ok := s.find(moved, s.limits[j].Kind)
			if !ok {
				return new(turn)
			}
			j = to
		}
	}
	return t
}

// orbits returns the position of one limit of each orbit that a shift makes of them, or false when it maps a candidate
// or a limit to something that is none. Where limits need not be filled, the least of an orbit holds for all of it if
// little is lost; where they do, all must be the same.
func (s *limitSet) orbits(t *turn, exact bool) ([]int, bool) {
	if t.orbit == nil {
		return nil, false
	}
	least, ofOrbit := map[int]int{}, map[int]int{} // limit of a class, of an orbit
	for i := range s.all {
		s.keepLeast(least, s.class[i], i)
	}
	for class, i := range least {
		s.keepLeast(ofOrbit, t.orbit[class], i)
	}
	lost, total := 0, 0
	for class, i := range least {
		room := s.room(i)
		lost, total = lost+room-s.room(ofOrbit[t.orbit[class]]), total+room
	}
	if lost > 0 && (exact || float64(lost) > mostLost*float64(total)) {
		return nil, false
	}
	return slices.Sorted(maps.Values(ofOrbit)), true
}

// keepLeast notes limit i under a key if it allows less than the one that is there, or as much and comes before it.
func (s *limitSet) keepLeast(least map[int]int, key, i int) {
	at, ok := least[key]
	if !ok || s.all[i].Max < s.all[at].Max || s.all[i].Max == s.all[at].Max && i < at {
		least[key] = i
	}
}

// room is how many edges limit i can count.
func (s *limitSet) room(i int) int { return min(s.all[i].Max, len(s.all[i].Edges)) }
