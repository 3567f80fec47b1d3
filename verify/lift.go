package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// lift checks that the symmetric description gives exactly the plan's edges, one weight per arc.
func (k *check) lift() bool {
	l, weights, problem := k.arcWeights()
	k.holds("lift", problem == "", problem)
	k.symmetry = symmetry{l, weights}
	return problem == ""
}

// symmetry is a lift with the weight of each arc.
type symmetry struct {
	topology.Lift
	weights []float64
}

func (k *check) arcWeights() (l topology.Lift, weights []float64, problem string) {
	l, err := topology.NewLift(k.plan.Lift.Orbits, k.plan.Lift.Size, k.plan.Lift.Arcs)
	if err != nil {
		return l, nil, err.Error()
	}
	if l.Nodes() != k.plan.Nodes || l.Edges() != len(k.plan.Edges()) {
		return l, nil, fmt.Sprintf("it has %d nodes and %d edges, the plan %d and %d",
			l.Nodes(), l.Edges(), k.plan.Nodes, len(k.plan.Edges()))
	}
	w := k.matrices[0]
	weights = make([]float64, len(l.Arcs))
	known := make([]bool, len(l.Arcs))
	l.EachEdge(func(e topology.Edge, arc int) {
		v, ok := w.At(e.I, e.J)
		switch {
		case !ok:
			problem = fmt.Sprintf("edge %d–%d of the lift is not in the plan", e.I, e.J)
		case known[arc] && v != weights[arc]:
			problem = fmt.Sprintf("edges of arc %v have different weights", l.Arcs[arc])
		}
		weights[arc], known[arc] = v, true
	})
	return l, weights, problem
}

// liftEigenvalues returns all eigenvalues of the lift's W except the all-ones vector's, ascending; nil where the
// blocks are too large. Block j is the complex conjugate of block Size − j, so half of them are solved.
func (k *check) liftEigenvalues() []float64 {
	l := k.symmetry
	side := float64(2 * l.Orbits)
	if side*side*side*float64(l.Size/2+1) > mostWork {
		return nil
	}
	all := make([]float64, 0, l.Nodes())
	for j := 0; 2*j <= l.Size; j++ {
		values := l.block(j)
		if values == nil {
			return nil
		}
		all = append(all, values...)
		if j > 0 && 2*j < l.Size {
			all = append(all, values...)
		}
	}
	slices.Sort(all)
	return without(all, 1)
}

// block returns the eigenvalues of one Hermitian block X + iY, solved as the real symmetric [[X, −Y], [Y, X]], which
// has every eigenvalue twice.
func (l symmetry) block(j int) []float64 {
	orbits, size := l.Orbits, l.Size
	block := mat.NewSymDense(2*orbits, nil)
	add := func(a, b int, re, im float64) { // adds to entry (a, b) and, Hermitian, to (b, a)
		block.SetSym(a, b, block.At(a, b)+re)
		block.SetSym(orbits+a, orbits+b, block.At(orbits+a, orbits+b)+re)
		if a != b {
			block.SetSym(a, orbits+b, block.At(a, orbits+b)-im)
			block.SetSym(b, orbits+a, block.At(b, orbits+a)+im)
		}
	}
	for a := range orbits {
		add(a, a, 1, 0)
	}
	for k, arc := range l.Arcs {
		g := l.weights[k]
		angle := 2 * math.Pi * float64(j*arc.S%size) / float64(size)
		switch {
		case l.Matching(arc):
			add(arc.A, arc.A, g*math.Cos(angle)-g, 0)
		case arc.A == arc.B:
			add(arc.A, arc.A, 2*g*math.Cos(angle)-2*g, 0)
		default:
			add(arc.A, arc.A, -g, 0)
			add(arc.B, arc.B, -g, 0)
			add(arc.A, arc.B, g*math.Cos(angle), g*math.Sin(angle))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(block, false) {
		return nil
	}
	twice := eigen.Values(nil)
	values := make([]float64, orbits)
	for t := range values {
		values[t] = twice[2*t]
	}
	return values
}
