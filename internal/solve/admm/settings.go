package admm

import (
	"errors"
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// A Method says how the primal update (27), (31) is computed.
type Method int

// The methods. They produce the same iterates up to the tolerance of the linear solver.
const (
	ClosedForm Method = iota // formulas; O(n² + edges + q²) per step
	Printed                  // the paper's: ILU and Bi-CGSTAB on the saddle-point matrix
)

func (m Method) String() string {
	if m == Printed {
		return "paper"
	}
	return "admm"
}

// A Start says where the iteration begins.
type Start int

// The starts.
const (
	Annealed Start = iota // a feasible graph of short average path, by simulated annealing
	Bounded               // the same with no node above an even share of the edges, ⌈2r/n⌉
	Random                // random weights on all candidates
	Ring                  // the ring 0, 1, …, n−1; all its edges must be candidates
	Given                 // Settings.Graph
)

func (s Start) String() string {
	return [...]string{"annealed", "bounded", "random", "ring", "given"}[s]
}

// anneals reports whether the first graph is annealed for a short average path.
func (s Start) anneals() bool { return s == Annealed || s == Bounded }

// Settings of a solve. The zero value of every field means its documented default.
type Settings struct {
	Method Method
	Start  Start
	Graph  *topology.Graph // for Given: edges must be candidates, limits may be broken
	Seed   uint64          // any number; the same seed gives the same result

	// Literal asks for Algorithm 2 as printed, see literal.go. Fields below whose default differs then say so.
	Literal bool

	// Alpha is α of the paper's lemma, at least 1. Default 1.
	Alpha float64

	// SparseWeights keeps at most r weights also with limits, |x₁|₀ ≤ r of (28), beside the r ones of z₁. A literal
	// run always does.
	SparseWeights bool

	// Starts is how many independent runs are made. Default: 384/n, at least 4, at most 16; literal: 1.
	Starts int

	// Workers is how many runs are made at the same time; 0 means as many as there are cores. The result does not
	// depend on it.
	Workers int

	// Share is how much of the first weights lies on the start graph, from 0 to 1; the rest lies on all candidates
	// at random. Default 0: the runs take turns, see share; literal: 1.
	Share float64

	// Rho is the penalty ρ at the first iteration. Default: 32/n without limits, 4/n with
	// limits (where z jumps by 1 and freezes earlier), times a factor per pair of runs: 1, ½, 2, 1, 4, 1, ….
	// Literal: 5, with limits 2.
	Rho float64

	// Growth multiplies ρ after every iteration of the relaxation. Default 1.001; 1 keeps ρ; literal: 1.
	Growth float64

	Iterations       int // of the relaxation, per run; default 2000, literal: 5000
	PolishIterations int // of the weights, per support; default 3000
	Polished         int // supports per run whose weights are optimized; default 2

	// Tolerance is the relative primal and dual residual at which an iteration has converged. Default 1e-6. Literal: ε
	// of the printed rule, a sum of squares.
	Tolerance float64

	// NoILU leaves Bi-CGSTAB without its preconditioner, to see what that is worth.
	NoILU bool

	// Trace has Progress called after every step of every run, with what [design.Step] holds; about twice the work.
	Trace bool

	// Progress, if not nil, is called every few iterations, by one goroutine at a time. It
	// must not block. It does not change the result.
	Progress func(design.Progress)
}

// linearTolerance is the relative residual of Bi-CGSTAB.
const linearTolerance = 1e-10

// rhoFactors are tried in turn by the runs of one solve, each by two of them (see share).
var rhoFactors = [...]float64{1, 0.5, 2, 1, 4, 1}

// withDefaults returns the settings with zeros replaced.
func (s Settings) withDefaults(space design.Space) Settings {
	n := space.Nodes
	set := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	setFloat := func(field *float64, value float64) {
		if *field == 0 {
			*field = value
		}
	}
	if s.Literal {
		s.SparseWeights = true
		set(&s.Starts, 1)
		set(&s.Iterations, 5000)
		setFloat(&s.Growth, 1)
		setFloat(&s.Share, 1)
	}
	setFloat(&s.Alpha, 1)
	set(&s.Starts, max(4, min(16, 384/n)))
	set(&s.Iterations, 2000)
	set(&s.PolishIterations, 3000)
	set(&s.Polished, 2)
	setFloat(&s.Growth, 1.001)
	setFloat(&s.Tolerance, 1e-6)
	return s
}

// rho returns the first ρ of a run. A ρ that the caller chose is used by all runs.
func (s Settings) rho(p *problem, run int) float64 {
	if s.Rho > 0 {
		return s.Rho
	}
	switch { // docs/research/algorithm.md shows others for literal runs
	case s.Literal && p.selecting:
		return 2
	case s.Literal:
		return 5
	}
	scale := 32.0
	if p.selecting {
		scale = 4
	}
	return scale / float64(p.n) * rhoFactors[run/2%len(rhoFactors)]
}

// What a solve can be asked for. A step takes two eigenvalue decompositions of all nodes; with MostNodes these take a
// second or two, so that a solve can be cancelled in time. MostStarts and MostIterations are more than a day of work
// on the smallest problems.
const (
	MostNodes      = 512
	MostStarts     = 1 << 16
	MostIterations = 1 << 27

	mostTraced = 1 << 20 // steps of a trace, which callers keep in memory

	mostAlpha = 1e6 // beyond, S is all α and nothing is left of the Laplacian
)

func (s Settings) validate(space design.Space) error {
	var size error
	if space.Nodes > MostNodes {
		size = fmt.Errorf("admm: %d nodes; the iteration is for at most %d", space.Nodes, MostNodes)
	}
	var trace error
	if t := s.withDefaults(space); s.Trace && t.Starts > mostTraced/t.Iterations {
		trace = fmt.Errorf("admm: a trace of %d starts with %d steps; it may have at most %d lines: lower starts or steps",
			t.Starts, t.Iterations, mostTraced)
	}
	return errors.Join(size, s.Validate(), s.validateStart(space), trace)
}

// Validate complains about what no solve can do, whatever the graphs to choose from.
func (s Settings) Validate() error {
	var errs []error
	complain := func(format string, args ...any) { errs = append(errs, fmt.Errorf("admm: "+format, args...)) }
	for _, f := range []struct {
		name  string
		value float64
	}{{"Rho", s.Rho}, {"Growth", s.Growth}, {"Tolerance", s.Tolerance}} {
		if !(f.value >= 0) || math.IsInf(f.value, 0) {
			complain("%s is %v; it must be a positive number, or 0 for the default", f.name, f.value)
		}
	}
	if s.Workers < 0 {
		complain("Workers is %d; it must be at least 1, or 0 for all cores", s.Workers)
	}
	if !(s.Share >= 0 && s.Share <= 1) {
		complain("Share is %v; it must be from 0 to 1", s.Share)
	}
	if s.Share > 0 && s.Start == Random {
		complain("Share is %v, but a random start has no graph to put it on", s.Share)
	}
	if s.Alpha != 0 && !(s.Alpha >= 1 && s.Alpha <= mostAlpha) {
		complain("Alpha is %v; it must be at least 1, which λ̃ never exceeds, and at most %v", s.Alpha, mostAlpha)
	}
	if s.Growth > 0 && s.Growth < 1 {
		complain("Growth is %v; below 1 the penalty would fade and the iteration never settle", s.Growth)
	}
	for _, f := range []struct {
		name  string
		value int
		most  int
	}{{"Starts", s.Starts, MostStarts}, {"Iterations", s.Iterations, MostIterations}, {"PolishIterations",
		s.PolishIterations, MostIterations},
		{"Polished", s.Polished, MostStarts}} {
		if f.value < 0 || f.value > f.most {
			complain("%s is %d; it must be between 1 and %d, or 0 for the default", f.name, f.value, f.most)
		}
	}
	if s.Method < ClosedForm || s.Method > Printed {
		complain("Method is %d; known are ClosedForm and Printed", int(s.Method))
	}
	return errors.Join(errs...)
}

// validateStart checks that a first graph, where one is named, consists of candidates.
func (s Settings) validateStart(space design.Space) error {
	switch s.Start {
	case Annealed, Bounded, Random:
		return nil
	case Ring:
		return onCandidates(space, ringEdges(space.Nodes))
	case Given:
		if s.Graph == nil || s.Graph.Nodes() != space.Nodes {
			return fmt.Errorf("admm: Start is Given, but Graph is not a graph of %d nodes", space.Nodes)
		}
		return onCandidates(space, s.Graph.Edges())
	}
	return fmt.Errorf("admm: Start is %d; known are Annealed, Bounded, Random, Ring and Given", int(s.Start))
}
