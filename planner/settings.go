package planner

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/design"
)

// A Method is a way to find a graph.
type Method string

// The methods. Auto chooses: enumeration where that is small, otherwise a portfolio of lifts and
// swaps. ADMM and Paper are the paper's Algorithm 2 with its own weights.
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
	Evaluations int                   // how many graphs to look at; 0 means a number that takes some ten seconds
	Rho         float64               // ADMM's penalty; 0 lets the program choose
	Starts      int                   // ADMM's independent runs; 0 lets the program choose
	Progress    func(design.Progress) // may be nil; called by one goroutine at a time

	target float64 // where positive, graphs are compared by rounds to this error
}

// mostEvaluations is a day of work.
const mostEvaluations = 100_000_000_000

func (s Settings) validate() error {
	if s.Method != "" && !slices.Contains(Methods, s.Method) {
		names := make([]string, len(Methods))
		for k, m := range Methods {
			names[k] = string(m)
		}
		return fmt.Errorf("method is %q; known are %s", s.Method, strings.Join(names, ", "))
	}
	if s.Evaluations < 0 || s.Evaluations > mostEvaluations {
		return fmt.Errorf("evaluations is %d; it must be between 1 and %d, or 0 for the default", s.Evaluations, mostEvaluations)
	}
	if s.Starts < 0 || s.Starts > admm.MostStarts {
		return fmt.Errorf("starts is %d; it must be between 1 and %d, or 0 for the default", s.Starts, admm.MostStarts)
	}
	if !(s.Rho >= 0) || math.IsInf(s.Rho, 1) {
		return fmt.Errorf("rho is %v; it must be a positive number, or 0 for the default", s.Rho)
	}
	return nil
}
