package verdict

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"batopo/experiments/internal/ledger"
	"batopo/experiments/internal/measure"
	"batopo/experiments/internal/paper"
)

// Evidence is what there is to judge by.
type Evidence struct {
	Paper     *paper.Paper
	Table1    *ledger.File[measure.Measurement]
	Figures   *ledger.File[measure.Measurement]
	Table2    *ledger.File[measure.Epoch]
	Ablations *ledger.File[measure.Outcomes]
}

// Load reads the paper's numbers below root and the result files. A result file that does
// not exist yet leaves its sentences open.
func Load(root, results string) (*Evidence, error) {
	p, err := paper.Read(root)
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
	f, err := ledger.Read[T](filepath.Join(results, experiment+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		f, err = &ledger.File[T]{Experiment: experiment}, nil
	}
	*into = f
	return err
}

// A Subject is who a sentence is asked of.
type Subject string

// The subjects.
const (
	Printed Subject = "as printed"
	Method  Subject = "paper's method"
	Ours    Subject = "our best"
)

// Edge budgets of a scenario and the baselines that the paper compares with.
var (
	budgets   = map[string][]int{"homogeneous": {16, 24, 32, 54}, "node-level": {16, 32, 48}, "intra-server": {8, 12, 16}, "bcube-1to2": {24, 48}, "bcube-2to3": {24, 48}}
	baselines = []string{"ring", "grid", "torus", "exponential", "u-equistatic-m2", "u-equistatic-m3"}
)

// errMissing says that a row has not been computed.
type errMissing struct{ key string }

func (e errMissing) Error() string { return "no row " + e.key + " in the results" }

// figure returns a row of the figures.
func (e *Evidence) figure(scenario, topology string) (measure.Measurement, error) {
	key := scenario + "/" + topology
	m, ok := e.Figures.Find(key)
	if !ok {
		return m, errMissing{key}
	}
	return m, nil
}

// plan returns what a subject reaches with at most r edges.
func (e *Evidence) plan(who Subject, scenario string, r int) (measure.Measurement, error) {
	return e.figure(scenario, fmt.Sprintf("%s-r%d", map[Subject]string{Method: "paper", Ours: "auto"}[who], r))
}

// others returns the baselines of a scenario by name; U-EquiStatic exists for 16 nodes only.
func (e *Evidence) others(scenario string) (names []string, rows []measure.Measurement, err error) {
	for _, name := range baselines {
		m, err := e.figure(scenario, name)
		if err != nil && scenario == "intra-server" && name[:2] == "u-" {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		names, rows = append(names, name), append(rows, m)
	}
	return names, rows, nil
}

// table1 returns a row of Table I for n nodes.
func (e *Evidence) table1(n int, topology string) (measure.Measurement, error) {
	key := fmt.Sprintf("n=%d/%s", n, topology)
	m, ok := e.Table1.Find(key)
	if !ok {
		return m, errMissing{key}
	}
	return m, nil
}
