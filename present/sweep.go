package present

import (
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/report"
)

// WriteSweep prints a sweep for people: what was asked, the budgets, and why one of them is recommended.
func WriteSweep(w io.Writer, p design.Problem, s *planner.Sweep) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d nodes, %s, objective %s\n\n", p.Cluster.Nodes(), p.Purpose, p.Objective)
	if err := BudgetTable(p.Cluster, s).WriteText(&b); err != nil {
		return err
	}
	fmt.Fprintln(&b)
	if s.Beyond != "" {
		fmt.Fprintln(&b, s.Beyond)
	}
	for _, line := range Reasons(s) {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// BudgetTable lists the budgets; the recommended row stands out. Where the ranking is a heuristic, what it is
// made of is shown too.
func BudgetTable(c *cluster.Cluster, s *planner.Sweep) report.Table {
	titles := []string{"edges", "degree", "r_asym", "bound", "λ₂", "λₙ", "ms/round", "rounds", "ms to target"}
	if s.Heuristic != "" {
		titles = append(titles, "ms/iteration", fmt.Sprintf("n_W(%v)", planner.NoiseDecay))
	}
	var t report.Table
	for _, title := range titles {
		t.Columns = append(t.Columns, report.Column{Title: title, Numeric: true})
	}
	t.Columns = append(t.Columns, report.Column{Title: "note"})
	for k, b := range s.Budgets {
		cells := make([]string, len(t.Columns))
		copy(cells, budgetCells(c, b))
		if b.Plan != nil && s.Heuristic != "" {
			copy(cells[9:], []string{fixed(b.Plan.CommunicationMS+b.Plan.ComputeMS, 2), fixed(b.Neighbors, 2)})
		}
		if cells[len(cells)-1] = b.Reason; b.Plan != nil && k == s.Recommended {
			cells[len(cells)-1] = "recommended"
			t.AddStrong(cells...)
		} else {
			t.Add(cells...)
		}
	}
	return t
}

// budgetCells are the columns that every table of budgets has; without a plan, what is known beforehand.
func budgetCells(c *cluster.Cluster, b planner.Budget) []string {
	p := b.Plan
	if p == nil {
		round := c.Spec().LatencyMS + c.Model().MessageMB/b.Allocation.UnitGBs
		return []string{fmt.Sprintf("≤ %d", b.Allocation.MaxEdges), "", "", "", "", "", fixed(round, 2)}
	}
	return []string{
		fmt.Sprint(len(p.Edges())), fmt.Sprint(p.MaxDegree),
		fmt.Sprintf("%.4f", p.RAsym), fmt.Sprintf("%.4f", p.Bound.RAsym), fixed(*p.Lambda2, 3), fixed(*p.LambdaN, 3),
		fixed(p.CommunicationMS, 2), fmt.Sprint(p.Iterations), fixed(p.TimeMS, 1),
	}
}

// Reasons says in sentences why the recommended plan was chosen and what it gains or loses.
func Reasons(s *planner.Sweep) []string {
	best := s.Best()
	each := ""
	if best.Iterations > 1 {
		each = " each"
	}
	say := []string{fmt.Sprintf("Recommended: %s, at most %s, %s of %s ms%s: %s ms to an error of %.0e.",
		Count(len(best.Edges()), "edge"), Count(best.MaxDegree, "neighbour"), Count(best.Iterations, "round"),
		short(best.CommunicationMS), each, short(best.TimeMS), best.TargetError)}
	if s.Heuristic != "" {
		say = append(say, "The choice is "+s.Heuristic+". What follows compares times to agreement only.")
	}
	var behind, ahead []string
	for _, r := range s.Opponents {
		if r.TimeMS == nil {
			continue
		}
		if ratio := *r.TimeMS / best.TimeMS; ratio > 1 {
			behind = append(behind, fmt.Sprintf("%s %s×", r.Name, fixed(ratio, 2)))
		} else {
			ahead = append(ahead, fmt.Sprintf("%s (%s ms)", r.Name, short(*r.TimeMS)))
		}
	}
	if len(behind) > 0 {
		say = append(say, "Slower than the plan: "+strings.Join(behind, ", ")+".")
	}
	if len(ahead) > 0 {
		say = append(say, "As fast or faster under this model: "+strings.Join(ahead, ", ")+". Exact schedules and "+
			"all-reduce need every node in step; a static plan keeps its peers and tolerates stragglers.")
	}
	return say
}
