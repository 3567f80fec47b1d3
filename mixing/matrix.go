package mixing

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// SumTolerance is how far a row or column sum may be from 1.
const SumTolerance = 1e-12

// denseTolerance is how far a given self weight may be from what the rest of its row leaves.
const denseTolerance = 1e-9

// An Arc carries a value From one node To another: W[To][From] = Weight.
type Arc struct {
	From, To int
	Weight   float64
}

// A Matrix is a doubly stochastic mixing matrix, stored by rows. It is immutable.
// Weights may be negative only where the caller allows it (see Nonnegative).
type Matrix struct {
	n        int
	self     []float64
	start    []int // row i is start[i] … start[i+1]
	from     []int // ascending within a row
	weight   []float64
	directed bool
}

// FromEdges puts weight[k] on edge k of g, in both directions. Self weights are
// what is left to make rows sum to 1.
func FromEdges(g *topology.Graph, weight []float64) (*Matrix, error) {
	edges := g.Edges()
	if len(weight) != len(edges) {
		return nil, fmt.Errorf("mixing: %d weights for %d edges", len(weight), len(edges))
	}
	arcs := make([]Arc, 0, 2*len(edges))
	for k, e := range edges {
		arcs = append(arcs, Arc{e.I, e.J, weight[k]}, Arc{e.J, e.I, weight[k]})
	}
	return build(g.Nodes(), arcs, false)
}

// FromArcs builds a directed matrix; self weights are what is left to make rows
// sum to 1. Columns must then sum to 1 too. If the arcs happen to be symmetric the
// result is an undirected matrix.
func FromArcs(n int, arcs []Arc) (*Matrix, error) {
	if n < 1 {
		return nil, fmt.Errorf("mixing: a matrix needs at least 1 node, got %d", n)
	}
	return build(n, slices.Clone(arcs), true)
}

// FromDense reads W from a square matrix; zeros are not edges. A matrix that is
// symmetric up to SumTolerance, as arithmetic elsewhere often leaves it, is made exactly so.
func FromDense(w mat.Matrix) (*Matrix, error) { return fromDense(w, denseTolerance) }

func fromDense(w mat.Matrix, tolerance float64) (*Matrix, error) {
	n, cols := w.Dims()
	if n != cols {
		return nil, fmt.Errorf("mixing: W is %d × %d; it must be square", n, cols)
	}
	symmetric := true
	for i := range n {
		for j := range i {
			symmetric = symmetric && math.Abs(w.At(i, j)-w.At(j, i)) <= SumTolerance
		}
	}
	var arcs []Arc
	for i := range n {
		for j := range n {
			v := w.At(i, j)
			if symmetric {
				v = (v + w.At(j, i)) / 2
			}
			if i != j && v != 0 {
				arcs = append(arcs, Arc{From: j, To: i, Weight: v})
			}
		}
	}
	m, err := build(n, arcs, true)
	if err != nil {
		return nil, err
	}
	for i := range n {
		if d := math.Abs(m.self[i] - w.At(i, i)); !(d <= tolerance) {
			return nil, fmt.Errorf("mixing: row %d of W sums to %.12g; rows and columns must sum to 1",
				i, 1-m.self[i]+w.At(i, i))
		}
	}
	return m, nil
}

func build(n int, arcs []Arc, directed bool) (*Matrix, error) {
	m := &Matrix{n: n, self: make([]float64, n), start: make([]int, n+1), directed: directed}
	for _, a := range arcs {
		switch {
		case min(a.From, a.To) < 0 || max(a.From, a.To) >= n:
			return nil, fmt.Errorf("mixing: arc %d→%d is out of range; nodes are 0 … %d", a.From, a.To, n-1)
		case a.From == a.To:
			return nil, fmt.Errorf("mixing: arc %d→%d is a self weight; those follow from the row sums", a.From, a.To)
		case math.IsNaN(a.Weight) || math.IsInf(a.Weight, 0):
			return nil, fmt.Errorf("mixing: weight of %d→%d is %v; it must be a finite number", a.From, a.To, a.Weight)
		}
	}
	slices.SortFunc(arcs, func(a, b Arc) int {
		return topology.Edge{I: a.To, J: a.From}.Compare(topology.Edge{I: b.To, J: b.From})
	})
	m.from, m.weight = make([]int, len(arcs)), make([]float64, len(arcs))
	column := make([]float64, n)
	for i := range m.self {
		m.self[i] = 1
	}
	for k, a := range arcs {
		if k > 0 && a.From == arcs[k-1].From && a.To == arcs[k-1].To {
			return nil, fmt.Errorf("mixing: arc %d→%d appears twice", a.From, a.To)
		}
		m.start[a.To+1]++
		m.from[k], m.weight[k] = a.From, a.Weight
		m.self[a.To] -= a.Weight
		column[a.From] += a.Weight
	}
	for i := range n {
		m.start[i+1] += m.start[i]
		if math.Abs(m.self[i]) <= selfRounding(m.start[i+1]-m.start[i]) {
			m.self[i] = 0 // else rules that use up the whole row would leave a negative weight now and then
		}
	}
	var errs []error
	for i, c := range column {
		if sum := c + m.self[i]; !(math.Abs(sum-1) <= SumTolerance*float64(2+m.start[i+1]-m.start[i])) && len(errs) < 5 {
			errs = append(errs, fmt.Errorf("mixing: column %d sums to %.15g; it must be 1", i, sum))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if directed && m.isSymmetric() {
		m.directed = false
	}
	return m, nil
}

// selfRounding is the most that rounding can leave of a self weight that should be 0,
// or make of the difference of two that should be equal, next to degree weights of size at most 1.
func selfRounding(degree int) float64 { return 0x1p-52 * float64(1+degree) }

func (m *Matrix) isSymmetric() bool {
	for i := range m.n {
		from, weight := m.Row(i)
		for k, j := range from {
			if w, ok := m.At(j, i); !ok || w != weight[k] {
				return false
			}
		}
	}
	return true
}

// Nodes returns n.
func (m *Matrix) Nodes() int { return m.n }

// Directed reports whether W differs from its transpose.
func (m *Matrix) Directed() bool { return m.directed }

// Self returns the self weights W[i][i]. The slice is shared; do not write to it.
func (m *Matrix) Self() []float64 { return m.self }

// Row returns the senders that node i listens to, ascending, and their weights.
// The slices are shared; do not write to them.
func (m *Matrix) Row(i int) (from []int, weight []float64) {
	return m.from[m.start[i]:m.start[i+1]], m.weight[m.start[i]:m.start[i+1]]
}

// At returns W[i][j] for i ≠ j and whether j is a neighbour at all.
func (m *Matrix) At(i, j int) (float64, bool) {
	from, weight := m.Row(i)
	k, ok := slices.BinarySearch(from, j)
	if !ok {
		return 0, false
	}
	return weight[k], true
}

// Arcs returns the number of off-diagonal entries: twice the edges when undirected.
func (m *Matrix) Arcs() int { return len(m.from) }

// Nonnegative reports whether no weight is negative.
func (m *Matrix) Nonnegative() bool {
	return slices.Min(m.self) >= 0 && (len(m.weight) == 0 || slices.Min(m.weight) >= 0)
}

// Apply computes dst = W x without allocating. dst and x must not overlap.
func (m *Matrix) Apply(dst, x []float64) {
	if len(dst) != m.n || len(x) != m.n {
		panic("mixing: Apply needs vectors of one entry per node")
	}
	for i := range m.n {
		sum := m.self[i] * x[i]
		lo, hi := m.start[i], m.start[i+1]
		from, weight := m.from[lo:hi], m.weight[lo:hi]
		for k, j := range from {
			sum += weight[k] * x[j]
		}
		dst[i] = sum
	}
}
