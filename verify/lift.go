package verify

import (
	"fmt"
	"math"
	"slices"

	"batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// lift checks that the symmetric description gives exactly the plan's edges, one weight per
// arc, and then recomputes the spectrum block by block.
func (k *check) lift() {
	l, err := topology.NewLift(k.plan.Lift.Orbits, k.plan.Lift.Size, k.plan.Lift.Arcs)
	if err != nil {
		k.holds("lift", false, err.Error())
		return
	}
	if l.Nodes() != k.plan.Nodes || l.Edges() != len(k.plan.Edges) {
		k.holds("lift", false, fmt.Sprintf("it has %d nodes and %d edges, the plan %d and %d", l.Nodes(), l.Edges(), k.plan.Nodes, len(k.plan.Edges)))
		return
	}
	w := k.matrices[0]
	weights := make([]float64, len(l.Arcs))
	known := make([]bool, len(l.Arcs))
	problem := ""
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
	k.holds("lift", problem == "", problem)
	if problem != "" {
		return
	}
	if others := blockEigenvalues(l, weights); k.plan.Nodes <= denseLimit {
		// Small enough to take the other road, which does not use the symmetry at all.
		k.symmetric(denseEigenvalues(w))
	} else {
		k.symmetric(others)
	}
}

// blockEigenvalues returns all eigenvalues of the lift's W but that of the all-ones vector,
// ascending. Each Hermitian block X + iY is solved as the real symmetric [[X, −Y], [Y, X]],
// which has every eigenvalue twice.
func blockEigenvalues(l topology.Lift, weights []float64) []float64 {
	orbits, size := l.Orbits, l.Size
	var all []float64
	var eigen mat.EigenSym
	for j := range size {
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
			g := weights[k]
			angle := 2 * math.Pi * math.Mod(float64(j)*float64(arc.S), float64(size)) / float64(size)
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
		if !eigen.Factorize(block, false) {
			return nil
		}
		values := eigen.Values(nil)
		for t := 0; t < len(values); t += 2 {
			all = append(all, values[t])
		}
	}
	slices.Sort(all)
	nearest := 0
	for t, v := range all {
		if math.Abs(v-1) < math.Abs(all[nearest]-1) {
			nearest = t
		}
	}
	return slices.Delete(all, nearest, nearest+1)
}
