package train

import (
	"math"
	"math/rand/v2"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/floats"
)

// QuasiGlobalGrowth returns the factor by which differences between nodes grow or shrink per step in the long run under
// quasi-global momentum, when no node has a gradient. From 1 on training diverges, whatever the learning rate is.
//
// With m = ηu the recursion is linear: x' = W(x − βm) (atc) or Wx − βm (cta), m' = βm + (1 − β)(x − x'). A step without
// a round keeps β(2 − β) of m and moves x by −βm, so nodes drift apart until a round takes that back and writes it into
// m. With all-reduces in every H-th step m changes by (ρᴴ − β)/(1 − β) from one to the next, ρ = β(2 − β): below −1
// for H above ln(2β − 1)/ln ρ, which is 22 at β = 0.9. A schedule that sees some difference only once in a period has
// its period times H in place of H.
//
// Rounds are one period; none means all-reduces.
func QuasiGlobalGrowth(rounds []*mixing.Matrix, every int, order design.Order, beta float64) float64 {
	if len(rounds) == 0 {
		pair, err := mixing.FromArcs(2, []mixing.Arc{{From: 0, To: 1, Weight: 0.5}, {From: 1, To: 0, Weight: 0.5}})
		if err != nil {
			panic(err) // two nodes that meet
		}
		rounds = []*mixing.Matrix{pair}
	}
	const fewest, steps = 100, 4000
	counted := max(fewest, steps/(len(rounds)*every)) // periods, after half as many for what dies out first
	d := newDifferences(rounds[0].Nodes())
	sum := 0.0
	for period := range counted + counted/2 {
		for _, w := range rounds {
			d.drift(every-1, beta)
			d.round(w, order, beta)
		}
		size := d.normalize()
		if size == 0 {
			return 0
		}
		if period >= counted/2 {
			sum += math.Log(size)
		}
	}
	return math.Exp(sum / float64(counted*len(rounds)*every))
}

// Diverges reports whether quasi-global momentum drives the nodes of an entry apart.
func (e Entry) Diverges() bool {
	s := e.Settings.WithDefaults()
	if s.Momentum != QuasiGlobal {
		return false
	}
	var rounds []*mixing.Matrix
	if e.W != nil {
		rounds = e.W.Rounds
	}
	return QuasiGlobalGrowth(rounds, s.Every, s.Order, s.Beta) >= 1
}

// differences are those of one parameter and of its momentum from their means.
type differences struct{ x, m, next, stepped []float64 }

func newDifferences(nodes int) *differences {
	d := &differences{make([]float64, nodes), make([]float64, nodes), make([]float64, nodes), make([]float64, nodes)}
	random := rand.New(rand.NewPCG(1, 0))
	for i := range nodes {
		d.x[i], d.m[i] = random.NormFloat64(), random.NormFloat64()
	}
	d.normalize()
	return d
}

// drift takes steps without a round.
func (d *differences) drift(steps int, beta float64) {
	kept := beta * (2 - beta)
	rest := math.Pow(kept, float64(steps))
	floats.AddScaled(d.x, -beta*(1-rest)/(1-kept), d.m)
	floats.Scale(rest, d.m)
}

// round takes a step with a round.
func (d *differences) round(w *mixing.Matrix, order design.Order, beta float64) {
	before := d.x
	if order == design.AdaptThenCombine {
		before = d.stepped
		floats.AddScaledTo(before, d.x, -beta, d.m)
	}
	w.Apply(d.next, before)
	if order == design.CombineThenAdapt {
		floats.AddScaled(d.next, -beta, d.m)
	}
	for i := range d.m {
		d.m[i] = beta*d.m[i] + (1-beta)*(d.x[i]-d.next[i])
	}
	d.x, d.next = d.next, d.x
}

// normalize takes away the means, which rounding brings back, and returns how large what is left was.
func (d *differences) normalize() float64 {
	for _, v := range [][]float64{d.x, d.m} {
		floats.AddConst(-floats.Sum(v)/float64(len(v)), v)
	}
	size := math.Hypot(floats.Norm(d.x, 2), floats.Norm(d.m, 2))
	if size > 0 {
		floats.Scale(1/size, d.x)
		floats.Scale(1/size, d.m)
	}
	return size
}
