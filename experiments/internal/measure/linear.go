package measure

import (
	"time"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// Linear is what steps of Algorithm 2 cost with one way to solve the linear system. Times differ from run to run.
type Linear struct {
	Nodes       int     `json:"nodes,omitempty"`
	Unknowns    int     `json:"unknowns,omitempty"` // of the saddle-point system
	Megabytes   float64 `json:"megabytes,omitempty"`
	Steps       int     `json:"steps,omitempty"`        // of Algorithm 2
	LinearSteps int     `json:"linear_steps,omitempty"` // of Bi-CGSTAB, in all of them
	PerStep     float64 `json:"linear_steps_per_step,omitempty"`
	StepMS      float64 `json:"step_ms"` // of one step of Algorithm 2, eigenproblems included
	Seconds     float64 `json:"seconds"`
	RAsym       float64 `json:"r_asym,omitempty"`
	Stop        string  `json:"stop,omitempty"`
}

// NewLinear describes a literal run that took so long.
func NewLinear(run admm.Run, rAsym float64, took time.Duration) Linear {
	const entry, vectors = 16, 10 // bytes of a stored entry, of Ã and of its factors; work vectors of Bi-CGSTAB
	bytes := 2*entry*run.Linear.Entries + 8*vectors*run.Linear.Unknowns
	l := Linear{Unknowns: run.Linear.Unknowns, Megabytes: float64(bytes) / 1e6, Steps: run.Iterations,
		LinearSteps: run.Linear.Steps, Seconds: took.Seconds(), RAsym: rAsym, Stop: string(run.Stop)}
	if run.Iterations > 0 {
		l.PerStep = float64(l.LinearSteps) / float64(run.Iterations)
		l.StepMS = 1000 * l.Seconds / float64(run.Iterations)
	}
	return l
}

// DenseSolve factors the saddle-point matrix as a dense one, which is what inverting it takes, and solves once:
// Seconds is the factorization, StepMS the solve.
func DenseSolve(nodes int) (Linear, error) {
	a := saddlePoint(nodes)
	size, _ := a.Dims()
	started := time.Now()
	var lu mat.LU
	lu.Factorize(a)
	l := Linear{Nodes: nodes, Unknowns: size, Megabytes: 2 * 8 * float64(size) * float64(size) / 1e6,
		Seconds: time.Since(started).Seconds()}
	b := mat.NewVecDense(size, nil)
	for i := range size {
		b.SetVec(i, 1)
	}
	started = time.Now()
	var x mat.VecDense
	err := lu.SolveVecTo(&x, false, b)
	l.StepMS = 1000 * time.Since(started).Seconds()
	return l, err
}

// saddlePoint writes Ã of (27) on all pairs of nodes from the definitions of B⁻, B⁺ and D.
func saddlePoint(n int) *mat.Dense {
	edges := topology.AllPairs(n)
	m := len(edges)
	unknowns, rows := m+1+2*n*n+n, 2*n*n+n
	a := mat.NewDense(unknowns+rows, unknowns+rows, nil)
	put := func(row, col int, v float64) {
		a.Set(unknowns+row, col, v)
		a.Set(col, unknowns+row, v)
	}
	for i := range unknowns {
		a.Set(i, i, 1)
	}
	for k, e := range edges {
		for _, block := range [2]int{0, n * n} {
			put(block+e.I*n+e.I, k, 1)
			put(block+e.J*n+e.J, k, 1)
			put(block+e.I*n+e.J, k, -1)
			put(block+e.J*n+e.I, k, -1)
		}
		put(2*n*n+e.I, k, 1)
		put(2*n*n+e.J, k, 1)
	}
	for i := range n {
		put(i*n+i, m, -1)
		put(n*n+i*n+i, m, 1)
		put(2*n*n+i, m+1+n*n+i, 1)
	}
	for i := range n * n {
		put(i, m+1+i, 1)
		put(n*n+i, m+1+n*n+n+i, 1)
	}
	return a
}
