package admm

import (
	"github.com/batopo/batopo/internal/ground/spectral"

	"gonum.org/v1/gonum/mat"
)

// A primalStep computes X = Proj(V) on the linear equations of (20) or (28): it solves
// the system (27) or (31), whose right-hand side is V = Y − (D + C)/ρ over b.
type primalStep interface {
	update(x, v *point) error
}

// An iteration is the state of Algorithm 2 between two steps. Everything it needs is
// allocated by newIteration.
type iteration struct {
	p         *problem
	rho       float64
	x, before *point // X now and one step earlier
	y, d, v   *point // Y, D, and the point to be projected
	primal    primalStep

	matrix  *mat.SymDense
	eigen   *spectral.Eigen
	largest []float64 // scratch of the cardinality projection
}

func (s *solver) newIteration(p *problem) (*iteration, error) {
	return newIteration(p, s.settings.Method, linearTolerance, s.settings.NoILU)
}

func newIteration(p *problem, method Method, linearTolerance float64, noILU bool) (*iteration, error) {
	it := &iteration{p: p, matrix: spectral.NewSym(p.n), eigen: spectral.NewEigen(p.n), largest: make([]float64, p.m)}
	for _, q := range []**point{&it.x, &it.before, &it.y, &it.d, &it.v} {
		*q = newPoint(p.layout)
	}
	var err error
	if method == Printed {
		it.primal, err = newSaddlePoint(p, linearTolerance, noILU)
	} else {
		it.primal, err = newClosedForm(p)
	}
	return it, err
}

// linear reports on the printed linear solver.
func (it *iteration) linear() (l Linear) {
	if sp, ok := it.primal.(*saddlePoint); ok {
		l = Linear{Unknowns: len(sp.solution), Entries: sp.matrix.Entries(), Steps: sp.steps}
	}
	return l
}

// begin puts the iteration at weights g (and selection z) with multipliers 0; Y = X.
func (it *iteration) begin(rho, lambda float64, g, z []float64) {
	it.rho = rho
	copy(it.x.g, g)
	copy(it.x.z, z)
	it.x.lambda[0] = lambda
	it.p.satisfy(it.x)
	copy(it.before.all, it.x.all)
	copy(it.y.all, it.x.all)
	clear(it.d.all)
}

// step is one pass through the loop of Algorithm 2. It does not allocate.
func (it *iteration) step() error {
	if err := it.updateAuxiliary(); err != nil { // Y: (24), (30)
		return err
	}
	if err := it.updatePrimal(); err != nil { // X: (27), (31)
		return err
	}
	it.updateDuals() // D: (22), (33)
	return nil
}

// updateAuxiliary sets Y = Proj(X + D/ρ), block by block: (24) and (30).
func (it *iteration) updateAuxiliary() error {
	y := it.y
	for k, x := range it.x.all {
		y.all[k] = x + it.d.all[k]/it.rho
	}
	clampNonnegative(y.g) // x₁ ≥ 0
	clampNonnegative(y.lambda)
	clampNonnegative(y.y) // y₁ ≥ 0
	if it.p.selecting {
		it.keepLargest(y.z, true) // z₁ ∈ {0, 1}, r ones
		clampNonnegative(y.nu)    // ν₁ ≥ 0
		clampNonnegative(y.w)     // w₁ ≥ 0
	}
	if !it.p.selecting || it.p.sparse {
		it.keepLargest(y.g, false) // |x₁|₀ ≤ r
	}
	if err := it.projectCone(y.s, -1); err != nil { // S₁ ⪯ 0
		return err
	}
	return it.projectCone(y.t, 1) // T₁ ⪰ 0
}

// updatePrimal sets X = Proj(V), V = Y − (D + C)/ρ, where C is −1 at λ̃: (27) and (31).
func (it *iteration) updatePrimal() error {
	for k, y := range it.y.all {
		it.v.all[k] = y - it.d.all[k]/it.rho
	}
	it.v.lambda[0] += 1 / it.rho
	it.x, it.before = it.before, it.x
	return it.primal.update(it.x, it.v)
}

// updateDuals sets D = D + ρ (X − Y): (22) and (33).
func (it *iteration) updateDuals() {
	for k, x := range it.x.all {
		it.d.all[k] += it.rho * (x - it.y.all[k])
	}
}

// residuals returns how far X and Y are apart, and how far X moved in the last step
// times ρ: zero primal and dual residuals together mean a stationary point. (The paper
// looks at the primal one alone, which is 0 at any feasible start.) Both are relative.
func (it *iteration) residuals() (primal, dual float64) {
	primal = distance(it.x, it.y) / (1 + norm(it.x))
	dual = it.rho * distance(it.x, it.before) / (1 + norm(it.d))
	return primal, dual
}

// score is what the next projection will look at: how much each edge is wanted.
func (it *iteration) score(dst []float64) {
	x, d := it.x.g, it.d.g
	if it.p.selecting {
		x, d = it.x.z, it.d.z
	}
	for k := range dst {
		dst[k] = x[k] + d[k]/it.rho
	}
}
