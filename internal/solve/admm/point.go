package admm

import "math"

// A layout gives the sizes of the blocks that X, Y and D consist of:
//
//	X = [x; S; y; T],  x = [g; λ̃]         and with limits X′ = [X; z; ν; w]
//
// S and T are symmetric, so only their upper triangles are kept, row by row, and norms
// count off-diagonal entries twice.
type layout struct {
	n, m, q   int  // nodes, candidate edges, limits
	selecting bool // has z and ν: problem (28)
	slack     bool // has w: M z + w = e instead of M z = e
}

func (l layout) triangle() int { return l.n * (l.n + 1) / 2 }

func (l layout) size() int {
	size := l.m + 1 + l.n + 2*l.triangle()
	if l.selecting {
		size += 2 * l.m
	}
	if l.slack {
		size += l.q
	}
	return size
}

// A point is one value of X, Y or D; the names are those of X.
type point struct {
	layout
	all    []float64 // every block, one after the other
	g      []float64 // edge weights
	lambda []float64 // λ̃, one number
	s, t   []float64 // upper triangles of S and T
	y      []float64 // 1 − diag(L)
	z      []float64 // edge selection
	nu     []float64 // z − g
	w      []float64 // e − M z
}

func newPoint(l layout) *point {
	p := &point{layout: l, all: make([]float64, l.size())}
	rest := p.all
	take := func(k int) []float64 {
		block := rest[:k:k]
		rest = rest[k:]
		return block
	}
	p.g, p.lambda = take(l.m), take(1)
	p.s, p.y, p.t = take(l.triangle()), take(l.n), take(l.triangle())
	if l.selecting {
		p.z, p.nu = take(l.m), take(l.m)
	}
	if l.slack {
		p.w = take(l.q)
	}
	return p
}

// distance returns ‖a − b‖ as the paper's vectors have it.
func distance(a, b *point) float64 {
	sum := 0.0
	for k, v := range a.all {
		d := v - b.all[k]
		sum += d * d
	}
	return math.Sqrt(a.lower(sum, func(k int) (s, t float64) { return a.s[k] - b.s[k], a.t[k] - b.t[k] }))
}

// norm returns ‖a‖ likewise.
func norm(a *point) float64 {
	sum := 0.0
	for _, v := range a.all {
		sum += v * v
	}
	return math.Sqrt(a.lower(sum, func(k int) (s, t float64) { return a.s[k], a.t[k] }))
}

// lower adds the squares of the lower triangles of S and T.
func (l layout) lower(sum float64, at func(k int) (s, t float64)) float64 {
	k := 0
	for i := range l.n {
		k++
		for end := k + l.n - i - 1; k < end; k++ {
			s, t := at(k)
			sum += s*s + t*t
		}
	}
	return sum
}
