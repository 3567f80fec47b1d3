package verify

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A rateRange is what arithmetic can say of r_asym: it lies between low and high. The value is 0 where the period
// averages exactly up to the rounding of its weights, which is 0 by definition: roots of rounding errors mean nothing.
type rateRange struct{ value, low, high float64 }

// periodRate recomputes r_asym of a period. A claim outside of what rounding leaves open is false; a claim inside is
// proved only where the range is as narrow as the tolerance.
func (k *check) periodRate() rateRange {
	r := newDeviation(k.matrices).rate()
	tolerance := design.ClaimTolerance * max(1, r.value)
	claimed := k.plan.RAsym
	outside := !(claimed >= r.low-tolerance && claimed <= r.high+tolerance)
	if outside || r.value == 0 || r.high-r.low <= tolerance {
		k.rate(r.value)
		return r
	}
	k.add(Finding{Claim: "r_asym", Status: Unproved, Claimed: claimed, Recomputed: r.value, Tolerance: tolerance,
		Detail: fmt.Sprintf("rounding leaves open where between %.6g and %.6g it lies", r.low, r.high)})
	return r
}

// rate compares what a period leaves of the disagreement with what rounding can have done to it on the way. Rounding in
// round t is a part of E_t, and the rounds after t shrink it as they shrink E: by the norm of their own product, to
// first order. So a period that is nearly exact early and long afterwards is not taken for exact.
func (d *deviation) rate() rateRange {
	period := float64(len(d.rounds))
	tails := d.tails()
	var noise, dust []float64 // logarithms: a long period leaves less than float64 holds
	size, full := 0.0, math.Sqrt(float64(len(d.scratch)-1))
	for t, w := range d.rounds {
		entries := 0
		for i := range w.Nodes() {
			from, _ := w.Row(i)
			entries = max(entries, len(from))
		}
		arrives := size + math.Log(full) + tails[t]
		noise = append(noise, arrives+math.Log(unitRoundoff*float64(entries+w.Nodes()+4)))
		dust = append(dust, arrives+math.Log(4*unitRoundoff*float64(entries+2)))
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
		return rateRange{math.NaN(), 0, math.Inf(1)}
	}
	left := size + math.Log(svd.Values(nil)[0])
	off := floats.LogSumExp(noise)
	if !d.shrinks {
		off = size + math.Log(d.noise)
	}
	r := rateRange{value: math.Exp(left / period), high: math.Exp(floats.LogSumExp([]float64{left, off}) / period)}
	if left > off {
		r.low = math.Exp((left + math.Log1p(-math.Exp(off-left))) / period)
	}
	if left <= floats.LogSumExp(dust) && (d.shrinks || off <= math.Log(nothingLeft)) {
		r.value = 0
	}
	return r
}

// tails returns for every round t the logarithm of what the rounds after it leave of any disagreement at most.
func (d *deviation) tails() []float64 {
	b := newDeviation(d.rounds) // the product of the rounds after t, less J, transposed
	tails := make([]float64, len(d.rounds))
	size := 0.0
	for t := len(d.rounds) - 1; t >= 0; t-- {
		left := b.size()
		if left == 0 {
			left = math.SmallestNonzeroFloat64
		}
		tails[t] = size + math.Log(left)
		if d.shrinks {
			tails[t] = min(tails[t], 0)
		}
		b.columns.Scale(1/left, b.columns)
		size += math.Log(left)
		for j := range b.scratch {
			column := b.columns.RawRowView(j)
			applyTransposed(d.rounds[t], b.scratch, column)
			copy(column, b.scratch)
		}
		b.centre()
	}
	return tails
}
