package present

import (
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// SweepJSON is a sweep as programs read it.
type SweepJSON struct {
	Recommended *design.Plan  `json:"recommended"`
	NoGraph     string        `json:"no_static_graph,omitempty"` // why there is none
	Budgets     []BudgetJSON  `json:"budgets"`
	Beyond      string        `json:"beyond,omitempty"`
	Baselines   []sweep.Row   `json:"baselines"`
	Skipped     []SkippedJSON `json:"skipped,omitempty"`
	Heuristic   string        `json:"heuristic,omitempty"`

	Measured *CorrectionJSON `json:"measured,omitempty"` // what a trial says about the cluster
}

// BudgetJSON is one budget of a sweep.
type BudgetJSON struct {
	MaxEdges  int          `json:"max_edges"`
	UnitGBs   float64      `json:"unit_gb_s"`
	MaxDegree int          `json:"max_degree,omitempty"`
	Neighbors float64      `json:"effective_neighbors,omitempty"` // n_W(γ), for training
	Status    sweep.Status `json:"status"`
	Plan      *sweep.Row   `json:"plan"`
	Reason    string       `json:"reason,omitempty"`
}

// SkippedJSON is a baseline without a row.
type SkippedJSON struct {
	Name   string       `json:"name"`
	Status sweep.Status `json:"status"`
	Reason string       `json:"reason"`
}

// NewSweepJSON is the JSON form of a sweep.
func NewSweepJSON(s *sweep.Sweep) SweepJSON {
	out := SweepJSON{
		Recommended: s.Best(), Beyond: BeyondText(s), Baselines: s.Baselines, Skipped: skippedJSON(s.Skipped),
		Budgets: []BudgetJSON{},
	}
	if s.NoGraph != nil {
		out.NoGraph = noGraphText(s.NoGraph)
	} else {
		out.Heuristic = HeuristicText(s)
	}
	for _, o := range s.Outcomes {
		j := BudgetJSON{
			MaxEdges: o.Budget.MaxEdges, UnitGBs: o.Budget.UnitGBs, MaxDegree: o.Budget.MaxDegree,
			Neighbors: o.Neighbors, Status: o.Status, Reason: OutcomeText(s, o),
		}
		if o.Plan != nil {
			row := sweep.PlanRow(o.Plan.Method, o.Plan)
			j.Plan = &row
		}
		out.Budgets = append(out.Budgets, j)
	}
	return out
}

func skippedJSON(all []sweep.Skipped) []SkippedJSON {
	var out []SkippedJSON
	for _, s := range all {
		out = append(out, SkippedJSON{s.Name, s.Status, SkippedText(s)})
	}
	return out
}
