//go:build !linux || !(amd64 || arm64) || nolapack

package spectral

import "gonum.org/v1/gonum/blas/blas64"

// On platforms without a way to an installed LAPACK, and in builds with the tag
// nolapack, which link to no C library, there is only gonum.
type system struct{ name string }

func loadSystem() *system { return nil }

// The type exists so that the rest of the package compiles; newInstalled returns none.
type installed struct{}

func newInstalled(int, int) *installed { return nil }

func (*installed) decompose(*Eigen, float64, bool) bool { panic("spectral: no system LAPACK") }

func (*installed) addOuter(_ blas64.Symmetric, _ blas64.General) { panic("spectral: no system LAPACK") }
