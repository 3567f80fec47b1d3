package present

import (
	"fmt"
	"io"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/consensus"
	"github.com/batopo/batopo/internal/show/report"
)

// Simulation is one simulated plan, also as programs read it.
type Simulation struct {
	Name    string            `json:"name"`
	Plan    string            `json:"plan"` // hash
	Trials  int               `json:"trials"`
	Seed    uint64            `json:"seed"`
	Target  float64           `json:"target_error"`
	Reached bool              `json:"reached"`
	Grows   bool              `json:"diverged,omitempty"` // the error grew beyond all numbers
	Rounds  []consensus.Error `json:"rounds"`
	Note    string            `json:"note,omitempty"` // what was made up for a file that lacks it
	// IterationMS is the time of an iteration of training by the plan, with its every and its overlap.
	IterationMS float64 `json:"iteration_ms"`
}

// NewSimulation describes what became of a plan.
func NewSimulation(name string, p *design.Plan, s consensus.Settings, r *consensus.Result) (Simulation, error) {
	c, err := cluster.New(p.Cluster)
	if err != nil {
		return Simulation{}, err
	}
	ms, err := p.IterationMS(c)
	return Simulation{Name: name, Plan: p.Hash, Trials: r.Trials, Seed: s.Seed, Target: s.Target, Reached: r.Reached,
		Grows: r.Diverged, Rounds: r.Errors, IterationMS: ms}, err
}

// WriteSimulations prints where every simulation ended.
func WriteSimulations(w io.Writer, runs []Simulation) error {
	t := report.NewTable("plan", ">rounds", ">ms", ">error", ">largest", ">relative", "target")
	for _, r := range runs {
		last := r.Rounds[len(r.Rounds)-1]
		verdict := "not reached"
		switch {
		case r.Reached:
			verdict = "reached"
		case r.Grows:
			verdict = "never reached: the error grows"
		}
		t.Add(r.Name, fmt.Sprint(last.Round), inColumn(last.TimeMS, 1),
			fmt.Sprintf("%.2e", last.RMS), fmt.Sprintf("%.2e", last.Max), fmt.Sprintf("%.2e", last.Relative),
			fmt.Sprintf("%.0e %s", r.Target, verdict))
	}
	if err := t.WriteText(w); err != nil {
		return err
	}
	for _, r := range runs {
		if r.Note == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", r.Name, r.Note); err != nil {
			return err
		}
	}
	return nil
}
