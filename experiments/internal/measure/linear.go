package measure

import (
	"context"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/internal/solve/feasible"

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
func DenseSolve(ctx context.Context, p design.Problem) (l Linear, err error) {
	space, err := feasible.PrintedSpace(ctx, p)
	if err != nil {
		return l, err
	}
	matrix, err := admm.SaddlePoint(space)
	if err != nil {
		return l, err
	}
	size, _ := matrix.Dims()
	a, b := mat.NewDense(size, size, nil), mat.NewVecDense(size, nil)
	for i := range size {
		b.SetVec(i, 1)
		for j := range size {
			a.Set(i, j, matrix.At(i, j))
		}
	}
	started := time.Now()
	var lu mat.LU
	lu.Factorize(a)
	l = Linear{Nodes: space.Nodes, Unknowns: size, Megabytes: 2 * 8 * float64(size) * float64(size) / 1e6,
		Seconds: time.Since(started).Seconds()}
	started = time.Now()
	var x mat.VecDense
	err = lu.SolveVecTo(&x, false, b)
	l.StepMS = 1000 * time.Since(started).Seconds()
	return l, err
}
