package planner

import (
	"errors"

	"batopo/rounding"
)

// ErrInfeasible means that no graph keeps all limits; the message says which limit forbids it.
var ErrInfeasible = rounding.ErrInfeasible

// ErrUndecided means that no graph was found that keeps all limits, and no proof that there is none.
var ErrUndecided = rounding.ErrUndecided

// ErrNoPlan means that the search was stopped before it had any plan.
var ErrNoPlan = errors.New("planner: the search ended before it had a plan")
