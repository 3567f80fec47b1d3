package admm

import (
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/sparse"
)

// saddlePoint solves (27) and (31) as the paper prints them: the matrix
//
//	Ã = ⎡ I  Aᵀ ⎤        A of (26), or A′ of (32)
//	    ⎣ A  0  ⎦
//
// in compressed sparse column storage, its incomplete LU factorization computed once, and
// Bi-CGSTAB started from the last solution. S and T appear in full, as vec(S) and vec(T).
//
// The zero block has explicit zeros on its diagonal. In the natural order, X first,
// elimination puts −‖row of A‖² there, so every pivot exists without a shift (see [sparse.NewILU]).
// For M z ≤ e the slack w adds the columns I to the rows of M, which the paper does not have.
type saddlePoint struct {
	p         *problem
	matrix    *sparse.CSC // Ã; its factors have as many entries
	solver    *sparse.BiCGSTAB
	tolerance float64
	unknowns  int       // length of X in full
	solution  []float64 // [X; λ], kept as the next first guess
	rhs       []float64 // [V; b]
	at        blocks

	steps int // of Bi-CGSTAB, since the beginning
}

// blocks are the places where the blocks of X, and those of rows of A, begin in full storage.
type blocks struct{ lambda, s, y, t, z, nu, w, end int }

// SaddlePoint returns Ã for a space of graphs.
func SaddlePoint(space design.Space) (*sparse.CSC, error) {
	p, err := newProblem(space)
	if err != nil {
		return nil, err
	}
	sp, err := newSaddlePoint(p, 0, true)
	if err != nil {
		return nil, err
	}
	return sp.matrix, nil
}

func newSaddlePoint(p *problem, tolerance float64, noILU bool) (*saddlePoint, error) {
	n2 := p.n * p.n
	at := blocks{lambda: p.m, s: p.m + 1}
	at.y = at.s + n2
	at.t = at.y + p.n
	at.z = at.t + n2
	at.nu, at.w, at.end = at.z, at.z, at.z
	rows := 2*n2 + p.n
	if p.selecting {
		at.nu = at.z + p.m
		at.w = at.nu + p.m
		at.end = at.w
		if p.slack {
			at.end += p.q
		}
		rows += p.q + p.m
	}
	sp := &saddlePoint{p: p, tolerance: tolerance, unknowns: at.end, at: at}
	sp.solution, sp.rhs = make([]float64, at.end+rows), make([]float64, at.end+rows)
	var err error
	if sp.matrix, err = sparse.NewCSC(at.end+rows, at.end+rows, sp.entries(rows)); err != nil {
		return nil, err
	}
	var factors *sparse.ILU
	if !noILU {
		if factors, err = sparse.NewILU(sp.matrix); err != nil {
			return nil, fmt.Errorf("admm: saddle-point matrix: %w", err)
		}
	}
	sp.solver = sparse.NewBiCGSTAB(sp.matrix, factors)
	sp.constants()
	return sp, nil
}

// entries lists Ã: the unit block, A and Aᵀ row by row, and the explicit zeros.
func (sp *saddlePoint) entries(rows int) []sparse.Entry {
	p, at, n := sp.p, sp.at, sp.p.n
	var list []sparse.Entry
	put := func(row, col int, v float64) {
		r := sp.unknowns + row
		list = append(list, sparse.Entry{Row: r, Col: col, Value: v}, sparse.Entry{Row: col, Col: r, Value: v})
	}
	for i := range sp.unknowns {
		list = append(list, sparse.Entry{Row: i, Col: i, Value: 1})
	}
	for i := range rows {
		list = append(list, sparse.Entry{Row: sp.unknowns + i, Col: sp.unknowns + i, Value: 0})
	}
	minus, plus, diag := 0, n*n, 2*n*n // rows of B̃⁻, B̃⁺ and D
	for k, e := range p.edges {
		for _, block := range [2]int{minus, plus} {
			put(block+e.I*n+e.I, k, 1)
			put(block+e.J*n+e.J, k, 1)
			put(block+e.I*n+e.J, k, -1)
			put(block+e.J*n+e.I, k, -1)
		}
		put(diag+e.I, k, 1)
		put(diag+e.J, k, 1)
	}
	for i := range n {
		put(minus+i*n+i, at.lambda, -1)
		put(plus+i*n+i, at.lambda, 1)
		put(diag+i, at.y+i, 1)
	}
	for i := range n * n {
		put(minus+i, at.s+i, 1)
		put(plus+i, at.t+i, 1)
	}
	if !p.selecting {
		return list
	}
	limit := 2*n*n + n // rows of M, then those of g − z + ν = 0
	below := limit + p.q
	for a, row := range p.rows {
		for _, k := range row {
			put(limit+a, at.z+k, 1)
		}
		if p.slack {
			put(limit+a, at.w+a, 1)
		}
	}
	for k := range p.m {
		put(below+k, k, 1)
		put(below+k, at.z+k, -1)
		put(below+k, at.nu+k, 1)
	}
	return list
}

// constants writes b of (26), b′ of (32), once.
func (sp *saddlePoint) constants() {
	n := sp.p.n
	b := sp.rhs[sp.unknowns:]
	for i := range n * n {
		b[i] = -sp.p.alpha / float64(n) // −B₀
	}
	for i := range n {
		b[n*n+i*n+i] = 2
		b[2*n*n+i] = 1
	}
	copy(b[2*n*n+n:], sp.p.capacity)
}

// update solves Ã [X; λ] = [V; b]. It does not allocate unless Bi-CGSTAB fails.
func (sp *saddlePoint) update(x, v *point) error {
	sp.unpack(v)
	const limit = 2000 // iterations; a few dozen are normal
	used, err := sp.solver.Solve(sp.solution, sp.rhs, sp.tolerance, limit)
	sp.steps += used
	if err != nil {
		return fmt.Errorf("admm: primal update: %w", err)
	}
	sp.pack(x)
	return nil
}

// unpack writes v into the right-hand side, S and T in full.
func (sp *saddlePoint) unpack(v *point) {
	at, n := sp.at, sp.p.n
	copy(sp.rhs, v.g)
	sp.rhs[at.lambda] = v.lambda[0]
	copy(sp.rhs[at.y:], v.y)
	k := 0
	for i := range n {
		for j := i; j < n; j++ {
			sp.rhs[at.s+i*n+j], sp.rhs[at.s+j*n+i] = v.s[k], v.s[k]
			sp.rhs[at.t+i*n+j], sp.rhs[at.t+j*n+i] = v.t[k], v.t[k]
			k++
		}
	}
	copy(sp.rhs[at.z:], v.z)
	copy(sp.rhs[at.nu:at.w], v.nu)
	copy(sp.rhs[at.w:at.end], v.w)
}

// pack reads X from the solution. The two triangles agree up to the tolerance of the solver.
func (sp *saddlePoint) pack(x *point) {
	at, n := sp.at, sp.p.n
	copy(x.g, sp.solution)
	x.lambda[0] = sp.solution[at.lambda]
	copy(x.y, sp.solution[at.y:])
	k := 0
	for i := range n {
		for j := i; j < n; j++ {
			x.s[k] = (sp.solution[at.s+i*n+j] + sp.solution[at.s+j*n+i]) / 2
			x.t[k] = (sp.solution[at.t+i*n+j] + sp.solution[at.t+j*n+i]) / 2
			k++
		}
	}
	copy(x.z, sp.solution[at.z:])
	copy(x.nu, sp.solution[at.nu:])
	copy(x.w, sp.solution[at.w:])
}
