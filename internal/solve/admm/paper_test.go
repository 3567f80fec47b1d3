package admm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// spaces covers every shape of the primal update: all pairs and restricted candidates,
// no limits, M z = e with independent and with dependent rows, M z ≤ e.
func spaces() map[string]design.Space {
	restricted := scenario.BCube([2]int{1, 2})
	restricted.Limits, restricted.Exact = nil, false
	dependent := scenario.Server([7]int{1, 1, 1, 1, 2, 2, 4})
	sum := design.Limit{Name: "PIX together", Max: 4}
	for _, l := range dependent.Limits[:4] {
		sum.Edges = append(sum.Edges, l.Edges...)
	}
	slices.Sort(sum.Edges)
	dependent.Limits = append(dependent.Limits, sum)
	loose := scenario.TwoClasses(6, 2)
	loose.Exact = false
	return map[string]design.Space{
		"all pairs":      scenario.Homogeneous(7, 9),
		"two nodes":      scenario.Homogeneous(2, 1),
		"restricted":     restricted,
		"degrees":        scenario.TwoClasses(6, 2),
		"ports":          scenario.BCube([2]int{1, 2}),
		"dependent rows": dependent,
		"at most":        loose,
	}
}

func mustProblem(t testing.TB, space design.Space) *problem {
	t.Helper()
	p, err := newProblem(space)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func randomPoint(p *problem, rng *rand.Rand) *point {
	v := newPoint(p.layout)
	for k := range v.all {
		v.all[k] = rng.NormFloat64()
	}
	return v
}

func largestDifference(a, b *point) float64 {
	worst := 0.0
	for k, v := range a.all {
		worst = max(worst, math.Abs(v-b.all[k]))
	}
	return worst
}

// Equations (27) and (31): the formulas and the printed system have the same solution.
func TestEq27And31ClosedFormEqualsThePrintedSystem(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 27))
	for name, space := range spaces() {
		p := mustProblem(t, space)
		fast, err := newClosedForm(p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		printed, err := newSaddlePoint(p, 1e-13, false)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for trial := range 5 {
			v, a, b := randomPoint(p, rng), newPoint(p.layout), newPoint(p.layout)
			if err := fast.update(a, v); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := printed.update(b, v); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if d := largestDifference(a, b); d > 1e-8 {
				t.Errorf("%s, trial %d: closed form and printed system differ by %.2g, want at most 1e-8", name,
					trial, d)
			}
		}
	}
}

// The same against a dense solve of the optimality conditions, written from the
// definitions of B⁻, B⁺ and D rather than from either implementation.
func TestEq26AgainstDenseOptimalityConditions(t *testing.T) {
	const n = 5
	space := scenario.Homogeneous(n, 6)
	p := mustProblem(t, space)
	m := p.m
	unknowns, rows := m+1+2*n*n+n, 2*n*n+n
	a := mat.NewDense(rows, unknowns, nil)
	b := mat.NewVecDense(rows, nil)
	for k := range m + 1 { // columns of x: apply the maps of the paper to unit vectors
		laplacian, lambda := mat.NewDense(n, n, nil), 0.0
		if k < m {
			incidence := mat.NewVecDense(n, nil)
			incidence.SetVec(p.edges[k].I, 1)
			incidence.SetVec(p.edges[k].J, -1)
			laplacian.Outer(1, incidence, incidence)
		} else {
			lambda = 1
		}
		for i := range n {
			for j := range n {
				unit := 0.0
				if i == j {
					unit = lambda
				}
				a.Set(i*n+j, k, laplacian.At(i, j)-unit)
				a.Set(n*n+i*n+j, k, laplacian.At(i, j)+unit)
			}
			a.Set(2*n*n+i, k, laplacian.At(i, i))
		}
	}
	for i := range n * n { // S, then y, then T
		a.Set(i, m+1+i, 1)
		a.Set(n*n+i, m+1+n*n+n+i, 1)
		b.SetVec(i, -1.0/n)
	}
	for i := range n {
		a.Set(2*n*n+i, m+1+n*n+i, 1)
		b.SetVec(n*n+i*n+i, 2)
		b.SetVec(2*n*n+i, 1)
	}
	v := randomPoint(p, rand.New(rand.NewPCG(2, 26)))
	full := mat.NewVecDense(unknowns, nil)
	for k, g := range v.g {
		full.SetVec(k, g)
	}
	full.SetVec(m, v.lambda[0])
	for i := range n {
		full.SetVec(m+1+n*n+i, v.y[i])
		for j := range n {
			at := p.diagonal[min(i, j)] + max(i, j) - min(i, j)
			full.SetVec(m+1+i*n+j, v.s[at])
			full.SetVec(m+1+n*n+n+i*n+j, v.t[at])
		}
	}
	// X = V − Aᵀ (A Aᵀ)⁻¹ (A V − b)
	var gram mat.Dense
	gram.Mul(a, a.T())
	var miss, multiplier, shift mat.VecDense
	miss.MulVec(a, full)
	miss.SubVec(&miss, b)
	if err := multiplier.SolveVec(&gram, &miss); err != nil {
		t.Fatal(err)
	}
	shift.MulVec(a.T(), &multiplier)
	full.SubVec(full, &shift)
	fast, err := newClosedForm(p)
	if err != nil {
		t.Fatal(err)
	}
	x := newPoint(p.layout)
	if err := fast.update(x, v); err != nil {
		t.Fatal(err)
	}
	for k := range m {
		if d := math.Abs(x.g[k] - full.AtVec(k)); d > 1e-12 {
			t.Errorf("g[%d] differs from the dense solve by %.2g", k, d)
		}
	}
	if d := math.Abs(x.lambda[0] - full.AtVec(m)); d > 1e-12 {
		t.Errorf("λ̃ differs from the dense solve by %.2g", d)
	}
	for i := range n {
		if d := math.Abs(x.y[i] - full.AtVec(m+1+n*n+i)); d > 1e-12 {
			t.Errorf("y[%d] differs from the dense solve by %.2g", i, d)
		}
	}
}

// The constraint sets of (23) and (28): after the projection every equation holds, and
// projecting again changes nothing.
func TestEq23ThePrimalUpdateIsAProjection(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 23))
	for name, space := range spaces() {
		p := mustProblem(t, space)
		fast, err := newClosedForm(p)
		if err != nil {
			t.Fatal(err)
		}
		v, x, again := randomPoint(p, rng), newPoint(p.layout), newPoint(p.layout)
		if err := fast.update(x, v); err != nil {
			t.Fatal(err)
		}
		if err := fast.update(again, x); err != nil {
			t.Fatal(err)
		}
		if d := largestDifference(x, again); d > 1e-10 {
			t.Errorf("%s: projecting twice moves the point by %.2g", name, d)
		}
		for _, l := range space.Limits { // also those that newProblem left out
			load := 0.0
			for _, k := range l.Edges {
				load += x.z[k]
			}
			if space.Exact && math.Abs(load-float64(l.Max)) > 1e-9 {
				t.Errorf("%s: %s carries %v after the projection, want %d", name, l.Name, load, l.Max)
			}
		}
	}
}

// Equation (24), text below it: x₁ keeps the r largest non-negative entries.
func TestEq24KeepsTheRLargest(t *testing.T) {
	space := design.Space{Nodes: 4, Candidates: topology.AllPairs(4), MaxEdges: 3}
	it, err := newIteration(mustProblem(t, space), ClosedForm, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ in, want []float64 }{
		{[]float64{0.1, 0.5, 0.3, 0.2, 0.4, 0}, []float64{0, 0.5, 0.3, 0, 0.4, 0}},
		{[]float64{-1, 0.5, -3, -2, 0.4, -1}, []float64{0, 0.5, 0, 0, 0.4, 0}},
		{[]float64{0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, []float64{0.2, 0.2, 0.2, 0, 0, 0}}, // ties: the first ones
		{[]float64{0.1, 0.3, 0.3, 0.5, 0.3, 0.3}, []float64{0, 0.3, 0.3, 0.5, 0, 0}},
	} {
		got := slices.Clone(test.in)
		clampNonnegative(got)
		it.keepLargest(got, false)
		if !slices.Equal(got, test.want) {
			t.Errorf("projection of %v is %v, want %v", test.in, got, test.want)
		}
	}
}

// Equation (30), text below it: z₁ has ones at the r largest entries, zeros elsewhere.
func TestEq30SetsTheRLargestToOne(t *testing.T) {
	space := scenario.Homogeneous(4, 2)
	it, err := newIteration(mustProblem(t, space), ClosedForm, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	got := []float64{-5, 0.2, -0.1, 0.9, -3, 0}
	it.keepLargest(got, true)
	if want := []float64{0, 1, 0, 1, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("projection is %v, want %v", got, want)
	}
}

// Equation (25): the projection on the cone agrees with a dense eigendecomposition.
func TestEq25ProjectsOnTheCone(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 25))
	for _, n := range []int{2, 5, 9} {
		p := mustProblem(t, scenario.Homogeneous(n, n-1+n%2))
		it, err := newIteration(p, ClosedForm, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, sign := range []float64{1, -1} {
			v := randomPoint(p, rng).s
			full := mat.NewSymDense(n, nil)
			k := 0
			for i := range n {
				for j := i; j < n; j++ {
					full.SetSym(i, j, v[k])
					k++
				}
			}
			var eigen mat.EigenSym
			if !eigen.Factorize(full, true) {
				t.Fatal("no eigenvalues")
			}
			var u mat.Dense
			eigen.VectorsTo(&u)
			values := eigen.Values(nil)
			if err := it.projectCone(v, sign); err != nil {
				t.Fatal(err)
			}
			k = 0
			for i := range n {
				for j := i; j < n; j++ {
					want := 0.0
					for l, value := range values {
						want += sign * max(0, sign*value) * u.At(i, l) * u.At(j, l)
					}
					if math.Abs(v[k]-want) > 1e-12 {
						t.Errorf("n = %d, sign %v: entry (%d, %d) is %v, want %v", n, sign, i, j, v[k], want)
					}
					k++
				}
			}
		}
	}
}

// Equation (22): with both methods the whole iteration gives the same points.
func TestEq22BothMethodsIterateAlike(t *testing.T) {
	for name, space := range spaces() {
		p := mustProblem(t, space)
		var last [2]*point
		for k, method := range []Method{ClosedForm, Printed} {
			it, err := newIteration(p, method, 1e-12, false)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			rng := rand.New(rand.NewPCG(5, 22))
			g, z := make([]float64, p.m), make([]float64, p.m)
			for e := range g {
				g[e], z[e] = rng.Float64()/float64(p.n), rng.Float64()
			}
			it.begin(3, 0.5, g, z)
			for range 30 {
				if err := it.step(); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			last[k] = it.x
		}
		if d := largestDifference(last[0], last[1]); d > 1e-8 {
			t.Errorf("%s: after 30 steps the methods differ by %.2g, want at most 1e-8", name, d)
		}
	}
}
