package verdict

import (
	"errors"
	"io/fs"
	"math"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/experiments/internal/paper"
)

// Evidence is what there is to judge by.
type Evidence struct {
	Paper     *paper.Paper
	Table1    *ledger.File[measure.Measurement]
	Figures   *ledger.File[measure.Measurement]
	Table2    *ledger.File[measure.Epoch]
	Ablations *ledger.File[measure.Outcomes]
}

// Load reads the paper's numbers and the result files. A file that does not exist yet leaves its sentences open.
func Load(results string) (*Evidence, error) {
	p, err := paper.Read()
	if err != nil {
		return nil, err
	}
	e := &Evidence{Paper: p}
	return e, errors.Join(
		read(results, "table1", &e.Table1),
		read(results, "figures", &e.Figures),
		read(results, "table2", &e.Table2),
		read(results, "ablations", &e.Ablations))
}

func read[T any](results, experiment string, into **ledger.File[T]) error {
	f, err := ledger.Read[T](results, experiment)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = &ledger.File[T]{Experiment: experiment}, nil
	}
	*into = f
	return err
}

// A Subject is whose numbers decide a sentence: the paper's own, or those of one way to solve its problems.
type Subject struct {
	ID      string
	Name    string
	Sizes   []string // its rows of Table I; the best one counts
	Figures string   // what the names of its rows of the figures begin with
}

// The subjects. Table II names BA-Topo as our rows of the paper's method do.
var (
	Printed = Subject{ID: "printed", Name: "as printed", Figures: "paper"}
	Method  = Subject{ID: "method", Name: "paper's method", Sizes: []string{"admm"}, Figures: "paper"}
	Ours    = Subject{ID: "ours", Name: "our best", Sizes: []string{"auto", "auto-even"}, Figures: "auto"}

	Subjects = []Subject{Method, Ours, Printed}
)

// timeMS is the computed time to the target in ms, +Inf for never.
func timeMS(m measure.Measurement) float64 {
	if m.Iterations == 0 {
		return math.Inf(1)
	}
	return m.TimeMS
}
