package sweep

import "errors"

// ErrNoPlan means that the search was stopped before it had any plan. That there is no plan at all is
// [feasible.ErrInfeasible] or [feasible.ErrUndecided].
var ErrNoPlan = errors.New("sweep: the search ended before it had a plan")
