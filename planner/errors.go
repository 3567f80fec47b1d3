package planner

import "batopo/rounding"

// ErrInfeasible means that no graph keeps all limits; the message says which limit forbids it.
var ErrInfeasible = rounding.ErrInfeasible
