package page

import (
	"fmt"
	"math"
	"strings"

	"batopo/experiments/internal/measure"
	"batopo/experiments/internal/paper"
	"batopo/experiments/internal/verdict"
	"batopo/report"
)

// printedSolver says how far the rows with the printed linear solver are from those in closed form.
func printedSolver(e *verdict.Evidence) string {
	largest, apart := 0, 0.0
	for _, n := range e.Paper.Table1.Nodes {
		printed, ok := e.Table1.Find(fmt.Sprintf("n=%d/paper", n))
		closed, okClosed := e.Table1.Find(fmt.Sprintf("n=%d/admm", n))
		if ok && okClosed {
			largest, apart = n, max(apart, math.Abs(printed.RAsym-closed.RAsym))
		}
	}
	if largest == 0 {
		return ""
	}
	return fmt.Sprintf("; with the printed solver, up to %d nodes, r_asym differs by %s at most", largest, report.Number(apart))
}

// beside puts ours next to the printed numbers of one size; both columns for BA-Topo have the same printed one.
func beside(e *verdict.Evidence, quantity verdict.Quantity, k int, cell func(measure.Measurement) string) []string {
	var row []string
	for _, c := range verdict.Columns {
		compared := e.Compare(c, quantity, k)
		if c.Name != verdict.Ours.Name {
			row = append(row, string(compared.Theirs))
		}
		row = append(row, spell(compared.Missing == "", "%s", cell(compared.Ours)))
	}
	return row
}

func rates(e *verdict.Evidence) report.Table {
	t := Table("Asymptotic convergence factor r_asym", "#n", "#r", "#exp., printed", "#exp.", "#U-Equi, printed", "#U-Equi",
		"#BA-Topo, printed", "#paper’s method", "#ours", "#bound", "#gap")
	for k, n := range e.Paper.Table1.Nodes {
		row := []string{fmt.Sprint(n), fmt.Sprint(budget(e, k))}
		row = append(row, beside(e, verdict.Rate, k, func(m measure.Measurement) string {
			return fmt.Sprintf("%.4f", m.RAsym)
		})...)
		ours, bound := e.Compare(verdict.Ours.Column(), verdict.Rate, k).Ours.RAsym, lowerBound(e, n)
		known := !math.IsNaN(bound)
		t.Add(append(row, spell(known, "%.4f", bound), spell(known, "%.1f %%", 100*(ours/bound-1)))...)
	}
	return t
}

func times(e *verdict.Evidence) report.Table {
	t := Table("Time to consensus error 10⁻⁴ in ms: computed / simulated", "#n", "#exp., printed", "#exp.",
		"#U-Equi, printed", "#U-Equi", "#BA-Topo, printed", "#paper’s method", "#ours", "#printed / ours")
	for k, n := range e.Paper.Table1.Nodes {
		row := append([]string{fmt.Sprint(n)}, beside(e, verdict.Time, k, func(m measure.Measurement) string {
			return fmt.Sprintf("%.0f / %.0f", m.TimeMS, m.SimulatedMS)
		})...)
		ours := e.Compare(verdict.Ours.Column(), verdict.Time, k)
		t.Add(append(row, spell(ours.Missing == "", "%.2f ×", ours.Theirs.Value()/ours.Ours.TimeMS))...)
	}
	return t
}

// TableOne judges every number of Table I.
func TableOne(e *verdict.Evidence) report.Table {
	t := Table("Our numbers against the printed ones: same to the printed digits, better (smaller) or worse", "#n")
	for _, c := range verdict.Columns {
		for _, quantity := range []string{"r_asym", "time"} {
			t.Columns = append(t.Columns, report.Column{Title: c.Name + ", " + quantity})
		}
	}
	for k, n := range e.Paper.Table1.Nodes {
		row := []string{fmt.Sprint(n)}
		for _, c := range verdict.Columns {
			row = append(row, e.Compare(c, verdict.Rate, k).Verdict(), e.Compare(c, verdict.Time, k).Verdict())
		}
		t.Add(row...)
	}
	return t
}

// budget is half the sum of degrees of the exponential graph.
func budget(e *verdict.Evidence, k int) int {
	return e.Compare(verdict.Exponential, verdict.Rate, k).Ours.Edges
}

// lowerBound is what is proved for the budget of n nodes; NaN where it was not computed.
func lowerBound(e *verdict.Evidence, n int) float64 {
	if m, ok := e.Table1.Find(fmt.Sprintf("n=%d/auto", n)); ok && m.Bound != nil {
		return *m.Bound
	}
	return math.NaN()
}

func ratesChart(e *verdict.Evidence, _ string) ([]report.Block, error) {
	chart := overNodes(e, "r_asym", "", verdict.Rate)
	bound := report.Series{Name: "lower bound"}
	for _, n := range e.Paper.Table1.Nodes {
		bound.X, bound.Y = append(bound.X, float64(n)), append(bound.Y, lowerBound(e, n))
	}
	chart.Series = append(chart.Series, bound)
	return picture("table1-rate", "Asymptotic convergence factor over the number of nodes, with half the degree sum of the "+
		"exponential graph as edge budget.", chart)
}

func timesChart(e *verdict.Evidence, _ string) ([]report.Block, error) {
	return picture("table1-time", "Time to consensus error 10⁻⁴ over the number of nodes.",
		overNodes(e, "time to error 10⁻⁴", "ms", verdict.Time))
}

// overNodes draws one quantity of every topology over n.
func overNodes(e *verdict.Evidence, label, unit string, quantity verdict.Quantity) report.LineChart {
	chart := report.LineChart{
		Text: report.Text{Title: label + " over the number of nodes", Subtitle: "n equal nodes, at most n⌈log₂ n⌉/2 edges " +
			"(exponential: directed, U-EquiStatic: more edges). Printed: Table I of the paper."},
		X: report.Axis{Label: "nodes", Log: true},
		Y: report.Axis{Label: label, Unit: unit},
	}
	for _, s := range []struct {
		name    string
		column  verdict.Column
		printed bool
	}{
		{"exponential", verdict.Exponential, false},
		{"U-EquiStatic, printed", verdict.EquiStatic, true},
		{"BA-Topo, printed", verdict.Ours.Column(), true},
		{"paper’s method", verdict.Method.Column(), false},
		{"ours", verdict.Ours.Column(), false},
	} {
		line := report.Series{Name: s.name, Strong: s.name == "ours"}
		for k, n := range e.Paper.Table1.Nodes {
			c := e.Compare(s.column, quantity, k)
			value := quantity.Of(c.Ours)
			if s.printed {
				value = c.Theirs.Value()
			}
			if s.printed || c.Missing == "" {
				line.X, line.Y = append(line.X, float64(n)), append(line.Y, value)
			}
		}
		chart.Series = append(chart.Series, line)
	}
	for _, n := range e.Paper.Table1.Nodes {
		chart.X.At = append(chart.X.At, float64(n))
	}
	return chart
}

// implied reads iterations and degrees from the printed times.
func implied(e *verdict.Evidence) report.Table {
	t := Table("Iterations × largest degree that the printed times imply", "#n", "#r", "#even degree 2r/n",
		"BA-Topo, implied", "paper’s method", "ours", "U-EquiStatic, implied", "#its edges")
	ways := func(row string, k int) (text string, degree int) {
		var all []string
		for _, f := range e.Paper.Table1.Implied(row, k) {
			all, degree = append(all, f.String()), f.MaxDegree
		}
		return strings.Join(all, " or "), degree
	}
	for k, n := range e.Paper.Table1.Nodes {
		row := []string{fmt.Sprint(n), fmt.Sprint(budget(e, k)), report.Number(2 * float64(budget(e, k)) / float64(n))}
		printed, _ := ways(paper.BATopo, k)
		row = append(row, printed)
		for _, who := range []verdict.Subject{verdict.Method, verdict.Ours} {
			c := e.Compare(who.Column(), verdict.Time, k)
			row = append(row, spell(c.Missing == "", "%d × %d", c.Ours.Iterations, c.Ours.MaxDegree))
		}
		equi, degree := ways(paper.EquiStatic, k)
		t.Add(append(row, equi, fmt.Sprint(n*degree/2))...)
	}
	return t
}

// draws shows how much U-EquiStatic depends on the draw; rows with the degree that the printed time implies are strong.
func draws(e *verdict.Evidence) report.Table {
	t := Table("U-EquiStatic: r_asym by rule of choice among the connected draws of seeds 0–999 with 2M neighbours", "#n",
		"#printed", "#M", "#edges", "#first", "#median", "#best")
	for k, n := range e.Paper.Table1.Nodes {
		for shifts := 1; shifts < n; shifts++ {
			name := fmt.Sprintf("u-equistatic-m%d-", shifts)
			best, ok := e.Table1.Find(fmt.Sprintf("n=%d/%sbest", n, name))
			if !ok {
				continue
			}
			row := []string{fmt.Sprint(n), string(e.Paper.Table1.RAsym[paper.EquiStatic][k]), fmt.Sprint(shifts), fmt.Sprint(best.Edges)}
			for _, rule := range measure.Rules {
				m, ok := e.Table1.Find(fmt.Sprintf("n=%d/%s%s", n, name, rule))
				row = append(row, spell(ok, "%.4f", m.RAsym))
			}
			t.Rows = append(t.Rows, report.Row{Cells: row, Strong: e.EquiStaticRow(k) == name+"best"})
		}
	}
	return t
}
