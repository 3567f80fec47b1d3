package mixing

import (
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// Edges returns the undirected edges (i < j) and their weights, in order.
// It panics for a directed matrix.
func (m *Matrix) Edges() ([]topology.Edge, []float64) {
	if m.directed {
		panic("mixing: Edges of a directed matrix")
	}
	edges, weights := make([]topology.Edge, 0, m.Arcs()/2), make([]float64, 0, m.Arcs()/2)
	for i := range m.n {
		from, weight := m.Row(i)
		for k, j := range from {
			if j > i {
				edges, weights = append(edges, topology.Edge{I: i, J: j}), append(weights, weight[k])
			}
		}
	}
	return edges, weights
}

// Graph returns the undirected graph of pairs that exchange anything in either direction.
func (m *Matrix) Graph() *topology.Graph {
	var edges []topology.Edge
	for i := range m.n {
		from, _ := m.Row(i)
		for _, j := range from {
			if _, back := m.At(j, i); i < j || !back {
				edges = append(edges, topology.Edge{I: i, J: j})
			}
		}
	}
	g, err := topology.New(m.n, edges)
	if err != nil {
		panic(err) // a Matrix holds no bad edge
	}
	return g
}

// Degrees returns, per node, the larger of the numbers of peers it sends to and receives from.
func (m *Matrix) Degrees() []int {
	out := make([]int, m.n)
	for _, j := range m.from {
		out[j]++
	}
	for i := range out {
		out[i] = max(out[i], m.start[i+1]-m.start[i])
	}
	return out
}

// Dense returns W as a dense matrix.
func (m *Matrix) Dense() *mat.Dense {
	d := mat.NewDense(m.n, m.n, nil)
	for i := range m.n {
		d.Set(i, i, m.self[i])
		from, weight := m.Row(i)
		for k, j := range from {
			d.Set(i, j, weight[k])
		}
	}
	return d
}

// Sym returns the undirected W as a dense symmetric matrix.
func (m *Matrix) Sym() *mat.SymDense {
	if m.directed {
		panic("mixing: Sym of a directed matrix")
	}
	s := spectral.NewSym(m.n)
	for i := range m.n {
		s.SetSym(i, i, m.self[i])
		from, weight := m.Row(i)
		for k, j := range from {
			if j > i {
				s.SetSym(i, j, weight[k])
			}
		}
	}
	return s
}
