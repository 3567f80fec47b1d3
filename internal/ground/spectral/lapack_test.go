package spectral_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/ground/spectral"
)

// withSystemLAPACK runs f with the installed LAPACK allowed or not and restores the default.
func withSystemLAPACK(on bool, f func()) {
	spectral.UseSystemLAPACK(on)
	defer spectral.UseSystemLAPACK(false)
	f()
}

// TestLAPACKsAgree compares an installed OpenBLAS with our own code on random and
// on degenerate matrices: eigenvalues, residuals of eigenpairs and projections. Without OpenBLAS (or
// with the build tag nolapack) it compares our code with itself.
func TestLAPACKsAgree(t *testing.T) {
	var installed string
	withSystemLAPACK(true, func() { installed = spectral.LAPACK() })
	t.Logf("compared with %s", installed)
	for _, n := range []int{48, 49, 64, 100, 128, 200} {
		a := randomSym(n, rand.New(rand.NewPCG(uint64(n), 1)))
		if n == 100 { // a Laplacian with multiple eigenvalues, scaled far from 1
			for i := range n {
				for j := i; j < n; j++ {
					a.SetSym(i, j, -1e-120)
				}
				a.SetSym(i, i, 1e-120*float64(n-1))
			}
		}
		var own, system *spectral.Eigen
		withSystemLAPACK(false, func() { own = spectral.NewEigen(n) })
		withSystemLAPACK(true, func() { system = spectral.NewEigen(n) })
		want, ok := own.Values(a)
		if !ok {
			t.Fatalf("n = %d: own code failed", n)
		}
		size := max(math.Abs(want[0]), math.Abs(want[n-1]))
		tolerance := 1e-13 * size * math.Sqrt(float64(n))
		values, ok := system.Values(a)
		if !ok {
			t.Fatalf("n = %d: %s failed", n, installed)
		}
		for k := range values {
			if math.Abs(values[k]-want[k]) > tolerance {
				t.Fatalf("n = %d: eigenvalue %d is %.17g, own %.17g", n, k, values[k], want[k])
			}
		}
		values, vectors, ok := system.Decompose(a)
		if !ok {
			t.Fatalf("n = %d: %s failed", n, installed)
		}
		for k := range values { // ‖Av − λv‖∞
			for i := range n {
				r := -values[k] * vectors.Data[i*vectors.Stride+k]
				for j := range n {
					r += a.At(i, j) * vectors.Data[j*vectors.Stride+k]
				}
				if math.Abs(r) > tolerance {
					t.Fatalf("n = %d: residual %g of eigenpair %d in row %d", n, r, k, i)
				}
			}
		}
		x, y := spectral.NewSym(n), spectral.NewSym(n)
		if !own.ProjectPSD(x, a) || !system.ProjectPSD(y, a) {
			t.Fatalf("n = %d: a projection failed", n)
		}
		for i := range n {
			for j := i; j < n; j++ {
				if math.Abs(x.At(i, j)-y.At(i, j)) > tolerance {
					t.Fatalf("n = %d: projection differs at (%d, %d): %g and %g", n, i, j, x.At(i, j), y.At(i, j))
				}
			}
		}
	}
}

// The package uses its own code until the installed LAPACK is asked for.
func TestLAPACKSwitch(t *testing.T) {
	if got := spectral.LAPACK(); got != "gonum" {
		t.Errorf("LAPACK of a program that chose none is %q, want gonum", got)
	}
	withSystemLAPACK(true, func() {
		if got := spectral.LAPACK(); got != "gonum" && !strings.HasPrefix(got, "OpenBLAS ") {
			t.Errorf("LAPACK is %q, want gonum or OpenBLAS with its version", got)
		}
	})
}

// TestSystemLAPACKIsDeterministic repeats a decomposition in fresh workspaces: the same bytes every time.
func TestSystemLAPACKIsDeterministic(t *testing.T) { bothLAPACKs(t, testDeterministic) }

func testDeterministic(t *testing.T) {
	const n = 96
	a := randomSym(n, rand.New(rand.NewPCG(1, 1)))
	_, first, _ := spectral.NewEigen(n).Decompose(a)
	for trial := range 5 {
		_, again, _ := spectral.NewEigen(n).Decompose(a)
		for k, v := range first.Data {
			if again.Data[k] != v {
				t.Fatalf("trial %d with %s: entry %d is %v, was %v", trial, spectral.LAPACK(), k, again.Data[k], v)
			}
		}
	}
}

// TestSystemLAPACKDoesNotAllocate holds without the race detector, under which the
// pool that the installed call takes its frame from forgets at random.
func TestSystemLAPACKDoesNotAllocate(t *testing.T) {
	const n = 64
	a, dst := randomSym(n, rand.New(rand.NewPCG(1, 1))), spectral.NewSym(n)
	var e *spectral.Eigen
	withSystemLAPACK(true, func() { e = spectral.NewEigen(n) })
	allocations := testing.AllocsPerRun(10, func() { e.Values(a); e.ProjectPSD(dst, a) })
	if allocations != 0 && !raceDetector {
		t.Errorf("%v allocations a call, want 0", allocations)
	}
}

// BenchmarkSystemLAPACK prints how many times longer our own projection takes than an installed LAPACK's (own/system);
// 1 where there is none.
func BenchmarkSystemLAPACK(b *testing.B) {
	for _, n := range []int{48, 64, 128, 256} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			a, dst := randomSym(n, rand.New(rand.NewPCG(1, 1))), spectral.NewSym(n)
			var own, system *spectral.Eigen
			withSystemLAPACK(false, func() { own = spectral.NewEigen(n) })
			withSystemLAPACK(true, func() { system = spectral.NewEigen(n) })
			var reference time.Duration
			for b.Loop() {
				system.ProjectPSD(dst, a)
				b.StopTimer()
				start := time.Now()
				own.ProjectPSD(dst, a)
				reference += time.Since(start)
				b.StartTimer()
			}
			b.ReportMetric(float64(reference)/float64(b.Elapsed()), "own/system")
		})
	}
}
