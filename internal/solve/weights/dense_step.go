package weights

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
)

func (d *dense) predict(dx []float64) {
	for b := range d.blocks {
		k := &d.blocks[b]
		d.direct(k, dx)
		k.apply(k.image, k.y)
		k.multiplierStep(0)
		// Kept for the correction: dZ·dY, transposed so that its columns are rows.
		k.apply(k.image, k.dy)
		transpose(k.second, k.image)
	}
}

func (d *dense) correct(dx []float64, nu float64) {
	for b := range d.blocks {
		k := &d.blocks[b]
		d.direct(k, dx)
		k.apply(k.image, k.y)
		addTransposed(k.image, k.second)
		k.multiplierStep(nu)
	}
}

// direct sets dZ.
func (d *dense) direct(k *denseBlock, dx []float64) {
	copy(k.weight, dx)
	k.ds = k.value * dx[d.vars]
}

// multiplierStep writes ν·Z⁻¹ − Y − sym(Z⁻¹·image) to dy.
func (k *denseBlock) multiplierStep(nu float64) {
	matrix.Product(k.double, k.inv, k.image)
	n := k.y.Rows
	for i := range n {
		g, q, y, out := matrix.Row(k.double, i), matrix.Row(k.inv, i), matrix.Row(k.y, i), matrix.Row(k.dy, i)
		for j := i; j < n; j++ {
			v := nu*q[j] - y[j] - (g[j]+k.double.Data[j*k.double.Stride+i])/2
			out[j] = v
			k.dy.Data[j*k.dy.Stride+i] = v
		}
	}
}

// apply writes dZ·m to dst: dZ has few entries per row, so this is a handful of row operations.
func (k *denseBlock) apply(dst, m blas64.General) {
	for i := range m.Rows {
		out := matrix.Row(dst, i)
		copy(out, matrix.Row(m, i))
		floats.Scale(k.ds, out)
	}
	for e, edge := range k.edges {
		w := k.sign * k.weight[e]
		from, to := matrix.Row(m, edge.I), matrix.Row(m, edge.J)
		addDifference(matrix.Row(dst, edge.I), matrix.Row(dst, edge.J), w, from, to)
	}
}

// addDifference adds w·(from − to) to a and takes it from b.
func addDifference(a, b []float64, w float64, from, to []float64) {
	a, b, to = a[:len(from)], b[:len(from)], to[:len(from)]
	for i, v := range from {
		t := w * (v - to[i])
		a[i] += t
		b[i] -= t
	}
}

func (d *dense) secondOrder(w []float64) {
	for b := range d.blocks {
		k := &d.blocks[b]
		for e, edge := range d.edges {
			w[e] += k.sign * differenceDot(matrix.Row(k.inv, edge.I), matrix.Row(k.inv, edge.J),
				matrix.Row(k.second, edge.I), matrix.Row(k.second, edge.J))
		}
		w[d.vars] += k.value * dotAll(k.inv, k.second)
	}
}

// differenceDot returns (a − b)·(c − d).
func differenceDot(a, b, c, d []float64) float64 {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	sum := 0.0
	for i, v := range a {
		sum += (v - b[i]) * (c[i] - d[i])
	}
	return sum
}

func (d *dense) primalStep(limit float64) float64 {
	for b := range d.blocks {
		k := &d.blocks[b]
		limit = min(limit, d.ritz.Step(k.factor, k.applyZ, limit))
	}
	return limit
}

// timesPrimal writes dZ·x to dst.
func (k *denseBlock) timesPrimal(dst, x []float64) {
	for i, v := range x {
		dst[i] = k.ds * v
	}
	for e, edge := range k.edges {
		t := k.sign * k.weight[e] * (x[edge.I] - x[edge.J])
		dst[edge.I] += t
		dst[edge.J] -= t
	}
}

func (d *dense) dualStep(limit float64) float64 {
	for b := range d.blocks {
		k := &d.blocks[b]
		limit = min(limit, d.ritz.Step(k.yroot, k.applyY, limit))
	}
	return limit
}

// timesDual writes dY·x to dst.
func (k *denseBlock) timesDual(dst, x []float64) {
	blas64.Symv(1, matrix.Symmetric(k.dy), blas64.Vector{N: len(x), Inc: 1, Data: x}, 0,
		blas64.Vector{N: len(x), Inc: 1, Data: dst})
}

func (d *dense) move(step float64) {
	for b := range d.blocks {
		k := &d.blocks[b]
		floats.AddScaled(k.y.Data, step, k.dy.Data)
	}
}

func transpose(dst, src blas64.General) {
	for i := range src.Rows {
		for j, v := range matrix.Row(src, i) {
			dst.Data[j*dst.Stride+i] = v
		}
	}
}

func addTransposed(dst, src blas64.General) {
	for i := range src.Rows {
		for j, v := range matrix.Row(src, i) {
			dst.Data[j*dst.Stride+i] += v
		}
	}
}
