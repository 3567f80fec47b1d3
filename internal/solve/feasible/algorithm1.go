package feasible

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// Algorithm1 is the paper's bandwidth-aware edge-capacity allocation: the largest unit
// bandwidth at which resources of the given bandwidths, at most most[l] edges each, carry r
// edges together. usesPerEdge is how many resources one edge uses: 2 for nodes and ports,
// 1 for links that an edge sits on alone.
//
// Two things are not as printed. A resource at its maximum leaves the search for the
// next unit, since the printed loop never ends once this resource is the largest; and after trimming
// to r the unit is computed again, since a trimmed resource may have been the slowest.
func Algorithm1(bandwidth []float64, most []int, r, usesPerEdge int) (Allocation, error) {
	if len(bandwidth) == 0 || len(most) != len(bandwidth) || r < 1 || usesPerEdge < 1 {
		return Allocation{}, errors.New(
			"feasible: Algorithm 1 needs a cap for each of at least one resource, and at least one edge that uses at least one")
	}
	possible := 0
	for l, b := range bandwidth {
		if !(b > 0) || math.IsInf(b, 1) || most[l] < 0 {
			return Allocation{}, fmt.Errorf("feasible: resource %d has a bandwidth of %v and a cap of %d; "+
				"they must be positive and not negative", l, b, most[l])
		}
		possible += most[l]
	}
	if possible/usesPerEdge < r {
		return Allocation{}, fmt.Errorf("%w: %d edges asked for, but the resources can carry at most %d", ErrInfeasible, r,
			possible/usesPerEdge)
	}
	s := shares{bandwidth, most}
	_, e, _, err := s.largest(slices.Min(bandwidth),
		func(e []int) (verdict, error) { return judged(sum(e)/usesPerEdge >= r), nil })
	if err != nil {
		return Allocation{}, err
	}
	e = slices.Clone(e)
	trim(e, sum(e)-r*usesPerEdge)
	return Allocation{UnitGBs: s.slowest(e), Edges: e, MaxEdges: r}, nil
}

// slowest is the smallest share that an edge gets when resource l carries e[l].
func (s shares) slowest(e []int) float64 {
	unit := math.Inf(1)
	for l, b := range s.bandwidth {
		if e[l] > 0 {
			unit = min(unit, b/float64(e[l]))
		}
	}
	return unit
}

// trim takes that many edges away, each from the busiest resource, the lowest number among equals. All that are
// busier than some level thus come down to it, and the first of those one further.
func trim(e []int, edges int) {
	above := func(level int) (total int) {
		for _, v := range e {
			total += max(0, v-level)
		}
		return total
	}
	low, high := 0, slices.Max(e) // above(low) ≥ edges
	for low+1 < high {
		if middle := (low + high) / 2; above(middle) >= edges {
			low = middle
		} else {
			high = middle
		}
	}
	last := edges - above(low+1)
	for l := range e {
		if e[l] = min(e[l], low+1); e[l] == low+1 && last > 0 {
			e[l]--
			last--
		}
	}
}

func sum(e []int) (total int) {
	for _, v := range e {
		total += v
	}
	return total
}

// Algorithm1 applies the paper's allocation to this cluster: the e of M z = e, unless the description states it.
func (c *Hardware) Algorithm1(r int) (Allocation, error) {
	if e := c.Spec().Edges; e != nil {
		return Allocation{UnitGBs: shares{c.bandwidths(), e}.slowest(e), Edges: slices.Clone(e), MaxEdges: r}, nil
	}
	uses, same := c.UsesPerEdge()
	if !same {
		return Allocation{}, errors.New("feasible: Algorithm 1 needs every edge to use the same number of resources; " +
			"here routes differ in length; state the edges of each resource")
	}
	return Algorithm1(c.bandwidths(), c.Most(), r, uses)
}

// UsesPerEdge returns how many resources each candidate edge uses, when that
// number is the same for all: what Algorithm1 needs to know.
func (c *Hardware) UsesPerEdge() (uses int, same bool) {
	if c.PerNode() {
		return 2, true
	}
	var hops []cluster.Hop
	for k, e := range c.Candidates() {
		hops = c.Route(hops[:0], e.I, e.J)
		if k > 0 && len(hops) != uses {
			return 0, false
		}
		uses = len(hops)
	}
	return uses, true
}
