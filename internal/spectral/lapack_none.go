//go:build !linux || !(amd64 || arm64) || nolapack

package spectral

import "gonum.org/v1/gonum/blas/blas64"

// On platforms without a way to an installed LAPACK, and in builds with the tag
// nolapack, which link to no C library, there is only gonum.
type system struct{ name string }

func loadSystem() *system { return nil }

// A foreign is never made here.
type foreign struct{}

func newForeign(int, int) *foreign { return nil }

func (*foreign) decompose(*Eigen, float64, bool) bool { panic("spectral: no system LAPACK") }

func (*foreign) addOuter(_ blas64.Symmetric, _ blas64.General) { panic("spectral: no system LAPACK") }
