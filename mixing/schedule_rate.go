package mixing

import (
	"context"
	"math"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/spectral"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// rounded is the part of the consensus error that rounding leaves after a round that removes all of it: every node adds
// up as many values as it has peers, with weights that are rounded themselves. The exact schedules of up to 625 nodes
// leave an eighth of it at most. A round that leaves more does not average exactly.
func (s *Schedule) rounded() float64 {
	const unit = 0x1p-53
	return 8 * unit * float64(s.MaxDegree()+2)
}

// A deviation is Eₖ = W_{k−1} … W₁W₀ − J, stored transposed so that a round
// works on contiguous columns. W J = J makes Eₖ₊₁ = WₖEₖ, E₀ = I − J.
type deviation struct {
	columns blas64.General
	scratch []float64
}

func (s *Schedule) newDeviation() (*deviation, error) {
	n := s.Nodes()
	if n > DirectedLimit {
		return nil, limits.Refuse("mixing: schedule %s has %d nodes; its rate needs n × n numbers and is computed "+
			"for up to %d", s.Name, n, DirectedLimit)
	}
	d := &deviation{
		columns: blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)},
		scratch: make([]float64, n),
	}
	for i := range d.columns.Data {
		d.columns.Data[i] = -1 / float64(n)
	}
	for i := range n {
		d.columns.Data[i*n+i] += 1
	}
	return d, nil
}

// apply goes one round further. Columns sum to 0; what rounding adds to that
// sum would never shrink again, so it is taken off.
func (d *deviation) apply(w *Matrix) {
	n := d.columns.Cols
	for j := range n {
		column := d.columns.Data[j*n : (j+1)*n]
		w.Apply(d.scratch, column)
		copy(column, d.scratch)
		floats.AddConst(-floats.Sum(column)/float64(n), column)
	}
}

// frobenius returns ‖E‖_F.
func (d *deviation) frobenius() float64 { return floats.Norm(d.columns.Data, 2) }

// norm returns ‖E‖₂ as the root of the largest eigenvalue of EEᵀ.
func (d *deviation) norm() (float64, error) {
	n := d.columns.Cols
	gram := spectral.NewSym(n)
	blas64.Syrk(blas.Trans, 1, d.columns, 0, gram.RawSymmetric())
	values, ok := spectral.NewEigen(n).Values(gram)
	if !ok {
		return 0, errNoConvergence
	}
	return math.Sqrt(max(0, values[n-1])), nil
}

// Rate returns r_asym of the schedule, ‖W_{T−1} … W₀ − J‖₂^(1/T): the factor per
// round, on average over a period. It is 0 when some round of the period brings the product to
// J, up to the rounding of that round: the T-th root of rounding errors would mean nothing. It costs
// O(n³ + T·n·arcs), up to DirectedLimit nodes; when ctx ends first, its error is returned.
func (s *Schedule) Rate(ctx context.Context) (float64, error) {
	d, err := s.newDeviation()
	if err != nil {
		return 0, err
	}
	shrunk := 0.0 // logarithm of what was divided out: a long period leaves less than float64 can hold
	rescale := func() (factor float64) {
		factor = d.frobenius()
		shrunk += math.Log(factor)
		floats.Scale(1/factor, d.columns.Data)
		return factor
	}
	if rescale() == 0 { // a single node
		return 0, nil
	}
	rounded := s.rounded()
	for _, w := range s.Rounds {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		d.apply(w)
		if rescale() <= rounded {
			return 0, nil
		}
	}
	norm, err := within(ctx, s.Nodes(), d.norm)
	if err != nil {
		return 0, err
	}
	return math.Exp((shrunk + math.Log(norm)) / float64(len(s.Rounds))), nil
}
