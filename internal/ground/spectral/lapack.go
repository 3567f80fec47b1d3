package spectral

import (
	"sync"
	"sync/atomic"
)

// gonumLAPACK is the name of the implementation that is always there.
const gonumLAPACK = "gonum"

var (
	systemOn   atomic.Bool
	findSystem = sync.OnceValue(loadSystem) // nil when none is installed
)

// UseSystemLAPACK says whether workspaces made from now on may use an installed
// OpenBLAS. They do not by default; the library and the program switch it on when they
// start, and it is loaded when it is first used. It serves matrices of 48 rows or more: eigenvectors come
// several times faster than from gonum. Results agree to rounding, not bit by bit.
func UseSystemLAPACK(on bool) { systemOn.Store(on) }

// LAPACK names the implementation that workspaces made now use, such as "gonum" or
// "OpenBLAS 0.3.21 SkylakeX".
func LAPACK() string {
	if s := systemInUse(); s != nil {
		return s.name
	}
	return gonumLAPACK
}

func systemInUse() *system {
	if !systemOn.Load() {
		return nil
	}
	return findSystem()
}
