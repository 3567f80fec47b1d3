package present

import (
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
)

// SweepJSON is a sweep as programs read it.
type SweepJSON struct {
	Recommended *design.Plan      `json:"recommended"`
	Budgets     []BudgetJSON      `json:"budgets"`
	Beyond      string            `json:"beyond,omitempty"`
	Baselines   []planner.Row     `json:"opponents"`
	Skipped     []planner.Skipped `json:"skipped,omitempty"`
	Heuristic   string            `json:"heuristic,omitempty"`
}

// BudgetJSON is one budget of a sweep.
type BudgetJSON struct {
	MaxEdges  int          `json:"max_edges"`
	UnitGBs   float64      `json:"unit_gb_s"`
	MaxDegree int          `json:"max_degree,omitempty"`
	Neighbors float64      `json:"effective_neighbors,omitempty"` // n_W(γ), for training
	Plan      *planner.Row `json:"plan"`
	Reason    string       `json:"reason,omitempty"`
}

// NewSweepJSON is the JSON form of a sweep.
func NewSweepJSON(s *planner.Sweep) SweepJSON {
	out := SweepJSON{
		Recommended: s.Best(), Beyond: s.Beyond, Baselines: s.Opponents, Skipped: s.Skipped, Heuristic: s.Heuristic,
	}
	for _, b := range s.Budgets {
		j := BudgetJSON{
			MaxEdges: b.Allocation.MaxEdges, UnitGBs: b.Allocation.UnitGBs, MaxDegree: b.MaxDegree,
			Neighbors: b.Neighbors, Reason: b.Reason,
		}
		if b.Plan != nil {
			row := planner.PlanRow(b.Plan.Method, b.Plan)
			j.Plan = &row
		}
		out.Budgets = append(out.Budgets, j)
	}
	return out
}
