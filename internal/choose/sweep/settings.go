package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/internal/solve/search"
)

// A Method is a way to find a graph.
type Method string

// The methods. Auto chooses: enumeration where that is small, otherwise a portfolio of lifts and
// swaps. Paper is the paper's Algorithm 2 as printed, ADMM the same iteration improved: see package admm.
const (
	Auto  Method = "auto"
	Lift  Method = "lift"
	Swap  Method = "swap"
	ADMM  Method = "admm"
	Paper Method = "paper"
)

// Methods lists them in the order that help shows.
var Methods = []Method{Auto, Lift, Swap, ADMM, Paper}

// Settings say how to search. The zero value asks for the documented defaults.
type Settings struct {
	Method      Method // "" means Auto
	Seed        uint64
	Evaluations int                   // how many graphs to look at; 0 means a number that takes some seconds
	Paper       PaperSettings         // of ADMM and Paper
	Workers     int                   // searches at the same time; 0 means all cores; the plan does not depend on it
	Progress    func(design.Progress) // may be nil; called by one goroutine at a time
	Found       func(*design.Plan)    // may be nil; called with every plan that a sweep takes for a budget

	starts []search.Start // graphs to go on from
	memory *memory        // of a sweep; may be nil
}

// PaperSettings say how ADMM and Paper iterate, as admm.Settings explains it; 0 means the method's own default.
type PaperSettings struct {
	Rho     float64 `json:"rho,omitempty"`    // penalty
	Starts  int     `json:"starts,omitempty"` // independent runs
	Growth  float64 `json:"growth,omitempty"`
	Share   float64 `json:"share,omitempty"`
	Alpha   float64 `json:"alpha,omitempty"`
	Epsilon float64 `json:"epsilon,omitempty"`
	Steps   int     `json:"steps,omitempty"` // the most per run
	// BoundedStart anneals the first graph with at most ⌈2r/n⌉ edges at a node; without, they may crowd
	BoundedStart bool `json:"bounded_start,omitempty"`
	Exact        bool `json:"exact,omitempty"` // ADMM solves M z = e instead of M z ≤ e, as Paper always does
	// ADMM keeps at most r weights also where limits select the edges, as Paper always does
	SparseWeights bool `json:"sparse_weights,omitempty"`
	// ADMM solves the linear system as Paper does, by Bi-CGSTAB with ILU
	PrintedStep bool `json:"printed_step,omitempty"`
	// Paper solves it by formulas, as ADMM does: the same iterates in a fraction of the time
	ClosedForm bool `json:"closed_form,omitempty"`
	Trace      bool `json:"trace,omitempty"` // every step is reported to Progress; the plan is the same
}

// mostEvaluations is a day of work.
const mostEvaluations = 100_000_000_000

// Validate complains about a method that there is not; none means Auto.
func (m Method) Validate() error {
	if m == "" || slices.Contains(Methods, m) {
		return nil
	}
	names := make([]string, len(Methods))
	for k, m := range Methods {
		names[k] = string(m)
	}
	return fmt.Errorf("method is %q; known are %s", m, strings.Join(names, ", "))
}

// Validate complains about what no search can do.
func (s Settings) Validate() error {
	if err := s.Method.Validate(); err != nil {
		return err
	}
	if s.Evaluations < 0 || s.Evaluations > mostEvaluations {
		return fmt.Errorf("evaluations is %d; it must be between 1 and %d, or 0 for the default", s.Evaluations,
			mostEvaluations)
	}
	if s.Workers < 0 {
		return fmt.Errorf("workers is %d; it must be at least 1, or 0 for all cores", s.Workers)
	}
	if n := s.Paper.Starts; n < 0 || n > admm.MostStarts {
		return fmt.Errorf("starts is %d; it must be between 1 and %d, or 0 for the default", n, admm.MostStarts)
	}
	if rho := s.Paper.Rho; !(rho >= 0) || math.IsInf(rho, 1) {
		return fmt.Errorf("rho is %v; it must be a positive number, or 0 for the default", rho)
	}
	if err := s.admm().Validate(); err != nil {
		return fmt.Errorf("paper: %w", err)
	}
	return nil
}
