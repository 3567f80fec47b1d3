package cluster

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// An Allocation says how many edges each resource should carry.
type Allocation struct {
	UnitGBs  float64 // bandwidth that every edge is sure to get
	Edges    []int   // e: edges per resource
	MaxEdges int     // r: edges in all
}

// fits returns ⌊bandwidth/unit⌋ without losing an edge to rounding when unit was computed
// as bandwidth/k.
func fits(bandwidth, unit float64) int {
	const rounding = 1e-9
	return int(math.Floor(bandwidth / unit * (1 + rounding)))
}

// Algorithm1 is the paper's bandwidth-aware edge-capacity allocation: the largest unit
// bandwidth at which resources of the given bandwidths, at most most[l] edges each, carry r
// edges together. usesPerEdge is how many resources one edge uses: 2 for nodes and ports,
// 1 for links that an edge sits on alone.
//
// Two things are not as printed. A resource at its maximum leaves the search for the
// next unit, since the printed loop never ends once such a resource is the largest; and after trimming
// to r the unit is computed again, since a trimmed resource may have been the slowest.
func Algorithm1(bandwidth []float64, most []int, r, usesPerEdge int) (Allocation, error) {
	possible := 0
	for _, m := range most {
		possible += m
	}
	if possible/usesPerEdge < r {
		return Allocation{}, fmt.Errorf("cluster: %d edges asked for, but the resources can carry at most %d", r, possible/usesPerEdge)
	}
	unit := slices.Min(bandwidth)
	e := make([]int, len(bandwidth))
	fill := func() (total int) {
		for l, b := range bandwidth {
			e[l] = min(fits(b, unit), most[l])
			total += e[l]
		}
		return total
	}
	total := fill()
	for total/usesPerEdge < r {
		unit = 0
		for l, b := range bandwidth {
			if e[l] < most[l] {
				unit = max(unit, b/float64(e[l]+1))
			}
		}
		total = fill()
	}
	for ; total > r*usesPerEdge; total-- {
		busiest := 0
		for l := range e {
			if e[l] > e[busiest] {
				busiest = l
			}
		}
		e[busiest]--
	}
	unit = math.Inf(1)
	for l, b := range bandwidth {
		if e[l] > 0 {
			unit = min(unit, b/float64(e[l]))
		}
	}
	return Allocation{UnitGBs: unit, Edges: e, MaxEdges: r}, nil
}

// UsesPerEdge returns how many resources each candidate edge uses, when that
// number is the same for all: what Algorithm1 needs to know.
func (c *Cluster) UsesPerEdge() (uses int, same bool) {
	if c.perNode {
		return 2, true
	}
	var hops []Hop
	for k, e := range c.Candidates() {
		hops = c.route(hops[:0], e.I, e.J)
		if k > 0 && len(hops) != uses {
			return 0, false
		}
		uses = len(hops)
	}
	return uses, true
}

// Most returns the cap of every resource: its hardware cap or the number of
// candidate edges that could use it, whichever is less. This is ē of Algorithm 1.
func (c *Cluster) Most() []int {
	most := make([]int, len(c.resources))
	if c.perNode {
		for l := range most {
			most[l] = c.nodes - 1
		}
	} else {
		var hops []Hop
		for _, e := range c.Candidates() {
			hops = c.route(hops[:0], e.I, e.J)
			for _, h := range hops {
				most[h.Resource]++
			}
		}
	}
	for l, r := range c.resources {
		if r.MaxEdges > 0 {
			most[l] = min(most[l], r.MaxEdges)
		}
	}
	return most
}

// Algorithm1 applies the paper's allocation to this cluster: the e of M z = e.
func (c *Cluster) Algorithm1(r int) (Allocation, error) {
	uses, same := c.UsesPerEdge()
	if !same {
		return Allocation{}, fmt.Errorf("cluster: Algorithm 1 needs every edge to use the same number of resources; here routes differ in length")
	}
	bandwidth := make([]float64, len(c.resources))
	for l, res := range c.resources {
		bandwidth[l] = res.GBs
	}
	return Algorithm1(bandwidth, c.Most(), r, uses)
}

// units returns every bandwidth b_l/k at which some resource admits one more edge,
// largest first, without those that rounding alone keeps apart.
func (c *Cluster) units(most []int) []float64 {
	seen := map[float64]bool{}
	for l, r := range c.resources {
		for k := 1; k <= most[l]; k++ {
			seen[r.GBs/float64(k)] = true
		}
	}
	units := make([]float64, 0, len(seen))
	for u := range seen {
		units = append(units, u)
	}
	slices.SortFunc(units, func(a, b float64) int { return cmp.Compare(b, a) })
	return slices.CompactFunc(units, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*a })
}

// at returns the capacities e_l = min(⌊b_l/unit⌋, ē_l).
func (c *Cluster) at(unit float64, most []int) []int {
	e := make([]int, len(c.resources))
	for l, r := range c.resources {
		e[l] = min(fits(r.GBs, unit), most[l])
	}
	return e
}

// Allocate is Algorithm 1 for any routes: the largest unit bandwidth at which r edges fit and
// all nodes can still be reached. The capacities are not trimmed to r, so a solver that
// keeps to at most r edges may choose where to leave room.
func (c *Cluster) Allocate(r int) (Allocation, error) {
	most := c.Most()
	units := c.units(most)
	carries := func(e []int) bool { return mostEdges(e) >= r }
	if !c.perNode {
		carries = func(e []int) bool { return c.bundles().pack(e, r) >= r }
	}
	k := sort.Search(len(units), func(k int) bool {
		e := c.at(units[k], most)
		return carries(e) && c.reaches(e)
	})
	if k == len(units) {
		return Allocation{}, fmt.Errorf("cluster: %d edges asked for, but the resources can carry at most %d", r, c.Carries(most))
	}
	return Allocation{UnitGBs: units[k], Edges: c.at(units[k], most), MaxEdges: r}, nil
}

// Budgets returns one allocation per unit bandwidth that lets more edges fit than the
// next larger one, fastest edges first, at most limit of them: the budgets worth solving for.
func (c *Cluster) Budgets(limit int) []Allocation {
	most := c.Most()
	var budgets []Allocation
	for _, unit := range c.units(most) {
		if len(budgets) == limit {
			break
		}
		e := c.at(unit, most)
		r := c.Carries(e)
		if r < c.nodes-1 || !c.reaches(e) || len(budgets) > 0 && r <= budgets[len(budgets)-1].MaxEdges {
			continue
		}
		budgets = append(budgets, Allocation{UnitGBs: unit, Edges: e, MaxEdges: r})
	}
	return budgets
}
