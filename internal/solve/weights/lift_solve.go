package weights

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
	"github.com/batopo/batopo/topology"
)

// A LiftSolver solves for the weights of lifts of one shape, one variable per arc.
// It keeps its memory between calls, so that a search can call it often. One solver
// serves one goroutine.
type LiftSolver struct {
	orbits, size int
	program      program
	cone         *lifted
	method       interior
	spectrum     *spectral.LiftSpectrum
	degree       []float64
	tree         liftTree
}

// NewLiftSolver returns a solver for lifts with that many orbits of that size.
func NewLiftSolver(orbits, size int) (*LiftSolver, error) {
	if orbits < 1 || size < 1 || orbits*size < 2 {
		return nil, fmt.Errorf("weights: a lift of %d orbits of size %d; averaging needs at least 2 nodes", orbits, size)
	}
	return &LiftSolver{orbits: orbits, size: size, cone: newLifted(orbits, size),
		spectrum: spectral.NewLiftSpectrum(orbits, size), degree: make([]float64, orbits)}, nil
}

// SolveLift is NewLiftSolver and Solve for a single lift.
func SolveLift(ctx context.Context, l topology.Lift, s Settings) (*Result, error) {
	solver, err := NewLiftSolver(l.Orbits, l.Size)
	if err != nil {
		return nil, err
	}
	return solver.Solve(ctx, l, s)
}

// Solve finds the best weights of a lift, whose arcs must be canonical (as from
// [topology.NewLift]). By symmetry and convexity no weights that differ
// inside an arc do better, and the certificate proves just that for the full graph.
func (v *LiftSolver) Solve(ctx context.Context, l topology.Lift, s Settings) (*Result, error) {
	s = s.withDefaults()
	if err := s.validate(); err != nil {
		return nil, err
	}
	if l.Orbits != v.orbits || l.Size != v.size {
		return nil, fmt.Errorf("weights: a lift of %d orbits of size %d for a solver of %d of size %d",
			l.Orbits, l.Size, v.orbits, v.size)
	}
	if err := v.check(l); err != nil {
		return nil, err
	}
	v.limits(l, s)
	v.cone.set(l, &v.program)
	w := &v.method
	w.prepare(&v.program, v.cone)
	for e, arc := range l.Arcs {
		w.x[e] = v.program.startWeight(max(v.degree[arc.A], v.degree[arc.B]))
	}
	v.cone.choose(w.x)
	stop := w.run(ctx, s)
	r := w.result(s, stop, func(weights []float64) (lambda2, lambdaN float64) {
		return v.spectrum.Extremes(l, weights)
	})
	if !s.NoCertificate {
		r.Certificate, r.Bound = w.certify(l, s)
	}
	return r, nil
}

// check refuses arcs that are out of place and lifts that are not connected.
func (v *LiftSolver) check(l topology.Lift) error {
	for k, arc := range l.Arcs {
		if min(arc.A, arc.B) < 0 || max(arc.A, arc.B) >= l.Orbits || arc != l.Canonical(arc) || arc.A == arc.B && arc.S == 0 {
			return fmt.Errorf("weights: arc %d is %v, which is not canonical; build lifts with topology.NewLift", k, arc)
		}
	}
	if !v.tree.connected(l) {
		return fmt.Errorf("weights: the lift with arcs %v does not connect its %d nodes, "+
			"so no weights average over all of them", l.Arcs, l.Nodes())
	}
	return nil
}

// limits writes the rows: for FMMC the sum of the weights at a node of every orbit, for FDLA a box.
func (v *LiftSolver) limits(l topology.Lift, s Settings) {
	p := &v.program
	p.set(len(l.Arcs), s)
	clear(v.degree)
	for a := range l.Orbits {
		for k, arc := range l.Arcs {
			ends := 0.0 // edges of the arc at a node of the orbit
			if arc.A == a {
				ends++
			}
			if arc.B == a && !l.Matching(arc) {
				ends++
			}
			v.degree[a] += ends
			if p.limited && ends > 0 {
				p.term(k, ends)
			}
		}
		if p.limited {
			p.endRow()
		}
	}
	if !p.limited {
		v.box(len(l.Arcs))
	}
}

// box limits free weights to what no solution exceeds. The few blocks at work may not hold them by
// themselves; at the optimum these rows have no price.
func (v *LiftSolver) box(vars int) {
	for k := range vars {
		v.program.term(k, 1/freeWeight)
		v.program.endRow()
		v.program.term(k, -1/freeWeight)
		v.program.endRow()
	}
}

// liftTree decides whether lifts are connected without building them.
type liftTree struct {
	parent, offset []int // node (a, x) is joined to (parent, x + offset)
}

// connected walks a spanning forest of the orbits. Along it shifts can be relabelled away; each other arc then
// closes a cycle with some shift, and all cycles together reach the multiples of their greatest common divisor.
func (t *liftTree) connected(l topology.Lift) bool {
	matrix.Resize(&t.parent, l.Orbits)
	matrix.Resize(&t.offset, l.Orbits)
	for a := range t.parent {
		t.parent[a], t.offset[a] = a, 0
	}
	trees, common := l.Orbits, l.Size
	for _, arc := range l.Arcs {
		a, da := t.find(arc.A)
		b, db := t.find(arc.B)
		// (A, x) ~ (a, x+da) and (B, x+S) ~ (b, x+S+db) are now one.
		shift := arc.S + db - da
		if a == b {
			common = gcd(common, shift)
			continue
		}
		t.parent[a], t.offset[a] = b, shift
		trees--
	}
	return trees == 1 && common == 1
}

func (t *liftTree) find(a int) (root, offset int) {
	for t.parent[a] != a {
		offset += t.offset[a]
		a = t.parent[a]
	}
	return a, offset
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
