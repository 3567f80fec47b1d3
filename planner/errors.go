package planner

import (
	"errors"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/bound"
	"github.com/batopo/batopo/internal/rounding"
)

// ErrInfeasible means that no graph keeps all limits; the message says which limit forbids it.
var ErrInfeasible = errors.New("planner: no graph keeps all limits")

// ErrUndecided means that no graph was found that keeps all limits, and no proof that there is none.
var ErrUndecided = errors.New("planner: no graph was found that keeps all limits")

// ErrNoPlan means that the search was stopped before it had any plan.
var ErrNoPlan = errors.New("planner: the search ended before it had a plan")

// An answer is an error of a lower package that is one of those above.
type answer struct {
	error
	is error
}

func (a answer) Unwrap() []error { return []error{a.is, a.error} }

// sorted makes errors of hardware and rounding answers of this package.
func sorted(err error) error {
	switch {
	case errors.Is(err, ErrInfeasible) || errors.Is(err, ErrUndecided) || errors.Is(err, ErrNoPlan):
		return err
	case errors.Is(err, rounding.ErrInfeasible) || errors.Is(err, cluster.ErrInfeasible) ||
		errors.Is(err, bound.ErrInfeasible):
		return answer{err, ErrInfeasible}
	case errors.Is(err, rounding.ErrUndecided) || errors.Is(err, cluster.ErrUndecided):
		return answer{err, ErrUndecided}
	}
	return err
}
