package present

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/report"
)

// ComparisonJSON is a comparison as programs read it.
type ComparisonJSON struct {
	Cluster     cluster.Spec  `json:"cluster"`
	TargetError float64       `json:"target_error"`
	Rows        []sweep.Row   `json:"rows"`
	Skipped     []SkippedJSON `json:"skipped,omitempty"`
	AllReduceMS float64       `json:"allreduce_bound_ms,omitempty"` // no all-reduce takes less; 0: not known
}

// NewComparisonJSON is the JSON form of rows priced on a cluster, with what no all-reduce can beat, if that is known.
func NewComparisonJSON(c *cluster.Cluster, rows []sweep.Row, skipped []sweep.Skipped, least *design.TimeBound,
) ComparisonJSON {
	out := ComparisonJSON{
		Cluster: c.Spec(), TargetError: c.Model().TargetError, Rows: rows, Skipped: skippedJSON(skipped),
	}
	if least != nil {
		out.AllReduceMS = least.MS
	}
	return out
}

// WriteComparison prints rows priced on a cluster, what is not among them, and what no all-reduce can beat, if known.
func WriteComparison(w io.Writer, c *cluster.Cluster, rows []sweep.Row, skipped []sweep.Skipped,
	least *design.TimeBound,
) error {
	fmt.Fprintf(w, "%d nodes, message %s MB, target error %.0e\n\n",
		c.Nodes(), short(c.Model().MessageMB), c.Model().TargetError)
	if err := RowTable(rows, nil).WriteText(w); err != nil {
		return err
	}
	if slices.ContainsFunc(rows, uneven) {
		fmt.Fprint(w, "\nms/round: the longest round, where the rounds of a schedule differ")
	}
	if least != nil {
		fmt.Fprintf(w, "\nno all-reduce takes less than %s here: %s", report.Time(least.MS), least.Detail)
	}
	for _, s := range skipped {
		fmt.Fprintf(w, "\nnot listed: %s: %s", s.Name, SkippedText(s))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// uneven reports whether rounds of a row differ in length, so that its time is not their number times the longest.
func uneven(r sweep.Row) bool {
	return r.Iterations != nil && *r.TimeMS < (1-1e-9)*float64(*r.Iterations)*r.CommunicationMS
}

// RowTable is a comparison as a table; the row of the plan own, if there is one, stands out.
func RowTable(rows []sweep.Row, own *design.Plan) report.Table {
	t := report.NewTable("topology", "kind", ">edges", ">degree", ">r_asym", ">ms/round", ">rounds", ">ms to target",
		"note")
	for _, r := range rows {
		rate, rounds, total := "–", "never", "–"
		if r.RAsym != nil && !math.IsNaN(*r.RAsym) {
			rate = fmt.Sprintf("%.4f", *r.RAsym)
		}
		if r.Iterations != nil {
			rounds, total = fmt.Sprint(*r.Iterations), inColumn(*r.TimeMS, 1)
		}
		cells := []string{r.Name, string(r.Kind), fmt.Sprint(r.Edges), fmt.Sprint(r.MaxDegree), rate,
			inColumn(r.CommunicationMS, 2), rounds, total, r.Note}
		t.Rows = append(t.Rows, report.Row{Cells: cells, Strong: own != nil && r.Plan == own})
	}
	return t
}
