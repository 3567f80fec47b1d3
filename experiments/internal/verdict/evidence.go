// Package verdict decides what the BA-Topo paper says by its printed numbers and by our results: cell by cell for its
// tables, sentence by sentence for its text. A sentence names its rule in paper.json; where a row of the results is
// missing it stays open. The package also checks the numbers that our own documents print.
package verdict

import (
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/paper"
)

// experiments have a result file each; the one of training is written by the simulator's program.
var experiments = []string{"table1", "figures", "table2", "ablations", "solver", "training"}

// Evidence is what there is to judge by, and what it says.
type Evidence struct {
	Paper    *paper.Paper
	Keys     map[string][]string // of the rows of every experiment
	Runs     []ledger.Provenance // that the rows come from
	Facts    Facts
	Findings []Finding // on everything the paper says, in its order
}

// Load reads the paper's numbers and the result files and decides every sentence. A file that does not exist yet leaves
// its sentences open.
func Load(results string) (*Evidence, error) {
	e, err := read(results)
	if err != nil {
		return nil, err
	}
	return e, e.decide()
}

// read has the rows alone.
func read(results string) (*Evidence, error) {
	p, err := paper.Read()
	if err != nil {
		return nil, err
	}
	e := &Evidence{Paper: p, Keys: map[string][]string{}, Facts: Facts{}}
	for _, name := range experiments {
		f, err := ledger.Read[ledger.Fields](results, name)
		if err != nil {
			return nil, err
		}
		for _, row := range f.Rows {
			e.add(name, row.Key, row.Value)
			if err := e.Facts.addStarts(name+"/"+row.Key+"/", row.Settings); err != nil {
				return nil, err
			}
		}
		e.Runs = append(e.Runs, f.Runs...)
	}
	return e, nil
}

// A Subject is whose numbers decide a sentence: the paper's own, or those of one way to solve its problems.
type Subject struct {
	ID      string
	Name    string
	Sizes   []string // its rows of Table I; the best one counts
	Figures string   // what the names of its rows of the figures begin with
}

// The subjects: the printed numbers, Algorithm 2 as printed from a warm start that is free in degree and from one with
// an even share of the edges at every node, the same iteration improved, our search, and networks trained on the plans
// of Algorithm 2 from the free start. Table II names BA-Topo as our rows of the paper's method do.
var (
	Printed = Subject{ID: "printed", Name: "as printed", Figures: "paper"}
	Literal = Subject{ID: "literal", Name: "printed method", Sizes: []string{"literal"}, Figures: "literal"}
	Bounded = Subject{ID: "bounded", Name: "printed method, bounded start", Sizes: []string{"bounded"}, Figures: "bounded"}
	Method  = Subject{ID: "method", Name: "paper's method", Sizes: []string{"admm"}, Figures: "paper"}
	Ours    = Subject{ID: "ours", Name: "our best", Sizes: []string{"auto", "auto-even"}, Figures: "auto"}
	Trained = Subject{ID: "trained", Name: "trained here"}

	Subjects = []Subject{Literal, Bounded, Method, Ours, Printed, Trained}
)
