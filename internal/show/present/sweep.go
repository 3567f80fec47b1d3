package present

import (
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/show/report"
)

// WriteSweep prints a sweep for people: what was asked, the budgets, and why one of them is recommended.
func WriteSweep(w io.Writer, p design.Problem, s *sweep.Sweep) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d nodes, %s, objective %s\n\n", p.Cluster.Nodes(), p.Purpose, p.Objective)
	if err := budgetTable(p.Cluster, s, theAnswer).WriteText(&b); err != nil {
		return err
	}
	fmt.Fprintln(&b)
	if beyond := BeyondText(s); beyond != "" {
		fmt.Fprintln(&b, beyond)
	}
	for _, line := range Reasons(s) {
		fmt.Fprintln(&b, line)
	}
	for _, skipped := range s.Skipped {
		fmt.Fprintf(&b, "Not listed: %s: %s\n", skipped.Name, SkippedText(skipped))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// budgetTable lists the budgets; the row of the best plan stands out. Where the ranking is a heuristic, what it is
// made of is shown too.
func budgetTable(c *cluster.Cluster, s *sweep.Sweep, best role) report.Table {
	titles := []string{">edges", ">degree", ">r_asym", ">bound", ">λ₂", ">λₙ", ">ms/round", ">rounds", ">ms to target"}
	training := s.Criterion == sweep.PerNeighbor
	if training {
		titles = append(titles, ">ms/iteration", fmt.Sprintf(">n_W(%v)", sweep.NoiseDecay))
	}
	t := report.NewTable(append(titles, "note")...)
	for _, o := range s.Outcomes {
		cells := make([]string, len(t.Columns))
		copy(cells, budgetCells(c, o))
		if o.Plan != nil && training {
			copy(cells[9:], []string{inColumn(o.IterationMS, 2), fixed(o.Neighbors, 2)})
		}
		chosen, note := o.Plan != nil && o.Plan == s.Best(), &cells[len(titles)]
		if *note = OutcomeText(s, o); chosen {
			*note = best.note
		}
		t.Rows = append(t.Rows, report.Row{Cells: cells, Strong: chosen})
	}
	return t
}

// budgetCells are the columns that every table of budgets has; without a plan, what is known beforehand.
func budgetCells(c *cluster.Cluster, o sweep.Outcome) []string {
	p := o.Plan
	if p == nil {
		round := cost.AtRate(c, o.Budget.UnitGBs)
		return []string{fmt.Sprintf("≤ %d", o.Budget.MaxEdges), "", "", "", "", "", inColumn(round, 2)}
	}
	return []string{
		fmt.Sprint(len(p.Edges())), fmt.Sprint(p.MaxDegree),
		fmt.Sprintf("%.4f", p.RAsym), fmt.Sprintf("%.4f", p.Bound.RAsym), fixed(*p.Lambda2, 3), fixed(*p.LambdaN, 3),
		inColumn(p.CommunicationMS, 2), fmt.Sprint(p.Iterations), inColumn(p.TimeMS, 1),
	}
}

// shape is what a plan looks like, in a few words.
func shape(p *design.Plan) string {
	row := sweep.PlanRow(p.Method, p)
	switch row.Kind {
	case sweep.AllReduce:
		if p.Collective.Algorithm == design.StepsForm {
			return "all-reduce by " + p.Method
		}
		return "all-reduce along a " + string(p.Collective.Algorithm)
	case sweep.Scheduled:
		return fmt.Sprintf("%s, %s per period, at most %s in each",
			p.Method, Count(len(p.Rounds), "round"), Count(p.MaxDegree, "peer"))
	}
	return fmt.Sprintf("%s, at most %s", Count(row.Edges, "edge"), Count(p.MaxDegree, "neighbour"))
}

// Reasons says in sentences why the recommended plan was chosen and what it gains or loses.
func Reasons(s *sweep.Sweep) []string { return theAnswer.reasons(s) }

// StaticReasons says the same of a sweep's plan beside an advice: it is the static graph of the search, which need not
// be what is recommended.
func StaticReasons(s *sweep.Sweep) []string { return theSearched.reasons(s) }

func (as role) reasons(s *sweep.Sweep) []string {
	best := s.Best()
	if best == nil {
		return []string{noGraphText(s.NoGraph)}
	}
	each := ""
	if best.Iterations > 1 {
		each = " each"
	}
	say := []string{fmt.Sprintf("%s: %s, %s of %s%s: %s to an error of %.0e.",
		as.head, shape(best), Count(best.Iterations, "round"), report.Time(best.CommunicationMS), each,
		report.Time(best.TimeMS), best.TargetError)}
	if quicker := exactText(s); quicker != "" {
		say = append(say, quicker)
	}
	if how := HeuristicText(s); how != "" {
		say = append(say, as.choice+" "+how+". What follows compares times to agreement only.")
	}
	var behind, ahead []string
	for _, r := range as.baselines(s) {
		if r.TimeMS == nil {
			continue
		}
		if ratio := *r.TimeMS / best.TimeMS; ratio > 1 {
			behind = append(behind, fmt.Sprintf("%s %s×", r.Name, fixed(ratio, 2)))
		} else {
			ahead = append(ahead, fmt.Sprintf("%s (%s)", r.Name, report.Time(*r.TimeMS)))
		}
	}
	if len(behind) > 0 {
		say = append(say, "Slower than "+as.it+": "+strings.Join(behind, ", ")+".")
	}
	if len(ahead) > 0 {
		say = append(say, "As fast or faster under this model: "+strings.Join(ahead, ", ")+". Exact schedules and "+
			"all-reduce need every node in step; a static plan keeps its peers and tolerates stragglers.")
	}
	return say
}

// exactText says which graph reaches the target before the one of a sweep, and why it is not the answer: it averages
// exactly, and a collective does so sooner.
func exactText(s *sweep.Sweep) string {
	var first *sweep.Outcome
	for k := range s.Outcomes {
		o := &s.Outcomes[k]
		if o.Status == sweep.Outpaced && (first == nil || o.Plan.TimeMS < first.Plan.TimeMS) {
			first = o
		}
	}
	if first == nil || first.Plan.TimeMS >= s.Best().TimeMS {
		return ""
	}
	return fmt.Sprintf("That is the first of the graphs that do not average exactly. The one of %s averages exactly "+
		"in %s, but ring all-reduce does so in %s: where every node can keep step, run that.",
		Count(len(first.Plan.Edges()), "edge"), report.Time(first.Plan.TimeMS), report.Time(first.CollectiveMS))
}
