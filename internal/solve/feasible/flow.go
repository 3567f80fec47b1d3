package feasible

import "math"

// A transport says how every edge uses one limit on the left and one on the right, so that
// the limits form a transport problem and the best choice is a minimum-cost flow
// source → left limit → edge → right limit → sink with unit capacity per edge.
// With one limit per edge the right side is a single unlimited place.
type transport struct {
	left, right []int // per candidate: position among the places of its side
	leftMax     []int
	rightMax    []int
}

// transportOf recognises the structure: two-colour the limits so that every usable
// candidate has one of each colour. It returns nil when that cannot be done.
func (ix *index) transportOf() *transport {
	m := len(ix.uses)
	limits := ix.space.Limits
	tr := &transport{left: make([]int, m), right: make([]int, m), leftMax: make([]int, len(limits))}
	if ix.everyUses(1) {
		for l, limit := range limits {
			tr.leftMax[l] = limit.Max
		}
		for k, uses := range ix.uses {
			if ix.used[k] {
				tr.left[k] = uses[0]
			}
		}
		tr.rightMax = []int{math.MaxInt}
		return tr
	}
	if !ix.everyUses(2) {
		return nil
	}
	colour := make([]int, len(limits)) // 0 unknown, 1 left, 2 right
	for root := range limits {
		if colour[root] != 0 {
			continue
		}
		colour[root] = 1
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			for _, k := range limits[queue[0]].Edges {
				if !ix.used[k] {
					continue
				}
				other := ix.otherLimit(k, queue[0])
				switch colour[other] {
				case 0:
					colour[other] = 3 - colour[queue[0]]
					queue = append(queue, other)
				case colour[queue[0]]:
					return nil
				}
			}
		}
	}
	tr.rightMax = make([]int, len(limits))
	for l, limit := range limits {
		if colour[l] == 1 {
			tr.leftMax[l] = limit.Max
		} else {
			tr.rightMax[l] = limit.Max
		}
	}
	for k, uses := range ix.uses {
		if ix.used[k] {
			tr.left[k], tr.right[k] = uses[0], uses[1]
			if colour[uses[0]] == 2 {
				tr.left[k], tr.right[k] = uses[1], uses[0]
			}
		}
	}
	return tr
}

// best fills s with the choice of largest score among those with as many edges as the
// limits and the budget allow, by successive shortest augmenting paths. Path lengths may
// be negative, so they are found by Bellman–Ford over the places; no cycle is ever negative.
func (tr *transport) best(s *Selection, score []float64) {
	s.clear()
	roomLeft, roomRight := append([]int(nil), tr.leftMax...), append([]int(nil), tr.rightMax...)
	for len(s.chosen) < s.ix.space.MaxEdges {
		path, from, to := tr.cheapest(s, score, roomLeft, roomRight)
		if path == nil {
			return
		}
		for _, k := range path {
			s.flip(k)
		}
		roomLeft[from]--
		roomRight[to]--
	}
}

// cheapest returns the augmenting path that raises the score most (or lowers it least).
func (tr *transport) cheapest(s *Selection, score []float64, roomLeft, roomRight []int) (path []int, from, to int) {
	const never = math.MaxFloat64
	a, b := len(roomLeft), len(roomRight)
	length := make([]float64, a+b) // left places, then right places
	by := make([]int, a+b)         // edge that led here
	for v := range length {
		length[v], by[v] = never, None
		if v < a && roomLeft[v] > 0 {
			length[v] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for k, used := range s.ix.used {
			if !used {
				continue
			}
			u, v, cost := tr.left[k], a+tr.right[k], -score[k]
			if s.in[k] {
				u, v, cost = v, u, score[k]
			}
			// The margin keeps rounding errors from going round a cycle of length zero.
			if length[u] < never && length[u]+cost < length[v]-1e-12 {
				length[v], by[v], changed = length[u]+cost, k, true
			}
		}
	}
	end := None
	for v := range b {
		if roomRight[v] > 0 && length[a+v] < never && (end == None || length[a+v] < length[end]) {
			end = a + v
		}
	}
	if end == None {
		return nil, 0, 0
	}
	v := end
	for by[v] != None {
		k := by[v]
		path = append(path, k)
		if v >= a {
			v = tr.left[k]
		} else {
			v = a + tr.right[k]
		}
	}
	return path, v, end - a
}
