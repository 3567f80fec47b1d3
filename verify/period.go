package verify

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A deviation is E = product of rounds − J, transposed, so that a round works on contiguous columns.
type deviation struct {
	rounds  []*mixing.Matrix
	columns *mat.Dense
	scratch []float64
	shrinks bool // no round has a negative weight, so none makes ‖E‖ larger
}

// period checks a directed or time-varying plan by the product of one period.
func (k *check) period() {
	arcs := 0.0
	for _, w := range k.matrices {
		arcs += float64(w.Arcs() + w.Nodes())
	}
	if n := k.parties(); n > periodLimit || arcs*float64(n) > mostWork/8 {
		if moduli := k.circulant(k.matrices[0]); moduli != nil && len(k.matrices) == 1 {
			k.rate(radius(moduli))
			k.iterations(radius(moduli), powers(moduli))
			return
		}
		k.probe(fmt.Sprintf("such a plan is rechecked for up to %d nodes and %d products of numbers in a period",
			periodLimit, mostWork/8))
		return
	}
	d := newDeviation(k.matrices)
	rate := math.Exp(d.logFactor() / float64(len(k.matrices)))
	k.rate(rate)
	factor := rate
	if k.plan.Iterations == 0 && rate >= 1-neverTolerance {
		// A period that does not shrink everything may do so when it is repeated: W − J need not be normal.
		if _, after := newDeviation(k.matrices).around(manyRounds*len(k.matrices),
			k.plan.TargetError); after <= k.plan.TargetError {
			factor = 0
		}
	}
	k.iterations(factor, func(count int) (float64,
		float64) {
		return newDeviation(k.matrices).around(count, k.plan.TargetError)
	})
}

// manyRounds is how many periods a schedule may take to reach its target; mixing gives up there too.
const manyRounds = 1 << 20

func newDeviation(rounds []*mixing.Matrix) *deviation {
	n := rounds[0].Nodes()
	d := &deviation{rounds: rounds, columns: mat.NewDense(n, n, nil), scratch: make([]float64, n), shrinks: true}
	for i := range n {
		d.columns.Set(i, i, 1)
	}
	minusMean(d.columns)
	for _, w := range rounds {
		d.shrinks = d.shrinks && w.Nonnegative()
	}
	return d
}

// centre takes off what rounding adds to the sum of a column, which should be 0 and would never shrink again.
func (d *deviation) centre() {
	for j := range d.scratch {
		column := d.columns.RawRowView(j)
		floats.AddConst(-floats.Sum(column)/float64(len(column)), column)
	}
}

func (d *deviation) apply(w *mixing.Matrix) {
	for j := range d.scratch {
		column := d.columns.RawRowView(j)
		w.Apply(d.scratch, column)
		copy(column, d.scratch)
	}
	d.centre()
}

// times multiplies by the E of other rounds.
func (d *deviation) times(other *mat.Dense) {
	var product mat.Dense
	product.Mul(d.columns, other)
	d.columns = &product
	d.centre()
}

func (d *deviation) size() float64 { return floats.Norm(d.columns.RawMatrix().Data, 2) }

// around returns ‖E‖_F after count − 1 rounds and after count, by squaring periods, not one by one: an edited plan may
// claim any number. It ends early where the error is far below the target and can only fall.
func (d *deviation) around(count int, target float64) (before, after float64) {
	periods, rest := (count-1)/len(d.rounds), (count-1)%len(d.rounds)
	var one *mat.Dense // E of one period
	for bit := bits.Len(uint(periods)) - 1; bit >= 0; bit-- {
		if one == nil {
			for _, w := range d.rounds {
				d.apply(w)
			}
			one = mat.DenseCopyOf(d.columns)
		} else {
			d.times(d.columns)
			switch {
			case periods>>bit&1 == 0:
			case len(d.rounds) == 1:
				d.apply(d.rounds[0])
			default:
				d.times(one)
			}
		}
		if left := d.size(); d.shrinks && left < target/2 || left == 0 || math.IsNaN(left) || math.IsInf(left, 0) {
			return left, left
		}
	}
	for _, w := range d.rounds[:rest] {
		d.apply(w)
	}
	before = d.size()
	d.apply(d.rounds[rest])
	return before, d.size()
}

// logFactor returns ln ‖product of a period − J‖₂, −∞ when a round removes all disagreement, up to rounding. The
// product of a long period can be closer to J than rounding lets one see, so its size is divided out after every round.
func (d *deviation) logFactor() float64 {
	size, before := 0.0, math.Sqrt(float64(len(d.scratch)-1))
	for _, w := range d.rounds {
		d.apply(w)
		left := d.size()
		if left <= mixing.ExactTolerance*before {
			return math.Inf(-1)
		}
		d.columns.Scale(before/left, d.columns)
		size += math.Log(left / before)
	}
	var svd mat.SVD
	if !svd.Factorize(d.columns, mat.SVDNone) {
		return math.NaN()
	}
	return size + math.Log(svd.Values(nil)[0])
}
