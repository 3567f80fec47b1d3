package verify

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A rateRange is what arithmetic can say of r_asym: it lies between low and high.
type rateRange struct {
	value, low, high float64
	exact            bool // up to the rounding of the weights; then 0 is true as well
}

// narrow reports whether the range says as much as a claim needs.
func (r rateRange) narrow() bool { return r.high-r.low <= design.ClaimTolerance*max(1, r.value) }

// periodRate recomputes r_asym of a period: in float64 where that is enough, else with as many digits as it takes. A
// claim outside of what rounding leaves open is false; a claim inside is proved only where the range is narrow.
func (k *check) periodRate() rateRange {
	r := newDeviation(k.matrices).rate()
	if !r.narrow() {
		if sure, ok := preciseRate(k.matrices); ok {
			r = sure
		}
	}
	tolerance := design.ClaimTolerance * max(1, r.value)
	claimed := k.plan.RAsym
	if r.exact && !(math.Abs(claimed-r.value) <= tolerance) {
		r.value, r.low, r.high = 0, 0, 0
	}
	if outside := !(claimed >= r.low-tolerance && claimed <= r.high+tolerance); outside || r.narrow() {
		k.rate(r.value)
		return r
	}
	k.add(Finding{Claim: "r_asym", Status: Unproved, Claimed: claimed, Recomputed: r.value, Tolerance: tolerance,
		Detail: fmt.Sprintf("rounding leaves open where between %.6g and %.6g it lies", r.low, r.high)})
	return r
}

// rate compares the consensus error that a period leaves with what rounding can have done to it on the way. Rounding in
// round t is a part of E_t, and the rounds after t shrink it by the norm of their own product at least. So a period
// that is nearly exact early and long afterwards is not taken for exact.
func (d *deviation) rate() rateRange {
	period := float64(len(d.rounds))
	tails := d.tails()
	var noise []float64 // logarithms: a long period leaves less than float64 holds
	size, full := 0.0, math.Sqrt(float64(len(d.scratch)-1))
	for t, w := range d.rounds {
		noise = append(noise, size+math.Log(full*rounds(w))+tails[t])
		d.apply(w)
		left := d.size()
		if left == 0 {
			break
		}
		d.columns.Scale(full/left, d.columns)
		d.noise *= full / left
		size += math.Log(left / full)
	}
	var svd mat.SVD
	if !svd.Factorize(d.columns, mat.SVDNone) {
		return rateRange{value: math.NaN(), high: math.Inf(1)}
	}
	left, off := size+math.Log(svd.Values(nil)[0]), floats.LogSumExp(noise)
	if !d.shrinks {
		off = size + math.Log(d.noise)
	}
	r := rateRange{value: math.Exp(left / period), high: math.Exp(floats.LogSumExp([]float64{left, off}) / period)}
	if left > off {
		r.low = math.Exp((left + math.Log1p(-math.Exp(off-left))) / period)
	}
	return r
}

// rounds is how much, as a part of its length, rounding can change a vector that a round is applied to; weights are
// not negative.
func rounds(w *mixing.Matrix) float64 {
	entries := 0
	for i := range w.Nodes() {
		from, _ := w.Row(i)
		entries = max(entries, len(from))
	}
	return unitRoundoff * float64(entries+w.Nodes()+4)
}

// tails returns for every round t the logarithm of the largest part of any error that the rounds after it leave,
// rounding included.
func (d *deviation) tails() []float64 {
	b := newDeviation(d.rounds) // the product of the rounds after t, less J
	tails := make([]float64, len(d.rounds))
	off := 0.0
	for t := len(d.rounds) - 1; t >= 0; t-- {
		left := b.size()
		tails[t] = math.Log(min(1, left+off))
		off += rounds(d.rounds[t]) * left
		for j := range b.scratch {
			row := b.columns.RawRowView(j)
			applyTransposed(d.rounds[t], b.scratch, row)
			copy(row, b.scratch)
		}
		b.centre()
	}
	return tails
}
