package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// roundsBound checks the proof that no weights on the plan's edges need fewer rounds.
func (k *check) roundsBound() {
	const claim = "rounds_bound"
	p := k.plan
	b := p.RoundsBound
	switch {
	case b == nil:
		return
	case !p.Static() || p.Directed:
		k.holds(claim, false, "it is about the weights of one symmetric W, and the plan is directed or time-varying")
		return
	case b.Rounds < 1:
		k.holds(claim, false, fmt.Sprintf("%d rounds; every plan needs at least 1", b.Rounds))
		return
	}
	k.atMost("iterations are not below "+claim, float64(p.Iterations), float64(b.Rounds),
		"the plan needs fewer rounds than it calls possible")
	if b.Rounds == 1 {
		k.holds(claim, true, "")
		return
	}
	c := b.Certificate
	if c == nil {
		k.holds(claim, false, "it has no certificate, so nothing is proved")
		return
	}
	l, err := liftOf(p)
	if err != nil {
		k.holds(claim, false, err.Error())
		return
	}
	if err := c.Validate(len(l.Arcs), l.Orbits); err != nil {
		k.holds(claim, false, err.Error())
		return
	}
	// A proof for weights without a limit holds for fewer weights too, not the other way round.
	mu := c.MinEigenvalue
	if c.Sign == design.NonNegative && p.Sign != design.NonNegative || mu != nil &&
		(p.MinEigenvalue == nil || *mu != *p.MinEigenvalue) {
		k.holds(claim, false, "the certificate is about other weights: its setting or smallest "+
			"eigenvalue differ from the plan's")
		return
	}
	if b.Rounds > mostPower || powerWork(l.Orbits, l.Size, 2*b.Rounds-3) > 2*mostWork ||
		c.Floor > 0 && l.Nodes() > denseLimit/4 {
		k.unproved(claim, float64(b.Rounds), errTooLarge.Error())
		return
	}
	proved, wanted := provedNorm(c, l, b.Rounds-1, p.TargetError), math.Pow(p.TargetError, 1/float64(b.Rounds-1))
	k.atMost(claim, proved, wanted, fmt.Sprintf("the certificate does not exclude that %d rounds are enough", b.Rounds-1))
}

// mostPower is more rounds than any plan takes.
const mostPower = 1 << 41

// liftOf returns the plan's graph as a lift, of one node per orbit where it has no symmetry. A lift whose edges are
// not the plan's is refused where lifts are checked.
func liftOf(p *design.Plan) (topology.Lift, error) {
	if l := p.Lift; l != nil {
		if l.Orbits < 1 || l.Size < 1 || p.Nodes%l.Orbits != 0 || p.Nodes/l.Orbits != l.Size {
			return topology.Lift{}, fmt.Errorf("the lift has %d orbits of size %d, the plan %d nodes", l.Orbits, l.Size, p.Nodes)
		}
		return topology.NewLift(l.Orbits, l.Size, l.Arcs)
	}
	l := topology.Lift{Orbits: p.Nodes, Size: 1}
	for _, e := range p.Edges() {
		l.Arcs = append(l.Arcs, topology.Arc{A: e.I, B: e.J})
	}
	return l, nil
}

// provedNorm returns what the certificate proves about N = ‖Wᵏ − J‖_F^{1/k} of all W on the lift's edges, as
// design.RoundsCertificate derives it. It takes powers of W₀ − J and no eigenvalues.
func provedNorm(c *design.RoundsCertificate, l topology.Lift, k int, target float64) float64 {
	x := deviationOf(l, c.Weights)
	y, size := x.power(2*k - 1) // Y = e^size·y
	sum := x.dot(y)             // Σ λ₀^{2k} = e^size·sum
	if !(sum > 0) {
		return math.Inf(-1)
	}
	share := 1 / float64(2*k)
	unit := math.Exp(size*share - (1-share)*math.Log(sum)) // Y/‖Y‖ = unit·y
	// Rounding leaves Y a part along the all-ones vector, which W − J does not see and the trace must not count.
	proved := unit * (y.trace() - y.total()/float64(l.Nodes()))
	sizes := math.Abs(proved)
	pull := make([]float64, len(l.Arcs))
	for a, arc := range l.Arcs {
		pull[a] = unit * y.across(arc)
	}
	// strain holds the sizes of what the pulls are made of, which rounding is charged for.
	strain := make([]float64, len(l.Arcs))
	for a := range pull {
		strain[a] = math.Abs(pull[a])
	}
	if c.Floor > 0 {
		trace, ok := floorPull(c, l, pull, strain)
		if !ok {
			return math.Inf(-1)
		}
		proved -= trace
		sizes += trace
	}
	n := float64(l.Nodes())
	if c.Sign == design.NonNegative {
		short, prices := 0.0, 0.0
		for a, arc := range l.Arcs {
			short = max(short, pull[a]-c.Prices[arc.A]-c.Prices[arc.B])
		}
		for _, q := range c.Prices {
			prices += q * float64(l.Size)
		}
		// Where prices fall short they are raised at every node by half of that.
		proved -= prices + short*n/2
		sizes += prices + slices.Max(strain)*n/2
	} else {
		radius := math.Pow(target, 1/float64(k)) * (1 - 1/n)
		for a, arc := range l.Arcs {
			charge := float64(l.EdgesOf(arc)) * (pull[a]/n + radius*math.Abs(pull[a]))
			proved -= charge
			sizes += float64(l.EdgesOf(arc)) * (1/n + radius) * strain[a]
		}
	}
	return proved - design.RoundsRounding(k, l.Nodes())*sizes
}

// floorPull takes the part of Z = floor·(W₀ − μI)⁻¹ off the pulls, adds its size to strain and returns (1−μ)·tr Z on
// the complement of the all-ones vector; false where there is no such Z. Any Z ⪰ 0 makes a proof. Z is MMᵀ here, with M
// the inverse of a Cholesky factor: whatever rounding made of M, that is positive semidefinite.
func floorPull(c *design.RoundsCertificate, l topology.Lift, pull, strain []float64) (trace float64, ok bool) {
	n, mu := l.Nodes(), *c.MinEigenvalue
	x := deviationOf(l, c.Weights)
	shifted := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			// On the all-ones vector, where W₀ − J is 0, this is 1.
			v := x.at(i, j) + (mu+1)/float64(n)
			if i == j {
				v -= mu
			}
			shifted.SetSym(i, j, v)
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(shifted) {
		return 0, false
	}
	var upper, m mat.TriDense
	factor.UTo(&upper)
	var nearlySingular mat.Condition
	if err := m.InverseTri(&upper); err != nil && !errors.As(err, &nearlySingular) {
		return 0, false
	}
	root := math.Sqrt(c.Floor)
	rows := make([][]float64, n)
	sums := make([]float64, n) // of the columns: what Z has along the all-ones vector
	for i := range rows {
		rows[i] = make([]float64, n)
		for j := i; j < n; j++ {
			rows[i][j] = root * m.At(i, j)
		}
		floats.Add(sums, rows[i])
		trace += floats.Dot(rows[i], rows[i])
	}
	trace -= floats.Dot(sums, sums) / float64(n)
	for a, arc := range l.Arcs {
		apart := floats.Distance(rows[l.Node(arc.A, 0)], rows[l.Node(arc.B, arc.S%l.Size)], 2)
		pull[a] -= apart * apart
		strain[a] += apart * apart
	}
	return (1 - mu) * trace, !math.IsNaN(trace) && !math.IsInf(trace, 0)
}
