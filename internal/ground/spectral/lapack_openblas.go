//go:build linux && (amd64 || arm64) && !nolapack

package spectral

import (
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
	"gonum.org/v1/gonum/blas/blas64"
)

// systemFrom is the least n for which an installed LAPACK is used: below, our own code is as fast.
const systemFrom = 48

// A system is an OpenBLAS that was found on this machine.
type system struct {
	name          string
	dsyevd, dsyrk uintptr
}

// loadSystem opens OpenBLAS, or returns nil where there is none that fits. One thread only:
// several would make the order of summation, and so the last bits, depend on the machine's
// load, and callers run in parallel themselves.
func loadSystem() *system {
	defer setenvMeanwhile("OPENBLAS_NUM_THREADS", "1")()
	// Older versions choose their slowest code on processors that they do not know.
	if core := coreType(); core != "" && os.Getenv("OPENBLAS_CORETYPE") == "" {
		defer setenvMeanwhile("OPENBLAS_CORETYPE", core)()
	}
	library, err := purego.Dlopen("libopenblas.so.0", purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil
	}
	s := new(system)
	address := map[string]uintptr{}
	for _, name := range []string{"openblas_get_config", "openblas_set_num_threads", "dsyevd_", "dsyrk_"} {
		if address[name], err = purego.Dlsym(library, name); err != nil {
			return nil // some other library of that name
		}
	}
	var config func() string
	purego.RegisterFunc(&config, address["openblas_get_config"])
	s.name = describe(config())
	if s.name == "" {
		return nil
	}
	purego.SyscallN(address["openblas_set_num_threads"], 1)
	s.dsyevd, s.dsyrk = address["dsyevd_"], address["dsyrk_"]
	return s
}

// setenvMeanwhile sets a variable that OpenBLAS reads while it is loaded and returns how to undo it.
func setenvMeanwhile(name, value string) (restore func()) {
	before, was := os.LookupEnv(name)
	os.Setenv(name, value)
	return func() {
		if was {
			os.Setenv(name, before)
		} else {
			os.Unsetenv(name)
		}
	}
}

// coreType names the best code that OpenBLAS has for what this processor can do, or "".
func coreType() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(info), "\nflags")
	line, _, _ := strings.Cut(rest, "\n")
	has := map[string]bool{}
	for _, flag := range strings.Fields(line) {
		has[flag] = true
	}
	switch {
	case has["avx512f"] && has["avx512dq"] && has["avx512bw"] && has["avx512vl"] && has["avx512cd"]:
		return "SkylakeX"
	case has["avx2"] && has["fma"]:
		return "Haswell"
	}
	return ""
}

// describe picks product, version and processor from OpenBLAS's configuration
// string, or returns "" when its integers are 64 bits wide, which would misread our arguments.
func describe(config string) string {
	words := strings.Fields(config)
	if len(words) < 2 || words[0] != "OpenBLAS" {
		return ""
	}
	name := words[0] + " " + words[1]
	for k, word := range words {
		switch {
		case word == "USE64BITINT":
			return ""
		case strings.HasPrefix(word, "MAX_THREADS"):
			name += " " + words[k-1]
		}
	}
	return name
}

// installed holds the arguments of calls to an installed LAPACK for one Eigen. They are passed by address, so they live
// on the heap for as long as the workspace does.
type installed struct {
	system                 *system
	job, lower, transpose  byte
	n, stride, k, out      int32
	work                   []float64
	integers               []int32
	workSize, integersSize int32
	info                   int32
	one                    float64
	args                   [13]uintptr // reused, because a variadic list would be allocated
}

// newInstalled returns nil where our own code is to be used.
func newInstalled(n, stride int) *installed {
	if n < systemFrom {
		return nil
	}
	s := systemInUse()
	if s == nil {
		return nil
	}
	f := &installed{system: s, lower: 'L', transpose: 'T', n: int32(n), stride: int32(stride), one: 1,
		work: make([]float64, 1+6*n+2*n*n), integers: make([]int32, 3+5*n)} // the sizes that dsyevd asks for
	f.workSize, f.integersSize = int32(len(f.work)), int32(len(f.integers))
	return f
}

// decompose finds the eigenvalues of what e has loaded, and the eigenvectors if wanted. Fortran stores by
// columns: it sees our upper triangle as the lower one and returns eigenvectors as our rows.
func (f *installed) decompose(e *Eigen, scale float64, vectors bool) bool {
	f.job = 'N'
	a := e.vectors
	if vectors {
		f.job = 'V'
		copySym(blas64.Symmetric{N: e.n, Stride: e.rows.Stride, Data: e.rows.Data},
			blas64.Symmetric{N: e.n, Stride: a.Stride, Data: a.Data})
		a = e.rows
	}
	f.call(f.system.dsyevd, unsafe.Pointer(&f.job), unsafe.Pointer(&f.lower), unsafe.Pointer(&f.n),
		unsafe.Pointer(&a.Data[0]), unsafe.Pointer(&f.stride),
		unsafe.Pointer(&e.values[0]), unsafe.Pointer(&f.work[0]), unsafe.Pointer(&f.workSize), unsafe.Pointer(&f.integers[0]),
		unsafe.Pointer(&f.integersSize),
		unsafe.Pointer(&f.info))
	if f.info != 0 {
		return false
	}
	for k := range e.values {
		e.values[k] *= scale
	}
	if vectors {
		transpose(e.vectors, e.rows)
	}
	return true
}

// addOuter adds AAᵀ to the upper triangle of out; rows of A are as far apart as those of the workspace.
func (f *installed) addOuter(out blas64.Symmetric, a blas64.General) {
	f.k, f.out = int32(a.Cols), int32(out.Stride)
	f.call(f.system.dsyrk, unsafe.Pointer(&f.lower), unsafe.Pointer(&f.transpose), unsafe.Pointer(&f.n),
		unsafe.Pointer(&f.k), unsafe.Pointer(&f.one),
		unsafe.Pointer(&a.Data[0]), unsafe.Pointer(&f.stride), unsafe.Pointer(&f.one), unsafe.Pointer(&out.Data[0]),
		unsafe.Pointer(&f.out))
}

// call calls a Fortran routine that begins with two characters, whose lengths Fortran wants at the end.
func (f *installed) call(routine uintptr, addresses ...unsafe.Pointer) {
	for k, p := range addresses {
		f.args[k] = uintptr(p)
	}
	f.args[len(addresses)], f.args[len(addresses)+1] = 1, 1
	purego.SyscallN(routine, f.args[:len(addresses)+2]...)
	for _, p := range addresses {
		runtime.KeepAlive(p)
	}
}
