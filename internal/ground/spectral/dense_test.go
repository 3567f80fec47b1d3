package spectral_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/internal/ground/spectral"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// bothLAPACKs runs a test with our own code and with an installed LAPACK, where there is one.
func bothLAPACKs(t *testing.T, test func(t *testing.T)) {
	for _, on := range []bool{false, true} {
		withSystemLAPACK(on, func() { t.Run(spectral.LAPACK(), test) })
	}
}

// symmetric builds a matrix from a formula for i ≤ j.
func symmetric(n int, entry func(i, j int) float64) *mat.SymDense {
	a := spectral.NewSym(n)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, entry(i, j))
		}
	}
	return a
}

// testMatrices are those on which eigenvalue iterations have been known to stumble.
func testMatrices(n int, rng *rand.Rand) map[string]*mat.SymDense {
	gaussian := randomSym(n, rng)
	scaled := func(by float64) *mat.SymDense {
		return symmetric(n, func(i, j int) float64 { return by * gaussian.At(i, j) })
	}
	direction := make([]float64, n)
	for i := range direction {
		direction[i] = rng.NormFloat64()
	}
	return map[string]*mat.SymDense{
		"Gaussian":    gaussian,
		"tiny":        scaled(1e-290),
		"huge":        scaled(1e290),
		"zero":        symmetric(n, func(_, _ int) float64 { return 0 }),
		"all ones":    symmetric(n, func(_, _ int) float64 { return 1 }),
		"diagonal":    symmetric(n, func(i, j int) float64 { return float64(max(0, 1-(j-i))) * float64(n-i) }),
		"rank one":    symmetric(n, func(i, j int) float64 { return direction[i] * direction[j] }),
		"graded down": symmetric(n, func(i, j int) float64 { return math.Pow(10, -float64(i+j)/4) }),
		"graded up":   symmetric(n, func(i, j int) float64 { return math.Pow(10, float64(i+j-2*n)/4) }),
		"Wilkinson": symmetric(n, func(i, j int) float64 {
			if i == j {
				return math.Abs(float64(i) - float64(n-1)/2)
			}
			return float64(max(0, 2-(j-i)))
		}),
		"two equal blocks": symmetric(n, func(i, j int) float64 {
			if i/(n/2+1) != j/(n/2+1) {
				return 0
			}
			return 1 / float64(1+j-i)
		}),
	}
}

// TestDecomposeResiduals checks A V = V Λ and Vᵀ V = I to rounding, order, and agreement with Values.
func TestDecomposeResiduals(t *testing.T) { bothLAPACKs(t, checkResiduals) }

func checkResiduals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 3, 10, 33, 64, 130} {
		e, only := spectral.NewEigen(n), spectral.NewEigen(n)
		for name, a := range testMatrices(n, rng) {
			values, vectors, ok := e.Decompose(a)
			if !ok {
				t.Errorf("n=%d %s: no convergence", n, name)
				continue
			}
			size := max(math.Abs(values[0]), math.Abs(values[n-1]))
			// Backward stable methods leave a modest multiple of n·ε·‖A‖.
			tolerance := 8 * float64(n) * 0x1p-52
			v := mat.NewDense(n, n, nil)
			v.Copy(dense(vectors))
			var gram, av, residual mat.Dense
			gram.Mul(v.T(), v)
			for i := range n {
				gram.Set(i, i, gram.At(i, i)-1)
			}
			if worst := mat.Max(absolute(&gram)); worst > tolerance {
				t.Errorf("n=%d %s: vectors are orthogonal only to %.1e", n, name, worst)
			}
			if size > 0 {
				normalised := symmetric(n, func(i, j int) float64 { return a.At(i, j) / size })
				av.Mul(normalised, v)
				residual.Mul(v, mat.NewDiagDense(n, slices.Clone(values)))
				residual.Scale(1/size, &residual)
				residual.Sub(&av, &residual)
				if worst := mat.Max(absolute(&residual)); worst > tolerance {
					t.Errorf("n=%d %s: ‖AV − VΛ‖ / ‖A‖ = %.1e", n, name, worst)
				}
			}
			lonely, ok := only.Values(a)
			for k := range n {
				if !ok || !(math.Abs(lonely[k]-values[k]) <= tolerance*size) {
					t.Errorf("n=%d %s: eigenvalue %d is %v with vectors, %v without (%v)", n, name, k, values[k], lonely[k], ok)
				}
			}
			if !slices.IsSorted(values) {
				t.Errorf("n=%d %s: eigenvalues %v are not ascending", n, name, values)
			}
		}
	}
}

func dense(g blas64.General) *mat.Dense {
	d := new(mat.Dense)
	d.SetRawMatrix(g)
	return d
}

func absolute(a *mat.Dense) *mat.Dense {
	a.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, a)
	return a
}

// TestPathLaplacian: the eigenvalues are 2 − 2cos(πk/n), k = 0 … n−1.
func TestPathLaplacian(t *testing.T) {
	for _, n := range []int{2, 5, 64, 100} {
		a := symmetric(n, func(i, j int) float64 {
			switch {
			case i == j && (i == 0 || i == n-1):
				return 1
			case i == j:
				return 2
			case j == i+1:
				return -1
			}
			return 0
		})
		values, _, ok := spectral.NewEigen(n).Decompose(a)
		for k, got := range values {
			if want := 2 - 2*math.Cos(math.Pi*float64(k)/float64(n)); !ok || math.Abs(got-want) > 1e-13 {
				t.Errorf("n=%d: eigenvalue %d is %v, want %v", n, k, got, want)
			}
		}
	}
}

func TestNaNIsNoticed(t *testing.T) { bothLAPACKs(t, checkNaNIsNoticed) }

func checkNaNIsNoticed(t *testing.T) {
	for _, n := range []int{1, 2, 20, 60} {
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			a := spectral.NewSym(n)
			a.SetSym(0, n-1, bad)
			dst := spectral.NewSym(n)
			e := spectral.NewEigen(n)
			if _, ok := e.Values(a); ok {
				t.Errorf("n=%d: Values accepts %v", n, bad)
			}
			if _, _, ok := e.Decompose(a); ok {
				t.Errorf("n=%d: Decompose accepts %v", n, bad)
			}
			if e.ProjectPSD(dst, a) {
				t.Errorf("n=%d: ProjectPSD accepts %v", n, bad)
			}
		}
	}
}

// frobenius returns ‖a − b‖_F; b may be nil.
func frobenius(a, b *mat.SymDense) float64 {
	n, sum := a.SymmetricDim(), 0.0
	for i := range n {
		for j := range n {
			d := a.At(i, j)
			if b != nil {
				d -= b.At(i, j)
			}
			sum += d * d
		}
	}
	return math.Sqrt(sum)
}

func inner(a, b *mat.SymDense) float64 {
	n, sum := a.SymmetricDim(), 0.0
	for i := range n {
		for j := range n {
			sum += a.At(i, j) * b.At(i, j)
		}
	}
	return sum
}

// TestProjectionLaws: P(a) ⪰ 0; P(P(a)) = P(a); a = P(a) − P(−a) with both parts
// orthogonal (Moreau); ‖P(a) − P(b)‖ ≤ ‖a − b‖. Shifts move the spectrum so that each
// side of it is the smaller one in turn.
func TestProjectionLaws(t *testing.T) { bothLAPACKs(t, checkProjectionLaws) }

func checkProjectionLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, n := range []int{1, 2, 7, 40, 65} {
		e := spectral.NewEigen(n)
		project := func(a *mat.SymDense) *mat.SymDense {
			dst := spectral.NewSym(n)
			if !e.ProjectPSD(dst, a) {
				t.Fatal("no convergence")
			}
			return dst
		}
		for _, shift := range []float64{-100, -3, 0, 3, 100} {
			draw := func() *mat.SymDense {
				a := randomSym(n, rng)
				for i := range n {
					a.SetSym(i, i, a.At(i, i)+shift)
				}
				return a
			}
			a, b := draw(), draw()
			tolerance := 1e-13 * float64(n) * (1 + frobenius(a, nil))
			negated := symmetric(n, func(i, j int) float64 { return -a.At(i, j) })
			plus, minus := project(a), project(negated)
			if values, _ := e.Values(plus); values[0] < -tolerance {
				t.Errorf("n=%d shift=%v: the projection has the eigenvalue %v", n, shift, values[0])
			}
			if d := frobenius(project(plus), plus); d > tolerance {
				t.Errorf("n=%d shift=%v: projecting twice moves by %v", n, shift, d)
			}
			difference := symmetric(n, func(i, j int) float64 { return plus.At(i, j) - minus.At(i, j) })
			if d := frobenius(difference, a); d > tolerance {
				t.Errorf("n=%d shift=%v: P(a) − P(−a) differs from a by %v", n, shift, d)
			}
			if d := math.Abs(inner(plus, minus)); d > tolerance*(1+frobenius(a, nil)) {
				t.Errorf("n=%d shift=%v: ⟨P(a), P(−a)⟩ = %v, want 0", n, shift, d)
			}
			if before, after := frobenius(a, b), frobenius(plus, project(b)); after > before+tolerance {
				t.Errorf("n=%d shift=%v: projecting moves %v apart what was %v apart", n, shift, after, before)
			}
			if !e.ProjectPSD(a, a) || frobenius(a, plus) != 0 {
				t.Errorf("n=%d shift=%v: projecting in place gives something else", n, shift)
			}
		}
	}
}

func TestEigenDoesNotAllocate(t *testing.T) { bothLAPACKs(t, checkAllocations) }

func checkAllocations(t *testing.T) {
	for _, n := range []int{16, 128, 256} { // gonum's blocked routines start goroutines from about 192 on
		a, dst := randomSym(n, rand.New(rand.NewPCG(3, 1))), spectral.NewSym(n)
		var e *spectral.Eigen
		withSystemLAPACK(false, func() { e = spectral.NewEigen(n) }) // see TestSystemLAPACKDoesNotAllocate
		for name, f := range map[string]func(){
			"Values":     func() { e.Values(a) },
			"Decompose":  func() { e.Decompose(a) },
			"ProjectPSD": func() { e.ProjectPSD(dst, a) },
		} {
			// An average, so that the runtime may do something of its own once
			if allocs := testing.AllocsPerRun(4, f); allocs != 0 {
				t.Errorf("%s of size %d allocates %v times, want 0", name, n, allocs)
			}
		}
	}
}

func TestWrongSizePanics(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); got != "spectral: matrix and workspace differ in size" {
			t.Errorf("a 3 × 3 matrix in a workspace of size 2: %q", got)
		}
	}()
	spectral.NewEigen(2).Values(spectral.NewSym(3))
}
