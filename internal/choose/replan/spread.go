package replan

import (
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// A spread judges graphs quickly. With L the Laplacian whose edges weigh 1/max(dᵢ, dⱼ) and W = I − αL, the best α
// gives r_asym = (λₙ − λ₂)/(λₙ + λ₂): an upper bound on what optimal weights reach, and a good guide to it.
type spread struct {
	eigen *spectral.Eigen
	l     *mat.SymDense
}

func newSpread(n int) *spread { return &spread{spectral.NewEigen(n), spectral.NewSym(n)} }

// value returns (λₙ − λ₂)/(λₙ + λ₂); 1 where the graph falls apart.
func (s *spread) value(edges []topology.Edge, degrees []int) float64 {
	s.fill(edges, degrees)
	values, ok := s.eigen.Values(s.l)
	if !ok {
		return 1
	}
	return ratio(values)
}

func (s *spread) fill(edges []topology.Edge, degrees []int) {
	n := s.l.SymmetricDim()
	for i := range n {
		for j := i; j < n; j++ {
			s.l.SetSym(i, j, 0)
		}
	}
	for _, e := range edges {
		g := 1 / float64(max(degrees[e.I], degrees[e.J]))
		s.l.SetSym(e.I, e.J, -g)
		s.l.SetSym(e.I, e.I, s.l.At(e.I, e.I)+g)
		s.l.SetSym(e.J, e.J, s.l.At(e.J, e.J)+g)
	}
}

func ratio(ascending []float64) float64 {
	second, last := ascending[1], ascending[len(ascending)-1]
	if second < 1e-12 {
		return 1
	}
	return (last - second) / (last + second)
}
