package feasible

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A class is a number of nodes with the same bandwidth and the same cap, where every pair loads just its two nodes.
type class struct {
	bandwidth   float64
	most, nodes int
}

// newClasses groups the nodes by bandwidth and cap, fastest first, and says to which class each node belongs.
func newClasses(c *Hardware) (classes []class, of []int) {
	order, most := topology.InOrder(c.Nodes()), c.Most()
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(c.Resources()[j].GBs, c.Resources()[i].GBs), cmp.Compare(most[j], most[i]))
	})
	of = make([]int, c.Nodes())
	for _, i := range order {
		last := len(classes) - 1
		if b := c.Resources()[i].GBs; last < 0 || classes[last].bandwidth != b || classes[last].most != most[i] {
			classes = append(classes, class{bandwidth: b, most: most[i]})
			last++
		}
		classes[last].nodes++
		of[i] = last
	}
	return classes, of
}

// allocateNodes is allocate where every pair loads just its two nodes; it looks at classes of equal nodes.
func (c *Hardware) allocateNodes(ctx context.Context, r int, top float64) (Allocation, error) {
	classes, of := c.classes()
	s := shares{make([]float64, len(classes)), make([]int, len(classes))}
	for k, cl := range classes {
		s.bandwidth[k], s.most[k] = cl.bandwidth, cl.most
	}
	runs := make([]run, len(classes))
	carries := func(e []int) int {
		for k, cl := range classes {
			runs[k] = run{e[k], cl.nodes}
		}
		return connectedDegrees(runs)
	}
	unit, capacities, ok, err := s.largest(min(top, s.bandwidth[0]),
		func(e []int) (verdict, error) { return judged(carries(e) >= r), ctx.Err() })
	if err != nil {
		return Allocation{}, err
	}
	if !ok && carries(s.most) == 0 {
		return Allocation{}, c.tooMany(ctx, r, c.Most())
	}
	if !ok {
		return Allocation{}, fmt.Errorf("%w: %d edges asked for, but %d nodes have at most %d", ErrInfeasible, r, c.Nodes(),
			carries(s.most))
	}
	e := make([]int, c.Nodes())
	for i := range e {
		e[i] = capacities[of[i]]
	}
	return Allocation{UnitGBs: unit, Edges: e, MaxEdges: r}, nil
}

// A run is a number of nodes that may have up to degree neighbours each.
type run struct{ degree, nodes int }

// connectedDegrees returns the largest number of edges of a connected simple graph that keeps to the degrees, 0 where
// there is none. Where no node is without edges and there are at least n−1 of them, connection costs nothing: a graph
// in parts has a cycle in one of them, and switching an edge of it (a–b) with an edge of another part (c–d to a–c,
// b–d), or moving it to a node of its own, joins two parts.
func connectedDegrees(runs []run) int {
	n := 0
	for _, r := range runs {
		if r.degree < 1 {
			return 0
		}
		n += r.nodes
	}
	if most := mostEdges(runs, n); most >= n-1 {
		return most
	}
	return 0
}

// merged returns the runs by falling degree, one for each degree.
func merged(runs []run) []run {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(b.degree, a.degree) })
	last := 0
	for _, r := range runs[1:] {
		if r.degree == runs[last].degree {
			runs[last].nodes += r.nodes
			continue
		}
		last++
		runs[last] = r
	}
	return runs[:last+1]
}

// mostEdges returns the largest number of edges of a simple graph on n nodes whose degrees are at
// most those given. By the theorem of Erdős and Gallai, for every k the k largest nodes have
// together at most k(k−1) + Σ_{i>k} min(k, dᵢ) edge ends; the others at most their own.
//
// Among nodes of equal degree d that bound is concave in k up to d and grows beyond, so only the ends of a run
// and k = d need a look.
func mostEdges(runs []run, n int) int {
	runs = merged(runs)
	first := make([]int, len(runs)+1) // nodes before each run
	ends := make([]int, len(runs)+1)  // edge ends from each run on
	for j := range runs {
		runs[j].degree = min(runs[j].degree, n-1)
		first[j+1] = first[j] + runs[j].nodes
	}
	for j := len(runs) - 1; j >= 0; j-- {
		ends[j] = ends[j+1] + runs[j].degree*runs[j].nodes
	}
	least := ends[0]
	for j, r := range runs {
		for _, k := range []int{first[j+1], min(max(r.degree, first[j]), first[j+1])} {
			rest := ends[j+1] + (first[j+1]-k)*r.degree // of the nodes behind the first k
			low, _ := slices.BinarySearchFunc(runs, k, func(r run, k int) int {
				if r.degree > k {
					return -1
				}
				return 1
			})
			counted := rest // with min(k, dᵢ) in place of dᵢ
			if first[low] > k {
				counted = k*(first[low]-k) + ends[low]
			}
			least = min(least, k*(k-1)+counted+rest)
		}
	}
	return least / 2
}
