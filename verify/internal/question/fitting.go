package question

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
)

// Judge looks for a connected graph with the given number of edges within capacities e, and for a proof that there is
// none.
func (r *Routes) Judge(e []int, edges int) Verdict {
	open := r.useful(e)
	parts := topology.NewParts(r.Nodes)
	for _, k := range open {
		parts.JoinEnds(r.Candidates[k])
	}
	if parts.Count() > 1 || r.priced(open, e, edges) {
		return Refuted
	}
	if r.packed(open, e, edges) {
		return Fits
	}
	return Undecided
}

// useful returns the candidates that a connected graph within capacities may have: those over resources that all carry
// something, and of more than two nodes none between two that have room for one edge each.
func (r *Routes) useful(e []int) (open []int) {
	at := make([]int, r.Nodes) // open candidates at each node
	for k, edge := range r.Candidates {
		if !slices.ContainsFunc(r.Counts[k], func(l int32) bool { return e[l] == 0 }) {
			open = append(open, k)
			at[edge.I]++
			at[edge.J]++
		}
	}
	here := make(map[[2]int]int) // open candidates at a node that pass a resource with room for one
	single := make([]bool, r.Nodes)
	for _, k := range open {
		edge := r.Candidates[k]
		for _, l := range r.Counts[k] {
			for _, i := range [2]int{edge.I, edge.J} {
				if key := [2]int{i, int(l)}; e[l] == 1 {
					here[key]++
					single[i] = single[i] || here[key] == at[i]
				}
			}
		}
	}
	return slices.DeleteFunc(open, func(k int) bool {
		edge := r.Candidates[k]
		return r.Nodes > 2 && single[edge.I] && single[edge.J]
	})
}

// A tariff is a price for every kind of resource, and a premium for edges that hold the nodes together.
type tariff struct {
	kinds int       // the prices before the premiums
	total []float64 // what a price multiplies: the capacities of its kind; less the edges that a premium is sure of
	ways  []way
	slope []float64
	torn  bool // a kind of resource does not carry the edges that hold the nodes together
}

// A way is a number of edges that pay the same prices and get the same premiums.
type way struct {
	over  []int
	edges float64
}

// priced reports whether prices prove that no connected graph with that many of the edges fits into capacities. If a
// resource costs y for every edge over it, the edges of a graph that fits pay at most Σ y·e, and each counts 1: so
// there are at most Σ y·e + Σ max(0, 1 − what the edge pays). Nodes that fall into p parts without some kind of
// resource have p − 1 edges between parts at least; a premium z for each of these adds z to what the edge counts and
// takes z·(p − 1) off the sum. Any prices and premiums are a proof. They are looked for along the slope of the sum, and
// tried rounded to halves, thirds and quarters as well: corners of the problem.
func (r *Routes) priced(open, e []int, wanted int) bool {
	t := r.newTariff(open, e)
	if t.torn {
		return true
	}
	aim := float64(wanted) - 0.5
	y, best, rounded := make([]float64, len(t.total)), make([]float64, len(t.total)), make([]float64, len(t.total))
	least := math.Inf(1)
	const steps, work = 1000, 1 << 23
	for range min(steps, 1+work/(1+len(t.ways))) {
		value := t.bill(y)
		if value < least {
			least = value
			copy(best, y)
		}
		length := 0.0
		for c, g := range t.slope {
			if y[c] > 0 || g < 0 {
				length += g * g
			}
		}
		if least < aim || length == 0 {
			break
		}
		for c, g := range t.slope {
			y[c] = min(max(0, y[c]-(value-aim)/length*g), dearest)
		}
	}
	for _, parts := range []float64{1, 2, 3, 4} {
		for c := range rounded {
			rounded[c] = math.Round(best[c]*parts) / parts
		}
		least = min(least, t.bill(rounded))
	}
	return least < float64(wanted)*(1-slack)-slack
}

// dearest is more than any price of use, so that sums lose no digits that matter.
const dearest = 1 << 10

// bill is the sum that prices prove, and leaves its slope.
func (t *tariff) bill(y []float64) (sum float64) {
	copy(t.slope, t.total)
	for c, v := range t.total {
		sum += y[c] * v
	}
	for _, w := range t.ways {
		left := 1.0
		for _, c := range w.over {
			left -= y[c] * t.sign(c)
		}
		if left > 0 {
			sum += left * w.edges
			for _, c := range w.over {
				t.slope[c] -= w.edges * t.sign(c)
			}
		}
	}
	return sum
}

func (t *tariff) sign(c int) float64 {
	if c < t.kinds {
		return 1
	}
	return -1
}

// newTariff takes resources together that carry fewer of the edges than pass them, as many as the others, and over
// which as many pass. The other resources limit nothing.
func (r *Routes) newTariff(open, e []int) *tariff {
	t := &tariff{}
	passing := make([]int, len(e))
	for _, k := range open {
		for _, l := range r.Counts[k] {
			passing[l]++
		}
	}
	of, number := slices.Repeat([]int{-1}, len(e)), map[[2]int]int{}
	for l, count := range passing {
		if count <= e[l] {
			continue
		}
		key := [2]int{e[l], count}
		c, known := number[key]
		if !known {
			c = len(t.total)
			number[key], t.total = c, append(t.total, 0)
		}
		of[l] = c
		t.total[c] += float64(e[l])
	}
	t.kinds = len(t.total)
	parts := r.fallingApart(open, of, t)
	t.list(r, open, of, parts)
	t.slope = make([]float64, len(t.total))
	return t
}

// mostCuts is for how many kinds of resources it is asked what they hold together.
const mostCuts = 16

// fallingApart returns the parts into which the nodes fall without the edges over a kind of resource, for the kinds
// without which they do.
func (r *Routes) fallingApart(open, of []int, t *tariff) (all []*topology.Parts) {
	for kind := range min(t.kinds, mostCuts) {
		parts := topology.NewParts(r.Nodes)
		for _, k := range open {
			if !slices.ContainsFunc(r.Counts[k], func(l int32) bool { return of[l] == kind }) {
				parts.JoinEnds(r.Candidates[k])
			}
		}
		if parts.Count() > 1 {
			all = append(all, parts)
			t.total = append(t.total, -float64(parts.Count()-1))
			t.torn = t.torn || t.total[kind] < float64((parts.Count()-1)*r.fewest(open, of, kind, parts))
		}
	}
	return all
}

// fewest is how many resources of a kind an edge between parts passes at least.
func (r *Routes) fewest(open, of []int, kind int, parts *topology.Parts) int {
	least := math.MaxInt
	for _, k := range open {
		if edge := r.Candidates[k]; parts.Of(edge.I) != parts.Of(edge.J) {
			passed := 0
			for _, l := range r.Counts[k] {
				if of[l] == kind {
					passed++
				}
			}
			least = min(least, passed)
		}
	}
	return least
}

// list counts the edges by what they pay and get.
func (t *tariff) list(r *Routes, open, of []int, parts []*topology.Parts) {
	number := map[string]int{}
	var name []byte
	var over []int
	for _, k := range open {
		over = over[:0]
		for _, l := range r.Counts[k] {
			if of[l] >= 0 {
				over = append(over, of[l])
			}
		}
		edge := r.Candidates[k]
		for c, p := range parts {
			if p.Of(edge.I) != p.Of(edge.J) {
				over = append(over, t.kinds+c)
			}
		}
		slices.Sort(over)
		name = name[:0]
		for _, c := range over {
			name = append(name, byte(c), byte(c>>8), byte(c>>16))
		}
		at, known := number[string(name)]
		if !known {
			at = len(t.ways)
			number[string(name)], t.ways = at, append(t.ways, way{over: slices.Clone(over)})
		}
		t.ways[at].edges++
	}
}

// A pack is a graph within capacities that grows.
type pack struct {
	r      *Routes
	e      []int
	order  []int // candidates, those over roomy resources first
	load   []int
	taken  []bool
	tree   []bool // of the taken, those that hold the nodes together
	count  int
	effort int // how many more candidates may be looked at
}

// packed reports whether it finds a connected graph with wanted edges within capacities: first a tree, at once or
// filling every resource to an eighth after the other so that none is used up early, then more edges, then single ones
// that make room for two.
func (r *Routes) packed(open, e []int, wanted int) bool {
	dear := make([]float64, len(r.Candidates))
	for _, k := range open {
		for _, l := range r.Counts[k] {
			dear[k] += 1 / float64(e[l])
		}
	}
	order := slices.Clone(open)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(dear[a], dear[b]) })
	for _, first := range []int{8, 1} {
		p := &pack{r: r, e: e, order: order, load: make([]int, len(e)), taken: make([]bool, len(r.Candidates)),
			tree: make([]bool, len(r.Candidates)), effort: 1 << 24}
		if p.grow(first, wanted) {
			return true
		}
	}
	return false
}

// grow adds edges until there are as many as wanted and they connect all nodes. The tree fills resources to first
// eighths at first.
func (p *pack) grow(first, wanted int) bool {
	parts := topology.NewParts(p.r.Nodes)
	for eighths := first; eighths <= 8; eighths++ {
		for _, k := range p.order {
			edge := p.r.Candidates[k]
			if parts.Of(edge.I) != parts.Of(edge.J) && p.take(k, eighths) {
				p.tree[k] = true
				parts.JoinEnds(edge)
			}
		}
	}
	if parts.Count() > 1 {
		return false
	}
	for eighths := 1; eighths <= 8; eighths++ {
		for _, k := range p.order {
			if p.count < wanted {
				p.take(k, eighths)
			}
		}
	}
	for p.count < wanted && p.exchange() {
	}
	return p.count >= wanted
}

// take adds a candidate if that fills its resources to at most the given eighths.
func (p *pack) take(k, eighths int) bool {
	if p.effort--; p.taken[k] {
		return false
	}
	p.put(k, 1)
	if slices.ContainsFunc(p.r.Counts[k], func(l int32) bool { return p.load[l] > (p.e[l]*eighths+7)/8 }) {
		p.put(k, -1)
		return false
	}
	return true
}

func (p *pack) put(k, edges int) {
	p.taken[k] = edges > 0
	p.count += edges
	for _, l := range p.r.Counts[k] {
		p.load[l] += edges
	}
}

// exchange takes one edge out and puts two in, and reports whether it found such edges.
func (p *pack) exchange() bool {
	for out := range p.taken {
		if !p.taken[out] || p.tree[out] || p.effort < 0 {
			continue
		}
		p.put(out, -1)
		if p.two(out) {
			return true
		}
		p.put(out, 1)
	}
	return false
}

// two puts two candidates in, other than the one that was just taken out.
func (p *pack) two(out int) bool {
	const firsts = 8 // how many are tried for the first of the two
	tried := 0
	for at, first := range p.order {
		if p.effort < 0 || tried == firsts {
			break
		}
		if first == out || !p.take(first, 8) {
			continue
		}
		tried++
		for _, second := range p.order[at+1:] {
			if second != out && p.take(second, 8) {
				return true
			}
		}
		p.put(first, -1)
	}
	return false
}
