package planner

import (
	"errors"

	"batopo/rounding"
)

// ErrInfeasible means that no graph keeps all limits; the message says which limit forbids it.
var ErrInfeasible = rounding.ErrInfeasible

// ErrNoPlan means that the search was stopped before it had any plan.
var ErrNoPlan = errors.New("planner: the search ended before it had a plan")
