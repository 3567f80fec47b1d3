package matrix

import "math"

// Small Hermitian matrices, k × k, row by row. At the sizes of lift blocks (k ≤ 8 or so) a call
// into a general library costs more than the arithmetic.

// Times writes a·b* to dst, which must not overlap a or b. With b Hermitian this is a·b. Two rows by two
// rows keep all sums in registers.
func Times(dst, a, b []complex128, k int) {
	even := k &^ 1
	for i := 0; i < even; i += 2 {
		a0 := a[i*k : i*k+k]
		a1 := a[(i+1)*k : (i+1)*k+k][:len(a0)]
		for j := 0; j < even; j += 2 {
			b0 := b[j*k : j*k+k][:len(a0)]
			b1 := b[(j+1)*k : (j+1)*k+k][:len(a0)]
			var r00, i00, r01, i01, r10, i10, r11, i11 float64
			for l := range a0 {
				xr, xi := real(a0[l]), imag(a0[l])
				yr, yi := real(a1[l]), imag(a1[l])
				ur, ui := real(b0[l]), imag(b0[l])
				vr, vi := real(b1[l]), imag(b1[l])
				r00 += xr*ur + xi*ui
				i00 += xi*ur - xr*ui
				r01 += xr*vr + xi*vi
				i01 += xi*vr - xr*vi
				r10 += yr*ur + yi*ui
				i10 += yi*ur - yr*ui
				r11 += yr*vr + yi*vi
				i11 += yi*vr - yr*vi
			}
			dst[i*k+j], dst[i*k+j+1] = complex(r00, i00), complex(r01, i01)
			dst[(i+1)*k+j], dst[(i+1)*k+j+1] = complex(r10, i10), complex(r11, i11)
		}
	}
	if even < k {
		for i := range k {
			dst[i*k+even] = rowProduct(a[i*k:i*k+k], b[even*k:even*k+k])
			dst[even*k+i] = rowProduct(a[even*k:even*k+k], b[i*k:i*k+k])
		}
	}
}

// rowProduct returns Σ aᵢ·conj(bᵢ).
func rowProduct(a, b []complex128) complex128 {
	b = b[:len(a)]
	var re, im float64
	for l, x := range a {
		y := b[l]
		re += real(x)*real(y) + imag(x)*imag(y)
		im += imag(x)*real(y) - real(x)*imag(y)
	}
	return complex(re, im)
}

// FactorHermitian overwrites the lower triangle of a with its Cholesky factor G, a = GG*,
// whose diagonal is real, and reports whether a is positive definite.
func FactorHermitian(a []complex128, k int) bool {
	for i := range k {
		ri := a[i*k : i*k+i+1]
		for j := range i {
			rj := a[j*k : j*k+j+1]
			v := ri[j] - rowProduct(ri[:j], rj[:j])
			ri[j] = v * complex(real(rj[j]), 0) // the diagonal holds reciprocals
		}
		d := real(ri[i])
		for _, v := range ri[:i] {
			d -= real(v)*real(v) + imag(v)*imag(v)
		}
		if !(d > 0) {
			return false
		}
		ri[i] = complex(1/math.Sqrt(d), 0)
	}
	return true
}

// InvertHermitian writes the inverse of GG* to dst from what factorHermitian left in g, and
// overwrites g with the inverse of G.
func InvertHermitian(dst, g []complex128, k int) {
	// Row i of G⁻¹: −(1/G_ii) Σ_{j<i} G_ij · row j, and 1/G_ii on the diagonal.
	for i := range k {
		ri := g[i*k : i*k+k]
		scale := real(ri[i])
		row := dst[:i] // scratch: dst is written last
		clear(row)
		for j := range i {
			f := ri[j]
			for c, v := range g[j*k : j*k+j+1] {
				row[c] -= f * v
			}
		}
		for c, v := range row {
			ri[c] = v * complex(scale, 0)
		}
	}
	// dst = G⁻* G⁻¹: entry (r, c) = Σ_{i ≥ max(r,c)} conj(G⁻¹_ir) G⁻¹_ic.
	clear(dst[:k*k])
	for i := range k {
		ri := g[i*k : i*k+i+1]
		for r, v := range ri {
			vr, vi := real(v), -imag(v)
			out := dst[r*k : r*k+r+1]
			for c := range out {
				w := ri[c]
				out[c] += complex(vr*real(w)-vi*imag(w), vr*imag(w)+vi*real(w))
			}
		}
	}
	for r := range k {
		for c := range r {
			v := dst[r*k+c]
			dst[c*k+r] = complex(real(v), -imag(v))
		}
	}
}

// InnerHermitian returns ⟨a, b⟩ = Re tr(ab) of Hermitian a and b.
func InnerHermitian(a, b []complex128) float64 {
	b = b[:len(a)]
	sum := 0.0
	for i, x := range a {
		sum += real(x)*real(b[i]) + imag(x)*imag(b[i])
	}
	return sum
}
