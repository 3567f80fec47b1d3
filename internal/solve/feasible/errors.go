package feasible

import (
	"errors"
	"fmt"
)

// ErrInfeasible means that it is proved that no graph keeps the limits; the error that wraps it says why.
var ErrInfeasible = errors.New("feasible: no graph keeps the limits")

// ErrUndecided means that no graph was found that keeps the limits, and no proof that there is none.
var ErrUndecided = errors.New("feasible: no graph was found that keeps the limits")

func infeasible(format string, args ...any) error {
	return fmt.Errorf("%w, because %s", ErrInfeasible, fmt.Sprintf(format, args...))
}

// NoGraph reports whether an error says that no graph fits, or that none was found.
func NoGraph(err error) bool { return errors.Is(err, ErrInfeasible) || errors.Is(err, ErrUndecided) }
