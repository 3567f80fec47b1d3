package feasible

import "encoding/binary"

// kinds are the resources and the routes of a cluster, those that are alike taken together: resources with the same
// capacity and the same number of candidates, and routes over the same kinds of resource. The half million pairs of a
// large fabric are two or three kinds of route, so what follows from kinds alone is computed at once.
type kinds struct {
	of     []int32   // kind of every resource
	count  []int64   // resources by kind
	over   [][]int32 // by kind of route: the kinds of resource it passes
	edges  []int64   // candidates by kind of route
	perRes []int64   // candidates over one resource, by kind
}

// newKinds takes resources together that have the same mark and as many candidates.
func newKinds(s *routes, mark []float64) *kinds {
	k := &kinds{of: make([]int32, s.resources)}
	type key struct {
		mark       float64
		candidates int
	}
	number := map[key]int32{}
	for l := range int32(s.resources) {
		id := key{mark[l], len(s.Through(l))}
		c, known := number[id]
		if !known {
			c = int32(len(k.count))
			number[id] = c
			k.count, k.perRes = append(k.count, 0), append(k.perRes, int64(id.candidates))
		}
		k.of[l] = c
		k.count[c]++
	}
	routes := map[string]int{}
	var name []byte
	for candidate := range int32(len(s.Edges)) {
		name = name[:0]
		for _, l := range s.Route(candidate) {
			name = binary.AppendUvarint(name, uint64(k.of[l]))
		}
		c, known := routes[string(name)]
		if !known {
			c = len(k.edges)
			routes[string(name)] = c
			k.edges = append(k.edges, 0)
			var over []int32
			for _, l := range s.Route(candidate) {
				over = append(over, k.of[l])
			}
			k.over = append(k.over, over)
		}
		k.edges[c]++
	}
	return k
}

// kindsFor returns the kinds under capacities e. Resources of one bandwidth nearly always have the same capacity, so
// the kinds by bandwidth, which never change, will do; otherwise new ones are made.
func (s *routes) kindsFor(e []int) *kinds {
	k := s.kinds()
	first := make([]int, len(k.count))
	for c := range first {
		first[c] = -1
	}
	for l, c := range k.of {
		if first[c] < 0 {
			first[c] = e[l]
		}
		if first[c] != e[l] {
			mark := make([]float64, s.resources)
			for l := range mark {
				mark[l] = float64(e[l])
			}
			return newKinds(s, mark)
		}
	}
	return k
}

// kindPrices are one price for every kind of resource. What they prove is explained at prices; connection is left out
// here.
type kindPrices struct {
	*kinds
	capacity []int64 // of all resources of a kind together
	open     []bool  // by kind of route: all of its resources carry something
	y        []int64 // price of every kind, in multiples of 1/one
	proved   int     // no graph within the capacities has more edges
}

// newKindPrices looks for prices that say most about capacities e. They are found by Polyak's step along the
// subgradient, as far as the aim, a number of edges, would be if the bound were a plane.
func (s *routes) newKindPrices(e []int, aim float64) *kindPrices {
	k := s.kindsFor(e)
	t := &kindPrices{kinds: k, capacity: make([]int64, len(k.count)), open: make([]bool, len(k.over)),
		y: make([]int64, len(k.count))}
	for l, c := range k.of {
		t.capacity[c] += min(int64(e[l]), k.perRes[c])
	}
	candidates := int64(0)
	for r, over := range k.over {
		t.open[r] = true
		for _, c := range over {
			t.open[r] = t.open[r] && t.capacity[c] > 0
		}
		if t.open[r] {
			candidates += k.edges[r]
		}
	}
	t.proved = int(candidates)
	t.improve(aim)
	return t
}

// improve leaves the best prices found.
func (t *kindPrices) improve(aim float64) {
	y, load := make([]float64, len(t.y)), make([]float64, len(t.y))
	best := float64(t.proved)
	const steps, work = 1000, 1 << 22
	for range min(steps, work/(1+len(t.over))) {
		value := t.bound(y, load)
		if value < best {
			best = value
			for c := range y {
				t.y[c] = int64(y[c]*one + 0.5)
			}
		}
		norm := 0.0
		for c, e := range t.capacity {
			if g := float64(e) - load[c]; y[c] > 0 || g < 0 {
				norm += g * g
			}
		}
		if norm == 0 || value <= aim {
			break
		}
		step := (value - aim) / norm
		for c, e := range t.capacity {
			y[c] = min(max(0, y[c]-step*(float64(e)-load[c])), dearest/one)
		}
	}
	t.proved = min(t.proved, int(floorDiv(t.exact(), one)))
}

// bound evaluates prices and leaves the loads of the best graph at these prices.
func (t *kindPrices) bound(y, load []float64) float64 {
	clear(load)
	value := 0.0
	for c, e := range t.capacity {
		value += y[c] * float64(e)
	}
	for r, over := range t.over {
		price := 0.0
		for _, c := range over {
			price += y[c]
		}
		if t.open[r] && price < 1 {
			value += (1 - price) * float64(t.edges[r])
			for _, c := range over {
				load[c] += float64(t.edges[r])
			}
		}
	}
	return value
}

// exact is the bound at the prices kept, a multiple of 1/one, without any rounding.
func (t *kindPrices) exact() int64 {
	total := int64(0)
	for c, e := range t.capacity {
		total += t.y[c] * e
	}
	for r, over := range t.over {
		price := int64(0)
		for _, c := range over {
			price += t.y[c]
		}
		if t.open[r] {
			total += max(0, one-price) * t.edges[r]
		}
	}
	return total
}
