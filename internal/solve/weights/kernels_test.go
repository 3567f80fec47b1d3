package weights

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"
)

// positiveDefinite returns GᵀG + I with random G.
func positiveDefinite(n int, seed uint64) blas64.General {
	rng := rand.New(rand.NewPCG(seed, 4))
	g := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			g.Set(i, j, rng.NormFloat64())
		}
	}
	var p mat.Dense
	p.Mul(g.T(), g)
	a := square(n)
	for i := range n {
		for j := range n {
			a.Data[i*a.Stride+j] = p.At(i, j)
		}
		a.Data[i*a.Stride+i]++
	}
	return a
}

func view(a blas64.General) *mat.Dense {
	m := new(mat.Dense)
	m.SetRawMatrix(a)
	return m
}

// Sizes around the tile's edge: one tile, a row more, several with a remainder.
func TestTiles(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 128, 150, 200} {
		a := positiveDefinite(n, uint64(n))
		r, inverse, back := square(n), square(n), square(n)
		copyUpper(r, a)
		if !cholesky(r) {
			t.Fatalf("n = %d: not positive definite", n)
		}
		invertTriangle(r)
		gram(inverse, r)
		product(back, inverse, a)
		for i := range n {
			back.Data[i*back.Stride+i]--
		}
		if off := mat.Max(view(back)) - mat.Min(view(back)); off > 1e-9 {
			t.Errorf("n = %d: inverse times matrix differs from I by up to %g", n, off)
		}
		a.Data[(n-1)*a.Stride+n-1] = -1
		copyUpper(r, a)
		if cholesky(r) {
			t.Errorf("n = %d: a matrix with a negative diagonal entry was called positive definite", n)
		}
	}
}

func TestSystemSolvesSingularToRounding(t *testing.T) {
	// Rank one plus 1e-17·I: no Cholesky factor without raising the diagonal.
	const n = 70
	var s system
	s.resize(n)
	s.reset()
	for i := range n {
		for j := i; j < n; j++ {
			s.add(i, j, 1)
		}
		s.add(i, i, 1e-17)
	}
	if !s.factorise() {
		t.Fatal("given up")
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	s.solve(x)
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("11ᵀx = 1 is solved by x with 1ᵀx = %.12g, want 1", sum)
	}
}

func TestRitzStep(t *testing.T) {
	for _, n := range []int{1, 2, 5, 17, 60, 150} {
		a, d := positiveDefinite(n, 7), positiveDefinite(n, 8)
		for i := range n { // an indefinite direction
			d.Data[i*d.Stride+i] -= 1.5 * float64(n)
		}
		r := square(n)
		copyUpper(r, a)
		cholesky(r)
		// The exact answer: −1/λ_min(R⁻ᵀDR⁻¹) from a dense eigenproblem.
		invertTriangle(r)
		var half, full mat.Dense
		half.Mul(view(r).T(), view(d))
		full.Mul(&half, view(r))
		m := spectral.NewSym(n)
		for i := range n {
			for j := i; j < n; j++ {
				m.SetSym(i, j, full.At(i, j))
			}
		}
		values, _ := spectral.NewEigen(n).Values(m)
		want := math.Inf(1)
		if values[0] < 0 {
			want = -1 / values[0]
		}
		copyUpper(r, a)
		cholesky(r)
		apply := func(dst, x []float64) {
			for i := range dst {
				dst[i] = 0
				for j, v := range x {
					dst[i] += d.Data[i*d.Stride+j] * v
				}
			}
		}
		got := newSmallestRitz(n).step(r, apply, 1e3)
		if got > 1.001*min(want, 1e3) || got < 0.85*min(want, 1e3) {
			t.Errorf("n = %d: step %g, the longest is %g", n, got, want)
		}
	}
}

func randomHermitian(k int, shift float64, rng *rand.Rand) []complex128 {
	a := make([]complex128, k*k)
	for i := range k {
		a[i*k+i] = complex(rng.NormFloat64()+shift, 0)
		for j := range i {
			v := complex(rng.NormFloat64(), rng.NormFloat64())
			a[i*k+j], a[j*k+i] = v, cmplx.Conj(v)
		}
	}
	return a
}

func TestHermitianKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for k := 1; k <= 9; k++ {
		a, b := randomHermitian(k, float64(3*k), rng), make([]complex128, k*k)
		for i := range b {
			b[i] = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		got := make([]complex128, k*k)
		times(got, a, b, k)
		for i := range k {
			for j := range k {
				var want complex128
				for l := range k {
					want += a[i*k+l] * cmplx.Conj(b[j*k+l])
				}
				if cmplx.Abs(got[i*k+j]-want) > 1e-12 {
					t.Fatalf("k = %d: (ab*)[%d][%d] is %v, want %v", k, i, j, got[i*k+j], want)
				}
			}
		}
		factor, inverse, identity := append([]complex128(nil), a...), make([]complex128, k*k), make([]complex128, k*k)
		if !factorHermitian(factor, k) {
			t.Fatalf("k = %d: not positive definite", k)
		}
		invertHermitian(inverse, factor, k)
		times(identity, inverse, a, k)
		for i, v := range identity {
			want := complex128(0)
			if i%(k+1) == 0 {
				want = 1
			}
			if cmplx.Abs(v-want) > 1e-11 {
				t.Fatalf("k = %d: inverse times matrix has %v at %d", k, v, i)
			}
		}
		if k > 1 && factorHermitian(randomHermitian(k, -1, rng), k) {
			t.Errorf("k = %d: an indefinite matrix was called positive definite", k)
		}
	}
}

func TestFactorColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	const k = 6
	f := make([]complex128, k*2) // rank 2
	for i := range f {
		f[i] = complex(rng.NormFloat64(), rng.NormFloat64())
	}
	at := func(i, j int) complex128 { return f[2*i]*cmplx.Conj(f[2*j]) + f[2*i+1]*cmplx.Conj(f[2*j+1]) }
	columns := factorColumns(3, k, 1e-12, at)
	if len(columns) != 2 || columns[0].Block != 3 {
		t.Fatalf("%d columns for a matrix of rank 2", len(columns))
	}
	for i := range k {
		for j := range k {
			var got complex128
			for _, c := range columns {
				got += complex(c.Re[i], c.Im[i]) * complex(c.Re[j], -c.Im[j])
			}
			if cmplx.Abs(got-at(i, j)) > 1e-12 {
				t.Errorf("entry (%d,%d) is %v, want %v", i, j, got, at(i, j))
			}
		}
	}
}

func TestLiftConnectivity(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	var tree liftTree
	split := 0
	for range 500 {
		shape := topology.Lift{Orbits: 1 + rng.IntN(4), Size: 1 + rng.IntN(12)}
		seen := map[topology.Arc]bool{}
		for range rng.IntN(7) {
			arc := shape.Canonical(topology.Arc{A: rng.IntN(shape.Orbits), B: rng.IntN(shape.Orbits), S: rng.IntN(shape.Size)})
			if (arc.A != arc.B || arc.S != 0) && !seen[arc] {
				seen[arc] = true
				shape.Arcs = append(shape.Arcs, arc)
			}
		}
		g, _ := shape.Graph()
		if got, want := tree.connected(shape), g.Connected(); got != want {
			t.Fatalf("%+v: connected is %v, want %v", shape, got, want)
		}
		if !g.Connected() {
			split++
		}
	}
	if split == 0 || split == 500 {
		t.Fatalf("%d of 500 lifts are not connected; both kinds should occur", split)
	}
}

// The method's iterations work in memory that exists.
func TestStepsDoNotAllocate(t *testing.T) {
	ring := make([]topology.Edge, 0, 300)
	for i := range 150 { // several tiles, and more variables than one tile
		ring = append(ring, topology.Edge{I: i, J: (i + 1) % 150}, topology.Edge{I: i, J: (i + 7) % 150})
	}
	g, err := topology.New(150, ring)
	if err != nil {
		t.Fatal(err)
	}
	var p program
	p.set(300, Settings{}.withDefaults())
	orbit := make([]int, 300)
	for k := range orbit {
		orbit[k] = k
	}
	nodeRows(&p, g, orbit)
	l, err := topology.NewLift(3, 20, []topology.Arc{{A: 0, B: 1, S: 0}, {A: 1, B: 2, S: 3}, {A: 0, B: 2, S: 7},
		{A: 0, B: 0, S: 1}, {A: 1, B: 1, S: 10}})
	if err != nil {
		t.Fatal(err)
	}
	solver, err := NewLiftSolver(3, 20)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := solver.Solve(t.Context(), l, Settings{}); err != nil { // all blocks that will join have joined once
		t.Fatal(err)
	}
	for name, w := range map[string]*interior{"dense": {}, "lift": &solver.method} {
		t.Run(name, func(t *testing.T) {
			if name == "dense" {
				w.prepare(&p, newDense(g, orbit, &p))
			}
			restart := func() {
				for k := range w.p.vars {
					w.x[k] = w.p.startWeight(4)
				}
				w.x[w.p.vars] = startValue
				if name == "lift" {
					solver.cone.choose(w.x)
				}
				if !w.begin() {
					t.Fatal("the start is not feasible")
				}
			}
			restart()
			steps := 0
			if allocated := testing.AllocsPerRun(3, func() {
				steps++
				if stop := w.step(); stop != "" {
					t.Fatal(fmt.Sprint("stopped: ", stop))
				}
			}); allocated != 0 {
				t.Errorf("%g allocations per step", allocated)
			}
			if steps < 3 {
				t.Errorf("%d steps measured", steps)
			}
		})
	}
}
