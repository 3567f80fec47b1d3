package verify

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/mat"
)

// How many bits a period is multiplied out with, and how many multiplications of 64 bits that may take.
const (
	fewestBits, mostBits = 256, 4096
	mostPrecise          = 1 << 24
)

// preciseRate is r_asym of a period by a product with as many bits as it takes to see what is left; ok is false where
// that is too much work.
func preciseRate(rounds []*mixing.Matrix) (r rateRange, ok bool) {
	n, visits := rounds[0].Nodes(), 0.0
	for _, w := range rounds {
		visits += float64(w.Arcs()) * float64(n)
	}
	for bits := fewestBits; bits <= mostBits && visits*float64(bits)/fewestBits <= mostPrecise; bits *= 2 {
		p := newPrecise(n, uint(bits), nil)
		for _, w := range rounds {
			p.apply(w)
		}
		e, left := p.seen()
		if math.IsInf(left, -1) && p.exact {
			return rateRange{exact: true}, true // nothing is left, and nothing was rounded
		}
		const digits = 50 // bits of the result that rounding must not reach
		if left < p.off+digits {
			continue
		}
		value := math.Exp2(left / float64(len(rounds)))
		exact := left <= math.Log2(nothingLeft) && explained(rounds, p, e, left)
		return rateRange{value, value, value, exact}, true
	}
	return rateRange{}, false
}

// explained reports whether what is left is no more than the rounding of the weights themselves makes: other weights,
// each off by its last bit, leave something as different as what is left is large.
func explained(rounds []*mixing.Matrix, p *precise, e *mat.Dense, left float64) bool {
	for seed := range uint64(3) {
		other := newPrecise(p.n, p.bits, rand.New(rand.NewPCG(seed, 0x707265636973)))
		for _, w := range rounds {
			other.apply(w)
		}
		f, size := other.seen()
		// Both are scaled to the same unit and compared.
		f.Scale(math.Exp2(size-left), f)
		f.Sub(f, e)
		if 8*mat.Norm(f, 2) >= mat.Norm(e, 2) {
			return true
		}
	}
	return false
}

// A precise is n(W … W − J), by columns.
type precise struct {
	n         int
	bits      uint
	columns   [][]*big.Float
	next, one []*big.Float
	weight    *big.Float
	exact     bool       // no operation was rounded
	off       float64    // log₂ of how far rounding can have taken it
	size      float64    // log₂ of no less than its length
	shaken    *rand.Rand // moves every weight by its last bit; nil: none
}

func newPrecise(n int, bits uint, shaken *rand.Rand) *precise {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	p := &precise{n: n, bits: bits, weight: number(0), exact: true, off: math.Inf(-1), size: 2 * math.Log2(float64(n)),
		shaken: shaken}
	for j := range n {
		column := make([]*big.Float, n)
		for i := range column {
			column[i] = number(-1)
		}
		column[j] = number(float64(n - 1))
		p.columns = append(p.columns, column)
		p.next, p.one = append(p.next, number(0)), append(p.one, number(0))
	}
	return p
}

// apply goes one round further: every value moves towards those of its neighbours, so rows sum to 1 to the last bit.
func (p *precise) apply(w *mixing.Matrix) {
	weights := make([][]float64, p.n)
	largest, entries := 0.0, 0
	for i := range p.n {
		from, weight := w.Row(i)
		weights[i] = append(weights[i], weight...)
		sum := 1.0
		for t, k := range from {
			if p.shaken != nil && (i < k || w.Directed()) {
				weights[i][t] = math.Nextafter(weight[t], 2*float64(p.shaken.IntN(2)))
			} else if p.shaken != nil {
				peers, _ := w.Row(k)
				for s, back := range peers {
					if back == i {
						weights[i][t] = weights[k][s] // both directions of an edge are one weight
					}
				}
			}
			sum += 2 * math.Abs(weight[t])
		}
		largest, entries = max(largest, sum), max(entries, len(from))
	}
	for j, column := range p.columns {
		for i := range p.n {
			from, _ := w.Row(i)
			to, step := p.next[i], p.one[i]
			to.Set(column[i])
			for t, k := range from {
				step.Sub(column[k], column[i])
				p.exact = p.exact && step.Acc() == big.Exact
				step.Mul(step, p.weight.SetFloat64(weights[i][t]))
				p.exact = p.exact && step.Acc() == big.Exact
				to.Add(to, step)
				p.exact = p.exact && to.Acc() == big.Exact
			}
		}
		p.columns[j], p.next = p.next, column
	}
	// A row makes three roundings for each entry, of numbers that are at most `largest` times as long as E; columns of
	// W may sum to as much as n rows do.
	grows := math.Log2(largest) + math.Log2(float64(p.n))/2
	if w.Nonnegative() {
		grows = 0
	}
	fresh := p.size + math.Log2(6*largest*float64(entries+1)) - float64(p.bits)
	p.off = grows + max(p.off, fresh) + math.Log2(1+math.Exp2(-math.Abs(p.off-fresh)))
	p.size += grows
}

// seen is what there is, scaled to about 1, and the logarithm of its norm.
func (p *precise) seen() (e *mat.Dense, norm float64) {
	largest := math.MinInt
	for _, column := range p.columns {
		for _, v := range column {
			if v.Sign() != 0 {
				largest = max(largest, v.MantExp(nil))
			}
		}
	}
	e = mat.NewDense(p.n, p.n, nil)
	if largest == math.MinInt {
		return e, math.Inf(-1)
	}
	for j, column := range p.columns {
		for i, v := range column {
			f, _ := p.weight.SetMantExp(v, -largest).Float64()
			e.Set(i, j, f)
		}
	}
	minusColumnMeans(e)
	var svd mat.SVD
	svd.Factorize(e, mat.SVDNone)
	first := svd.Values(nil)[0]
	e.Scale(1/first, e)
	return e, float64(largest) + math.Log2(first) - math.Log2(float64(p.n))
}

// minusColumnMeans takes off what columns that do not sum to 1 to the last bit leave.
func minusColumnMeans(e *mat.Dense) {
	n, _ := e.Dims()
	for j := range n {
		mean := mat.Sum(e.ColView(j)) / float64(n)
		for i := range n {
			e.Set(i, j, e.At(i, j)-mean)
		}
	}
}
