package search

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// A Problem is what to search for: a connected graph within the limits whose best
// weights give the least r_asym, or under a MinEigenvalue the least λ₂.
type Problem struct {
	Nodes     int
	MaxEdges  int   // the most edges allowed; more than all pairs means all pairs
	MaxDegree int   // the most neighbours a node may have; 0 means no limit
	Degrees   []int // the most neighbours of each node; nil means no limit

	// Space restricts the candidate edges and limits shared resources; nil means that every
	// pair may be an edge. Its Nodes and MaxEdges must be those of the problem. Leave it nil for
	// plain degree limits: nothing of size n² is then needed.
	Space *design.Space

	Sign          design.Sign // which weights are allowed; "" means NonNegative
	MinEigenvalue *float64    // W ⪰ μI; nil means no limit

	Symmetry Symmetry // which graphs to look at
}

// A Symmetry restricts a search to a kind of graph.
type Symmetry uint8

const (
	AnySymmetry Symmetry = iota // all kinds, and enumeration of small cases
	OnlyLifts                   // graphs on which a cyclic group acts
	OnlyFree                    // no symmetry: exchanges of single edges
)

// looksAt reports whether orbits of that size are of the kind asked for.
func (s Symmetry) looksAt(size int) bool {
	return s == AnySymmetry || (size > 1) == (s == OnlyLifts)
}

// Validate reports everything that makes the problem meaningless or obviously unsolvable.
func (p Problem) Validate() error {
	var errs []error
	complain := func(format string, args ...any) { errs = append(errs, fmt.Errorf("search: "+format, args...)) }
	if p.Nodes < 2 {
		complain("%d nodes; averaging needs at least 2", p.Nodes)
		return errors.Join(errs...)
	}
	if p.MaxEdges < p.Nodes-1 {
		complain("MaxEdges is %d, but %d nodes need at least %d edges to be connected", p.MaxEdges, p.Nodes, p.Nodes-1)
	}
	if p.MaxDegree < 0 || p.MaxDegree == 1 && p.Nodes > 2 {
		complain("MaxDegree is %d, which cannot connect %d nodes; give at least 2, or 0 for no limit", p.MaxDegree, p.Nodes)
	}
	if p.Degrees != nil {
		if len(p.Degrees) != p.Nodes {
			complain("%d degree limits for %d nodes", len(p.Degrees), p.Nodes)
		} else {
			total := 0
			for i, d := range p.Degrees {
				if d < 1 {
					complain("the degree limit of node %d is %d; it must be at least 1 for the node to be reached", i, d)
				}
				total += p.degree(i)
			}
			if total < 2*(p.Nodes-1) {
				complain("%w: the degree limits allow %d edges, but %d nodes need at least %d to be connected",
					feasible.ErrInfeasible, total/2, p.Nodes, p.Nodes-1)
			}
		}
	}
	if s := p.Space; s != nil {
		if s.Nodes != p.Nodes || s.MaxEdges != p.MaxEdges {
			complain("Space is for %d nodes and %d edges; it must be for the problem's %d and %d",
				s.Nodes, s.MaxEdges, p.Nodes, p.MaxEdges)
		} else if err := s.Validate(); err != nil {
			errs = append(errs, err)
		}
	}
	if err := cmp.Or(p.Sign, design.NonNegative).Validate(); err != nil {
		complain("%w", err)
	}
	if m := p.MinEigenvalue; m != nil && !(*m > -1 && *m < 1) {
		complain("the smallest eigenvalue allowed is %v; it must be above −1 and below 1", *m)
	}
	return errors.Join(errs...)
}

// degree returns the largest number of neighbours that node i may have.
func (p Problem) degree(i int) int {
	most := p.Nodes - 1
	if p.MaxDegree > 0 {
		most = min(most, p.MaxDegree)
	}
	if p.Degrees != nil {
		most = min(most, p.Degrees[i])
	}
	return most
}

// budget returns the largest number of edges that budget and degrees leave.
func (p Problem) budget() int {
	total := 0
	for i := range p.Nodes {
		total += p.degree(i)
	}
	return min(p.MaxEdges, total/2)
}

// space returns the graphs allowed as a list of pairs with limits, degrees among them.
func (p Problem) space() design.Space {
	var space design.Space
	if p.Space != nil {
		space = *p.Space
	} else {
		space = design.Space{Nodes: p.Nodes, MaxEdges: p.budget(), Candidates: topology.AllPairs(p.Nodes)}
	}
	space.Limits = append(degreeRows(p, space.Candidates), space.Limits...)
	return space
}

// uniform reports whether all nodes are alike, so that only the graph up to isomorphism matters.
func (p Problem) uniform() bool {
	return p.Space == nil && (p.Degrees == nil || slices.Min(p.Degrees) == slices.Max(p.Degrees))
}

// even limits the degrees of nodes that are alike to what is needed to spread the budget of edges evenly.
func (p Problem) even() Problem {
	if p.uniform() {
		p.MaxDegree, p.Degrees = min(p.degree(0), (2*p.MaxEdges+p.Nodes-1)/p.Nodes), nil
	}
	return p
}

// everywhere is the largest degree that every node may have, all of them at once.
func (p Problem) everywhere() int {
	degree := 2 * p.budget() / p.Nodes
	for i := range p.Nodes {
		degree = min(degree, p.degree(i))
	}
	return degree
}

// regular limits all nodes to the degree that each may have; false where that is nothing new, or not worth a search.
func (p Problem) regular() (q Problem, ok bool) {
	q = p.plain()
	degree := q.everywhere()
	if q.Space != nil || degree < 3 || degree*q.Nodes/2 == q.budget() {
		return Problem{}, false
	}
	q.Degrees, q.MaxDegree, q.MaxEdges = nil, degree, degree*q.Nodes/2
	return q, true
}

// weighing returns the settings under which weights are compared during a search.
func (p Problem) weighing(tolerance, cutoff float64) weights.Settings {
	return weights.Settings{Sign: p.Sign, MinEigenvalue: p.MinEigenvalue, Tolerance: tolerance, Cutoff: cutoff,
		NoCertificate: true}
}
