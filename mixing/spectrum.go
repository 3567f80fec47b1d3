package mixing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/spectral"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// The largest numbers of nodes for which Spectrum forms n × n matrices: seconds of
// work each. Circulant matrices, directed or not, have no limit; larger symmetric ones are estimated.
const (
	DenseLimit    = 2048 // symmetric W
	DirectedLimit = 1024 // directed W, whose powers Iterations forms
)

// A Spectrum says how fast W averages.
type Spectrum struct {
	Nodes int

	// RAsym is ‖W − J‖₂, the factor by which the consensus error shrinks per round.
	RAsym float64

	// Symmetric reports whether Lambda2 and LambdaN mean anything: the largest and the smallest
	// eigenvalue of a symmetric W other than the eigenvalue 1 of the constant
	// vector. Both are 0 for a single node.
	Symmetric        bool
	Lambda2, LambdaN float64

	// Moduli are the |λ| of these n−1 other eigenvalues, descending, where W is
	// normal (symmetric or circulant); nil otherwise.
	Moduli []float64

	// Estimated is true where the extremes were found by Lanczos: each is an eigenvalue
	// to many digits, but that none lies further out is not proved.
	Estimated bool

	deviation *mat.Dense // W − J, where W is not known to be normal
}

// Spectrum computes r_asym and what follows from it. A circulant matrix, directed or not, costs
// O(n·degree); any other O(n³) up to DenseLimit or DirectedLimit nodes. Larger symmetric ones cost a few
// hundred products with W and are estimates. When ctx ends before that is done, its error is returned.
func (m *Matrix) Spectrum(ctx context.Context) (Spectrum, error) {
	return within(ctx, m.n, func() (Spectrum, error) { return m.spectrum(ctx) })
}

func (m *Matrix) spectrum(ctx context.Context) (Spectrum, error) {
	switch {
	case m.isCirculant():
		return m.circulantSpectrum(), nil
	case m.directed && m.n > DirectedLimit:
		return Spectrum{}, limits.Refuse("mixing: W is directed and has %d nodes; its spectrum is computed for up "+
			"to %d unless W is circulant", m.n, DirectedLimit)
	case m.directed:
		return m.directedSpectrum()
	case m.n > DenseLimit:
		return m.largeSpectrum(ctx)
	}
	return m.symmetricSpectrum()
}

// largeSpectrum finds both ends of the spectrum by Lanczos. Nobody waits for it once ctx has ended, and it must not
// keep a core from those who go on: products that are not numbers end it.
func (m *Matrix) largeSpectrum(ctx context.Context) (Spectrum, error) {
	apply := func(dst, x []float64) {
		if ctx.Err() == nil {
			m.Apply(dst, x)
			return
		}
		for i := range dst {
			dst[i] = math.NaN()
		}
	}
	r := spectral.NewLanczos(m.n).Extremes(apply, spectral.LanczosSettings{})
	if ctx.Err() != nil {
		return Spectrum{}, ctx.Err()
	}
	if !r.Converged {
		return Spectrum{}, fmt.Errorf("mixing: W has %d nodes and eigenvalues too close together for "+
			"Lanczos (residuals %.1e and %.1e)", m.n, r.Low.Residual, r.High.Residual)
	}
	return Spectrum{Nodes: m.n, Symmetric: true, Estimated: true,
		RAsym: max(r.High.Value, -r.Low.Value), Lambda2: r.High.Value, LambdaN: r.Low.Value}, nil
}

// SymmetricSpectrum is the spectrum of a symmetric W on n nodes whose n−1 eigenvalues besides the constant vector's are
// known, in any order; they are copied.
func SymmetricSpectrum(n int, others []float64) Spectrum {
	return newSymmetric(n, slices.Clone(others))
}

var errNoConvergence = errors.New("mixing: the eigenvalue iteration did not converge")

func (m *Matrix) symmetricSpectrum() (Spectrum, error) {
	values, ok := spectral.NewEigen(m.n).Values(m.Sym())
	if !ok {
		return Spectrum{}, errNoConvergence
	}
	// The constant vector has the eigenvalue 1, which need not be the largest when weights are negative.
	nearest := 0
	for k, v := range values {
		if math.Abs(v-1) < math.Abs(values[nearest]-1) {
			nearest = k
		}
	}
	return newSymmetric(m.n, slices.Delete(values, nearest, nearest+1)), nil
}

// newSymmetric takes the n−1 eigenvalues besides the constant vector's, in any order, and may change them.
func newSymmetric(n int, others []float64) Spectrum {
	s := Spectrum{Nodes: n, Symmetric: true}
	if len(others) > 0 {
		s.Lambda2, s.LambdaN = slices.Max(others), slices.Min(others)
	}
	for k, v := range others {
		others[k] = math.Abs(v)
	}
	return s.withModuli(others)
}

func (s Spectrum) withModuli(moduli []float64) Spectrum {
	slices.Sort(moduli)
	slices.Reverse(moduli)
	s.Moduli = moduli
	if len(moduli) > 0 {
		s.RAsym = moduli[0]
	}
	return s
}

// directedSpectrum takes the largest singular value of W − J; W need not be normal.
func (m *Matrix) directedSpectrum() (Spectrum, error) {
	b := m.Dense()
	raw := b.RawMatrix()
	for k := range raw.Data {
		raw.Data[k] -= 1 / float64(m.n)
	}
	gram := spectral.NewSym(m.n)
	blas64.Syrk(blas.Trans, 1, raw, 0, gram.RawSymmetric())
	values, ok := spectral.NewEigen(m.n).Values(gram)
	if !ok {
		return Spectrum{}, errNoConvergence
	}
	return Spectrum{Nodes: m.n, RAsym: math.Sqrt(max(0, values[m.n-1])), deviation: b}, nil
}
