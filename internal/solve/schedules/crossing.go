package schedules

import "math"

// A crossing holds what it costs, under prices, to leave and to enter every group.
type crossing struct {
	out, in []tolled // per group: the cheapest arc that leaves it, and that enters it
	// per group: the arc into it, and out of it, that exceeds the cheapest of the group at its other end least
	into, from []tolled
}

func (w *network) crossing(price []float64, of []int, count int) crossing {
	x := crossing{make([]tolled, count), make([]tolled, count), make([]tolled, count), make([]tolled, count)}
	for g := range count {
		never := tolled{toll: math.Inf(1)}
		x.out[g], x.in[g], x.into[g], x.from[g] = never, never, never, never
	}
	each := func(visit func(from, to int, a tolled)) {
		for i := range w.n {
			for j := range w.n {
				if of[i] != of[j] && w.linked(i, j) {
					visit(of[i], of[j], tolled{edge{i, j}, w.toll(price, i, j)})
				}
			}
		}
	}
	keep := func(least *tolled, a tolled, toll float64) {
		if toll < least.toll {
			*least = tolled{a.edge, toll}
		}
	}
	each(func(from, to int, a tolled) {
		keep(&x.out[from], a, a.toll)
		keep(&x.in[to], a, a.toll)
	})
	each(func(from, to int, a tolled) {
		keep(&x.into[to], a, a.toll-x.out[from].toll)
		keep(&x.from[from], a, a.toll-x.in[to].toll)
	})
	return x
}

// value is what prices prove about every all-reduce, latency aside, with the nodes in groups; see
// docs/research/bounds.md. By the time the first group has heard of all, the others have sent, one of them to it; each
// of the others has yet to receive, and something has to leave the first. It also returns the arcs whose toll is the
// value, nearly.
func (w *network) value(price []float64, of []int, count int) (ms float64, arcs []edge) {
	x := w.crossing(price, of, count)
	tree := w.groupTree(price, of, count)
	if tree == nil {
		return 0, nil
	}
	sent, received, wood := 0.0, 0.0, 0.0
	for g := range count {
		sent, received = sent+x.out[g].toll, received+x.in[g].toll
	}
	for _, a := range tree {
		wood += a.toll
	}
	ms, first, byTree := math.Inf(1), 0, false
	for r := range count {
		before := sent - x.out[r].toll + x.into[r].toll
		after := received - x.in[r].toll + x.from[r].toll
		if v := max(before, wood) + after; v < ms {
			ms, first, byTree = v, r, wood > before
		}
	}
	for g := range count {
		if g != first {
			arcs = append(arcs, x.in[g].edge)
		}
		if g != first && !byTree {
			arcs = append(arcs, x.out[g].edge)
		}
	}
	if byTree {
		for _, a := range tree {
			arcs = append(arcs, a.edge)
		}
	}
	return ms, arcs
}
