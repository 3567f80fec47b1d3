package advise

import (
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/train"
)

// momentumFactor is β of the runs that the convergence model was fitted to.
const momentumFactor = 0.9

// diverges reports whether quasi-global momentum drives nodes apart that average so. It is never a candidate: no number
// of epochs makes up for it.
func (w *predictor) diverges(p *process, every int, order design.Order) bool {
	if w.setting.Momentum != train.QuasiGlobal {
		return false
	}
	unstable, key := w.known[p].unstable, guessKey{every, order}
	known, ok := unstable[key]
	if !ok {
		known = train.QuasiGlobalGrowth(p.shape.rounds, every, order, momentumFactor) >= 1
		unstable[key] = known
	}
	return known
}

// errDiverges says why nothing is left of a process.
var errDiverges = fmt.Errorf("quasi-global momentum %v drives its nodes apart, in whatever steps they average",
	momentumFactor)
