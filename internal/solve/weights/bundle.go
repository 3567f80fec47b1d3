package weights

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
	"github.com/batopo/batopo/topology"
)

// A bundle models the value from below: of W it knows only the parts on two small subspaces, near the upper and
// the lower end of the spectrum (Helmberg and Rendl 2000, "A spectral bundle method for
// semidefinite programming"). Its next point solves
//
//	minimise  s + ‖g − centre‖²/(2·trust)   subject to   P₁ᵀ(sI − W)P₁ ⪰ 0,   P₂ᵀ(sI + W)P₂ ⪰ 0 (or P₂ᵀ(W − μI)P₂ ⪰ 0)
//
// and the limits on g. The dual of that has two small matrices V and one price per node. It is solved by
// an accelerated gradient method (Nesterov 1983), which needs no more than products with the edges. PVPᵀ is
// a multiplier for the whole problem, so the model also proves bounds.
type bundle struct {
	program // only what the settings say; rows are the nodes
	nodes   int
	edges   []topology.Edge
	degree  float64 // the largest

	upper, lower *subspace
	price, ahead []float64 // q and its extrapolation
	centre       []float64
	trust        float64

	g    []float64 // the minimiser for the multipliers ahead
	pull []float64 // per edge: aᵀ(Y₁ − Y₂)a − q_i − q_j
	load []float64 // per node: Σ g − 1
}

func newBundle(g *topology.Graph, s Settings) *bundle {
	n, m := g.Nodes(), len(g.Edges())
	b := &bundle{nodes: n, edges: g.Edges(), degree: float64(g.MaxDegree())}
	b.set(m, s)
	for _, f := range []*[]float64{&b.centre, &b.g, &b.pull} {
		*f = make([]float64, m)
	}
	for _, f := range []*[]float64{&b.price, &b.ahead, &b.load} {
		*f = make([]float64, n)
	}
	return b
}

// minimise improves the multipliers and leaves the model's minimiser in g and load. It returns the model's value there.
func (b *bundle) minimise() float64 {
	const rounds = 100 // the multipliers start where the last call left them
	priceStep := b.steps()
	b.catchUp()
	momentum := 1.0
	for range rounds {
		b.respond()
		next := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		b.ascend(priceStep, (momentum-1)/next)
		momentum = next
	}
	b.catchUp()
	b.respond()
	return b.value()
}

// catchUp ends the extrapolation.
func (b *bundle) catchUp() {
	copy(b.upper.ahead.Data, b.upper.v.Data)
	copy(b.lower.ahead.Data, b.lower.v.Data)
	copy(b.ahead, b.price)
}

// steps chooses step lengths for V₁, V₂ and returns one for prices. The curvature of the dual function along each is
// trust·‖B‖², where B maps multipliers to pulls of edges; three blocks together have at most three times as much.
func (b *bundle) steps() (price float64) {
	for _, u := range []*subspace{b.upper, b.lower} {
		u.step = 1 / (3 * b.trust * b.curvature(u))
	}
	return 1 / (3 * b.trust * 2 * b.degree)
}

// curvature estimates the largest eigenvalue of V ↦ Σ (pₖᵀVpₖ)·pₖpₖᵀ, pₖ = Pᵀaₖ, which keeps positive
// semidefinite matrices so: powers starting at I rise towards it fast.
func (b *bundle) curvature(u *subspace) float64 {
	const (
		powers = 6
		safety = 1.2
	)
	clear(u.ahead.Data)
	for i := 0; i < len(u.ahead.Data); i += u.width() + 1 {
		u.ahead.Data[i] = 1
	}
	size := 0.0
	for range powers {
		floats.Scale(1/floats.Norm(u.ahead.Data, 2), u.ahead.Data)
		clear(b.pull)
		b.tension(u, 1)
		clear(u.image.Data)
		for k, e := range b.edges {
			addDifference(matrix.Row(u.image, e.I), matrix.Row(u.image, e.J), b.pull[k], matrix.Row(u.p, e.I),
				matrix.Row(u.p, e.J))
		}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, u.p, u.image, 0, u.ahead)
		size = floats.Norm(u.ahead.Data, 2)
	}
	return safety * size
}

// respond computes g for the multipliers ahead, the loads of nodes, and PᵀWP.
func (b *bundle) respond() {
	clear(b.pull)
	b.tension(b.upper, 1)
	b.tension(b.lower, -1)
	for i := range b.load {
		b.load[i] = -1
	}
	for k, e := range b.edges {
		if b.limited {
			b.g[k] = max(0, b.centre[k]+b.trust*(b.pull[k]-b.ahead[e.I]-b.ahead[e.J]))
		} else {
			b.g[k] = b.centre[k] + b.trust*b.pull[k]
		}
		b.load[e.I] += b.g[k]
		b.load[e.J] += b.g[k]
	}
	b.compress(b.upper)
	b.compress(b.lower)
}

// tension adds sign·aᵀYa of every edge to pull.
func (b *bundle) tension(u *subspace, sign float64) {
	u.spreadOut()
	for k, e := range b.edges {
		b.pull[k] += sign * differenceDot(matrix.Row(u.p, e.I), matrix.Row(u.p, e.J), matrix.Row(u.image, e.I),
			matrix.Row(u.image, e.J))
	}
}

// compress writes PᵀWP to w.
func (b *bundle) compress(u *subspace) {
	copy(u.image.Data, u.p.Data)
	for k, e := range b.edges {
		addDifference(matrix.Row(u.image, e.J), matrix.Row(u.image, e.I), b.g[k], matrix.Row(u.p, e.I),
			matrix.Row(u.p, e.J))
	}
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, u.p, u.image, 0, u.w)
}

// ascend takes one step up the dual function, projects, and extrapolates.
func (b *bundle) ascend(priceStep, push float64) {
	for i, w := range b.upper.w.Data {
		b.upper.w.Data[i] = b.upper.ahead.Data[i] + b.upper.step*w
	}
	for i, w := range b.lower.w.Data {
		if b.floored && i%(b.lower.width()+1) == 0 {
			w -= b.floor
		}
		b.lower.w.Data[i] = b.lower.ahead.Data[i] - b.lower.step*w
	}
	b.project()
	for _, u := range []*subspace{b.upper, b.lower} {
		for i, w := range u.w.Data {
			u.ahead.Data[i] = w + push*(w-u.v.Data[i])
			u.v.Data[i] = w
		}
	}
	if b.limited {
		for i, load := range b.load {
			q := max(0, b.ahead[i]+priceStep*load)
			b.ahead[i] = q + push*(q-b.price[i])
			b.price[i] = q
		}
	}
}

// project moves the matrices in w to the nearest positive semidefinite ones, in the metric of their steps, with
// the right traces: 1 together, or 1 for the upper alone under a floor.
func (b *bundle) project() {
	if !b.upper.decompose(b.upper.w) || !b.lower.decompose(b.lower.w) {
		return // not finite; the caller sees that in the value
	}
	rest := b.lower.values
	if b.floored {
		rest = nil
	}
	simplex(b.upper.values, b.upper.step, rest, b.lower.step)
	for i, v := range b.lower.values {
		b.lower.values[i] = max(0, v)
	}
	b.upper.compose()
	b.lower.compose()
}

// simplex projects (x, y), both ascending, on nonnegative numbers that add up to 1: it takes t·dx from all of x
// and t·dy from all of y and cuts off below 0, with the t that makes the sum right.
func simplex(x []float64, dx float64, y []float64, dy float64) {
	// Largest ratios value/d leave the cut last: t is found when the next ratio is below it.
	i, j := len(x)-1, len(y)-1
	sum, slope, t := -1.0, 0.0, 0.0
	for i >= 0 || j >= 0 {
		if j < 0 || i >= 0 && x[i]*dy >= y[j]*dx {
			if slope > 0 && x[i] <= t*dx {
				break
			}
			sum, slope = sum+x[i], slope+dx
			i--
		} else {
			if slope > 0 && y[j] <= t*dy {
				break
			}
			sum, slope = sum+y[j], slope+dy
			j--
		}
		t = sum / slope
	}
	for k, v := range x {
		x[k] = max(0, v-t*dx)
	}
	for k, v := range y {
		y[k] = max(0, v-t*dy)
	}
}

// value returns what the model expects of g.
func (b *bundle) value() float64 {
	if !b.upper.decompose(b.upper.w) || !b.lower.decompose(b.lower.w) {
		return math.NaN()
	}
	top, bottom := b.upper.values[b.upper.width()-1], b.lower.values[0]
	if b.floored {
		return top
	}
	return max(top, -bottom)
}

// certificate returns what the multipliers prove.
func (b *bundle) certificate(l topology.Lift, s Settings) (*design.Certificate, float64) {
	c := &design.Certificate{Sign: s.Sign, MinEigenvalue: copied(s.MinEigenvalue), Orbits: l.Orbits, Size: l.Size,
		Upper: b.upper.columns(), Lower: b.lower.columns()}
	d := tension(c, l.Arcs)
	if s.Sign == design.NonNegative {
		c.Prices = slices.Clone(b.price)
		raisePrices(c.Prices, l.Arcs, d)
	}
	return c, prove(c, l, d)
}
