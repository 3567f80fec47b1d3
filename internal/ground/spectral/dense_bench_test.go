package spectral_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/ground/spectral"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// randomSym has independent Gaussian entries.
func randomSym(n int, rng *rand.Rand) *mat.SymDense {
	a := spectral.NewSym(n)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, rng.NormFloat64())
		}
	}
	return a
}

// BenchmarkEigen times our own decomposition with vectors, the values alone and the
// projection, and prints how many times longer LAPACK's Dsyev as gonum has it takes for the first (syev/decompose).
func BenchmarkEigen(b *testing.B) {
	for _, n := range []int{64, 128, 256} {
		a, dst := randomSym(n, rand.New(rand.NewPCG(1, 1))), spectral.NewSym(n)
		var e *spectral.Eigen
		withSystemLAPACK(false, func() { e = spectral.NewEigen(n) })
		stride := a.RawSymmetric().Stride
		v := blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: stride, Data: make([]float64, n*stride)}
		values, query := make([]float64, n), []float64{0}
		lapack64.Syev(lapack.EVCompute, v, values, query, -1)
		work := make([]float64, int(query[0]))
		b.Run(fmt.Sprintf("n=%d/decompose", n), func(b *testing.B) {
			b.ReportAllocs()
			var reference time.Duration
			for b.Loop() {
				e.Decompose(a)
				b.StopTimer()
				start := time.Now()
				copy(v.Data, a.RawSymmetric().Data)
				lapack64.Syev(lapack.EVCompute, v, values, work, len(work))
				reference += time.Since(start)
				b.StartTimer()
			}
			b.ReportMetric(float64(reference)/float64(b.Elapsed()), "syev/decompose")
		})
		b.Run(fmt.Sprintf("n=%d/values", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.Values(a)
			}
		})
		b.Run(fmt.Sprintf("n=%d/project", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.ProjectPSD(dst, a)
			}
		})
	}
}
