package feasible

import (
	"context"
	"slices"

	"github.com/batopo/batopo/topology"
)

// prices prove that no connected graph within the capacities has more edges than they say.
//
// Let every resource l cost y_l ≥ 0 for each edge over it. A connected graph S within the capacities e then pays at
// most Σ y_l e_l, so |S| ≤ Σ y_l e_l + Σ_{k∈S} (1 − y(k)), y(k) the price of the route of edge k. The last sum is at
// most the sum of the best connected graph without any capacities: all edges with y(k) < 1 and, to connect the rest, a
// cheapest spanning tree. This holds for all prices; the best ones give the bound of linear programming with the
// polytope of connected graphs. Prices are whole multiples of 1/one and sums are exact, so a bound is a proof and not a
// rounding.
//
// Resources that share edges with no others carry together at most ⌊Σ e_l/u⌋ edges, u the fewest that one of their
// edges uses. This group has a price too: three ports for one edge each carry one edge, not one and a half.
type prices struct {
	p      *packing
	open   []int32 // candidates over resources that all carry something
	group  []int32 // of every resource
	cap    []int64 // of every resource, then of every group
	y      []int64
	at     []int64  // price of every candidate
	dear   []uint64 // scratch: price and number of candidates that cost 1 or more
	tied   *topology.Parts
	load   []int64 // of the best graph at these prices
	proved int
}

const (
	one           = 1 << 20
	dearest       = 64 * one // no resource costs more, so that no sum of prices overflows
	candidateBits = 23       // numbers of candidates are below 1<<23, see limits.Candidates
)

func newPrices(p *packing) *prices {
	d := &prices{p: p, at: make([]int64, len(p.Edges)), tied: topology.NewParts(p.nodes)}
	for k := range int32(len(p.Edges)) {
		if p.open(k) {
			d.open = append(d.open, k)
		}
	}
	d.capacities()
	d.y, d.load = make([]int64, len(d.cap)), make([]int64, len(d.cap))
	d.proved = len(d.open)
	all := d.bound() // at no prices: every candidate
	for g := p.resources; g < len(d.y); g++ {
		d.y[g] = one
	}
	if d.bound() > all {
		clear(d.y)
	}
	return d
}

// capacities finds the groups and what each can carry.
func (d *prices) capacities() {
	p := d.p
	used := make([]int64, p.resources)
	sets := topology.NewParts(p.resources)
	for _, k := range d.open {
		route := p.Route(k)
		for _, l := range route {
			used[l]++
			sets.Join(int(route[0]), int(l))
		}
	}
	d.group = make([]int32, p.resources)
	var edges, fewest []int64
	number := map[int]int32{}
	d.cap = make([]int64, p.resources)
	var together []int64
	for l := range p.resources {
		root := sets.Of(l)
		g, known := number[root]
		if !known {
			g = int32(len(together))
			number[root] = g
			together, edges, fewest = append(together, 0), append(edges, 0), append(fewest, 1<<30)
		}
		d.group[l] = g
		d.cap[l] = min(int64(p.e[l]), used[l])
		together[g] += d.cap[l]
	}
	for _, k := range d.open {
		g := d.group[p.Route(k)[0]]
		edges[g]++
		fewest[g] = min(fewest[g], int64(len(p.Route(k))))
	}
	for g := range together {
		d.cap = append(d.cap, min(edges[g], together[g]/fewest[g]))
	}
}

// bound evaluates the present prices, lowers what is proved, and leaves the loads of the best graph at these prices.
// It is a multiple of 1/one.
func (d *prices) bound() int64 {
	p := d.p
	total := int64(0)
	for l, y := range d.y {
		total += y * d.cap[l]
	}
	clear(d.load)
	d.tied.Reset()
	dear := d.dear[:0]
	count := 0
	take := func(k int32) {
		count++
		total += one - d.at[k]
		for _, l := range p.Route(k) {
			d.load[l]++
		}
		d.load[p.resources+int(d.group[p.Route(k)[0]])]++
	}
	for _, k := range d.open {
		route := p.Route(k)
		price := d.y[p.resources+int(d.group[route[0]])]
		for _, l := range route {
			price += d.y[l]
		}
		if d.at[k] = price; price < one {
			d.tied.JoinEnds(p.Edges[k])
			take(k)
		} else {
			dear = append(dear, uint64(price)<<candidateBits|uint64(k))
		}
	}
	if d.tied.Count() > 1 {
		slices.Sort(dear)
		for _, key := range dear {
			if d.tied.Count() == 1 {
				break
			}
			if k := int32(key & (1<<candidateBits - 1)); d.tied.JoinEnds(p.Edges[k]) {
				take(k)
			}
		}
	}
	d.dear = dear
	if d.tied.Count() > 1 {
		d.proved = 0
		return 0
	}
	d.proved = min(d.proved, int(floorDiv(total, one)))
	return total
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// improve moves the prices until the bound settles the question or the steps run out.
func (d *prices) improve(ctx context.Context, t *kindPrices, wanted goal) {
	if wanted == everything { // there is something to aim at now
		t.improve(wanted.aim(len(d.p.best), d.p.nodes))
		d.adopt(t)
	}
	const most, work = 200, 1 << 22
	best := slices.Clone(d.y)
	lowest := d.bound()
	for range min(most, work/(1+len(d.open))) {
		if ctx.Err() != nil || wanted.settled(len(d.p.best), d.proved) || d.proved < d.p.nodes-1 {
			break
		}
		value, aim := d.bound(), int64(wanted.aim(len(d.p.best), d.p.nodes)*one)
		if value < lowest {
			lowest = value
			copy(best, d.y)
		}
		norm := 0.0
		for l := range d.y {
			if g := d.cap[l] - d.load[l]; d.y[l] > 0 || g < 0 {
				norm += float64(g * g)
			}
		}
		if norm == 0 || value <= aim {
			break
		}
		// Polyak's step along the subgradient: as far as the aim would be if the bound were a plane.
		step := float64(value-aim) / norm
		for l := range d.y {
			d.y[l] = min(max(0, d.y[l]-int64(step*float64(d.cap[l]-d.load[l]))), dearest)
		}
	}
	copy(d.y, best)
	d.bound()
}

// adopt takes over prices by kind, unless they say less than what is known.
func (d *prices) adopt(t *kindPrices) {
	before, old := d.bound(), slices.Clone(d.y)
	clear(d.y)
	for l, c := range t.of {
		d.y[l] = t.y[c]
	}
	if d.bound() > before {
		copy(d.y, old)
	}
	d.proved = min(d.proved, t.proved)
}
