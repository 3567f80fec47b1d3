package cluster

import (
	"encoding/binary"
	"slices"
)

// bundles groups the candidate edges by the resources they pass: for a packing those with the same route are alike. Bundles are
// numbered by their first edge and lie in flat arrays, since on a fabric where every host has its own port there is one for every pair.
type bundles struct {
	edges []int32 // per bundle
	from  []int32 // bundle b passes over[from[b]:from[b+1]]
	over  []int32 // resources
}

// newBundles costs time and memory proportional to the number of candidates.
func newBundles(c *Cluster) *bundles {
	s := &bundles{from: []int32{0}}
	byRoute := map[string]int32{}
	var hops []Hop
	var key []byte
	for _, edge := range c.Candidates() {
		hops = c.route(hops[:0], edge.I, edge.J)
		key = key[:0]
		for _, h := range hops {
			key = binary.AppendUvarint(key, uint64(h.Resource))
		}
		b, known := byRoute[string(key)]
		if !known {
			b = int32(len(s.edges))
			byRoute[string(key)] = b
			s.edges = append(s.edges, 0)
			for _, h := range hops {
				s.over = append(s.over, int32(h.Resource))
			}
			s.from = append(s.from, int32(len(s.over)))
		}
		s.edges[b]++
	}
	return s
}

// room is how many edges the fullest resource of a bundle still takes.
func (s *bundles) room(b int32, left []int) int {
	route := s.over[s.from[b]:s.from[b+1]]
	least := left[route[0]]
	for _, l := range route[1:] {
		least = min(least, left[l])
	}
	return least
}

// pack returns how many edges a greedy packing reaches within the capacities e; it stops at enough. The bundle with the most room
// is served first, the lowest number among equals.
//
// Room only shrinks, so bundles wait in one list per room, at what it was when they were last looked at, and move down.
func (s *bundles) pack(e []int, enough int) int {
	left, unpacked := slices.Clone(e), slices.Clone(s.edges)
	waiting := make([][]int32, slices.Max(e)+1)
	for b := range int32(len(s.edges)) {
		room := s.room(b, left)
		waiting[room] = append(waiting[room], b)
	}
	count := 0
	for most := len(waiting) - 1; most > 0; most-- {
		slices.Sort(waiting[most])
		for _, b := range waiting[most] {
			if count >= enough {
				return count
			}
			room := s.room(b, left)
			if room == most {
				// Where there is much room a few edges at a time are as even as one by one.
				const share = 8
				take := min(int(unpacked[b]), max(1, room/share))
				for _, l := range s.over[s.from[b]:s.from[b+1]] {
					left[l] -= take
				}
				count += take
				if unpacked[b] -= int32(take); unpacked[b] == 0 {
					continue
				}
				room = s.room(b, left)
			}
			waiting[room] = append(waiting[room], b)
		}
		waiting[most] = nil
	}
	return count
}
