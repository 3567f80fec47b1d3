package admm

import "fmt"

// A State is where a literal run stands between two steps: all that decides how it goes on.
type State struct {
	Step        int
	Rho         float64
	X, D        []float64
	Linear      []float64 // solution of the last linear system, from which Bi-CGSTAB starts; none by formulas
	LinearSteps int
}

// saveEvery is how many steps lie between two states.
const saveEvery = 100

// state copies where the iteration stands.
func (it *iteration) state(step int) State {
	s := State{Step: step, Rho: it.rho, X: append([]float64{}, it.x.all...), D: append([]float64{}, it.d.all...)}
	if sp, ok := it.primal.(*saddlePoint); ok {
		s.Linear, s.LinearSteps = append([]float64{}, sp.solution...), sp.steps
	}
	return s
}

// resume puts the iteration where the state was taken.
func (it *iteration) resume(s State) error {
	sp, printed := it.primal.(*saddlePoint)
	if len(s.X) != len(it.x.all) || len(s.D) != len(it.d.all) || printed && len(s.Linear) != len(sp.solution) {
		return fmt.Errorf("admm: a state of %d, %d and %d numbers is of another problem or linear step",
			len(s.X), len(s.D), len(s.Linear))
	}
	it.rho = s.Rho
	copy(it.x.all, s.X)
	copy(it.d.all, s.D)
	if printed {
		copy(sp.solution, s.Linear)
		sp.steps = s.LinearSteps
	}
	return nil
}
