package main

import (
	"fmt"
	"math"
	"strings"

	"batopo/experiments/internal/measure"
	"batopo/experiments/internal/paper"
	"batopo/experiments/internal/verdict"
	"batopo/report"
)

// table1 shows r_asym and time over the number of nodes.
func table1(e *verdict.Evidence) ([]report.Section, error) {
	if len(e.Table1.Rows) == 0 {
		return nil, nil
	}
	rates, err := picture("table1-rate", "Asymptotic convergence factor over the number of nodes, with half the degree sum of the exponential graph as edge budget.",
		overNodes(e, "r_asym", "", e.Paper.Table1.RAsym, verdict.Rate))
	if err != nil {
		return nil, err
	}
	times, err := picture("table1-time", "Time to consensus error 10⁻⁴ over the number of nodes.",
		overNodes(e, "time to error 10⁻⁴", "ms", e.Paper.Table1.TimeMS, verdict.Time))
	if err != nil {
		return nil, err
	}
	return []report.Section{{Heading: "Table I: factor and time over the number of nodes", Blocks: []report.Block{
		report.Paragraph("Budget r = n⌈log₂ n⌉/2. Printed values stand beside ours; times are iterations × rounds of the slowest edge, with the first k at which ‖Wᵏ − J‖_F ≤ 10⁻⁴, " +
			"and behind the slash the same from 1000 simulated Gaussian starts. U-EquiStatic is random: M shifts drawn as published, the best of 1000 seeds, M as the printed time implies. " +
			"The paper’s method has its linear step in closed form" + printedSolver(e) + ". Ours is the better of two searches: at most r edges, and besides at most ⌈2r/n⌉ of them at a node."),
		rateTable(e), timeTable(e), rates, times,
		report.Paragraph("What the printed times imply. A time is iterations × largest degree × 5.01 ms; with the printed factor only one product fits. From n = 16 on, BA-Topo’s largest degree exceeds the even share 2r/n: " +
			"its graphs are irregular, and the busiest node slows every round. U-EquiStatic has more edges than the text says."),
		impliedTable(e), equiTable(e)}}}, nil
}

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

// column is one topology of Table I.
type column struct {
	title   string
	theirs  string // title of the printed column
	printed string // row of the paper, "" for none
	find    func(k, n int, value func(measure.Measurement) float64) (measure.Measurement, bool)
}

func columns(e *verdict.Evidence) []column {
	type value = func(measure.Measurement) float64
	solved := func(who verdict.Subject) func(int, int, value) (measure.Measurement, bool) {
		return func(_, n int, v value) (measure.Measurement, bool) {
			m, err := e.Solved(who, n, v)
			return m, err == nil
		}
	}
	return []column{
		{"exp.", "exp., printed", paper.Exponential, func(_, n int, _ value) (measure.Measurement, bool) {
			return e.Table1.Find(fmt.Sprintf("n=%d/exponential", n))
		}},
		{"U-Equi", "U-Equi, printed", paper.EquiStatic, func(k, n int, _ value) (measure.Measurement, bool) {
			return e.Table1.Find(fmt.Sprintf("n=%d/%s", n, e.EquiStaticRow(k)))
		}},
		{"paper’s method", "BA-Topo, printed", paper.BATopo, solved(verdict.Method)},
		{"ours", "", "", solved(verdict.Ours)},
	}
}

func rateTable(e *verdict.Evidence) report.Table {
	t := report.Table{Caption: "Asymptotic convergence factor r_asym", Columns: []report.Column{{Title: "n", Numeric: true}, {Title: "r", Numeric: true}}}
	list := columns(e)
	for _, c := range list {
		if c.printed != "" {
			t.Columns = append(t.Columns, report.Column{Title: c.theirs, Numeric: true})
		}
		t.Columns = append(t.Columns, report.Column{Title: c.title, Numeric: true})
	}
	t.Columns = append(t.Columns, report.Column{Title: "bound", Numeric: true}, report.Column{Title: "gap", Numeric: true})
	for k, n := range e.Paper.Table1.Nodes {
		row := []string{fmt.Sprint(n), ""}
		for _, c := range list {
			if c.printed != "" {
				row = append(row, fmt.Sprintf("%.2f", e.Paper.Table1.RAsym[c.printed][k]))
			}
			m, ok := c.find(k, n, verdict.Rate)
			row = append(row, spell(ok, "%.4f", m.RAsym))
			if ok && c.printed == paper.Exponential {
				row[1] = fmt.Sprint(m.Edges)
			}
		}
		bound, ours := lowerBound(e, n), math.NaN()
		if m, ok := list[len(list)-1].find(k, n, verdict.Rate); ok {
			ours = m.RAsym
		}
		row = append(row, spell(!math.IsNaN(bound), "%.4f", bound), spell(!math.IsNaN(bound+ours), "%.1f %%", 100*(ours/bound-1)))
		t.Add(row...)
	}
	return t
}

func timeTable(e *verdict.Evidence) report.Table {
	t := report.Table{Caption: "Time to consensus error 10⁻⁴ in ms: computed / simulated", Columns: []report.Column{{Title: "n", Numeric: true}}}
	list := columns(e)
	for _, c := range list {
		if c.printed != "" {
			t.Columns = append(t.Columns, report.Column{Title: c.theirs, Numeric: true})
		}
		t.Columns = append(t.Columns, report.Column{Title: c.title, Numeric: true})
	}
	t.Columns = append(t.Columns, report.Column{Title: "printed / ours", Numeric: true})
	for k, n := range e.Paper.Table1.Nodes {
		row := []string{fmt.Sprint(n)}
		var last measure.Measurement
		for _, c := range list {
			if c.printed != "" {
				row = append(row, fmt.Sprintf("%.0f", e.Paper.Table1.TimeMS[c.printed][k]))
			}
			m, ok := c.find(k, n, verdict.Time)
			row = append(row, spell(ok, "%.0f / %.0f", m.TimeMS, m.SimulatedMS))
			last = m
		}
		t.Add(append(row, spell(last.TimeMS > 0, "%.2f ×", e.Paper.Table1.TimeMS[paper.BATopo][k]/last.TimeMS))...)
	}
	return t
}

// lowerBound is what is proved for the budget of n nodes; NaN where it was not computed.
func lowerBound(e *verdict.Evidence, n int) float64 {
	if m, ok := e.Table1.Find(fmt.Sprintf("n=%d/auto", n)); ok && m.Bound != nil {
		return *m.Bound
	}
	return math.NaN()
}

func spell(ok bool, format string, values ...any) string {
	if !ok {
		return "—"
	}
	return fmt.Sprintf(format, values...)
}

// overNodes draws one quantity of every topology over n.
func overNodes(e *verdict.Evidence, label, unit string, printed map[string][]float64, value func(measure.Measurement) float64) report.LineChart {
	chart := report.LineChart{
		Text: report.Text{Title: label + " over the number of nodes", Subtitle: "n equal nodes, at most n⌈log₂ n⌉/2 edges (exponential: directed, U-EquiStatic: more edges). Printed: Table I of the paper."},
		X:    report.Axis{Label: "nodes", Log: true},
		Y:    report.Axis{Label: label, Unit: unit},
	}
	for _, n := range e.Paper.Table1.Nodes {
		chart.X.At = append(chart.X.At, float64(n))
	}
	add := func(name string, strong bool, at func(k, n int) float64) {
		s := report.Series{Name: name, Strong: strong}
		for k, n := range e.Paper.Table1.Nodes {
			if v := at(k, n); !math.IsNaN(v) {
				s.X, s.Y = append(s.X, float64(n)), append(s.Y, v)
			}
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	of := func(c column) func(k, n int) float64 {
		return func(k, n int) float64 {
			if m, ok := c.find(k, n, value); ok {
				return value(m)
			}
			return math.NaN()
		}
	}
	list := columns(e)
	add("exponential", false, of(list[0]))
	add("U-EquiStatic, printed", false, func(k, _ int) float64 { return printed[paper.EquiStatic][k] })
	add("BA-Topo, printed", false, func(k, _ int) float64 { return printed[paper.BATopo][k] })
	add("paper’s method", false, of(list[2]))
	add("ours", true, of(list[3]))
	if unit == "" {
		add("lower bound", false, func(_, n int) float64 { return lowerBound(e, n) })
	}
	return chart
}

// impliedTable reads iterations and degrees from the printed times.
func impliedTable(e *verdict.Evidence) report.Table {
	t := report.Table{Caption: "Iterations × largest degree that the printed times imply", Columns: []report.Column{{Title: "n", Numeric: true}, {Title: "r", Numeric: true}, {Title: "even degree 2r/n", Numeric: true},
		{Title: "BA-Topo, implied"}, {Title: "paper’s method"}, {Title: "ours"}, {Title: "U-EquiStatic, implied"}, {Title: "its edges", Numeric: true}}}
	for k, n := range e.Paper.Table1.Nodes {
		budget, _ := e.Table1.Find(fmt.Sprintf("n=%d/exponential", n))
		method, okMethod := e.Table1.Find(fmt.Sprintf("n=%d/admm", n))
		ours, errOurs := e.Solved(verdict.Ours, n, verdict.Time)
		equi := e.Paper.Table1.Implied(paper.EquiStatic, k)
		edges := ""
		if len(equi) == 1 {
			edges = fmt.Sprint(n * equi[0].MaxDegree / 2)
		}
		t.Add(fmt.Sprint(n), fmt.Sprint(budget.Edges), report.Number(2*float64(budget.Edges)/float64(n)), ways(e.Paper.Table1.Implied(paper.BATopo, k)),
			spell(okMethod, "%d × %d", method.Iterations, method.MaxDegree), spell(errOurs == nil, "%d × %d", ours.Iterations, ours.MaxDegree), ways(equi), edges)
	}
	return t
}

func ways(list []paper.Factor) string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%d × %d", f.Iterations, f.MaxDegree))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, " or ")
}

// equiTable shows how much U-EquiStatic depends on the draw.
func equiTable(e *verdict.Evidence) report.Table {
	t := report.Table{Caption: "U-EquiStatic: r_asym by rule of choice among the connected draws of seeds 0–999 with 2M neighbours", Columns: []report.Column{{Title: "n", Numeric: true}, {Title: "printed", Numeric: true},
		{Title: "M", Numeric: true}, {Title: "edges", Numeric: true}, {Title: "first", Numeric: true}, {Title: "median", Numeric: true}, {Title: "best", Numeric: true}}}
	for k, n := range e.Paper.Table1.Nodes {
		for shifts := 1; shifts < n; shifts++ {
			row := []string{fmt.Sprint(n), fmt.Sprintf("%.2f", e.Paper.Table1.RAsym[paper.EquiStatic][k]), fmt.Sprint(shifts), ""}
			found := false
			for _, rule := range measure.Rules {
				m, ok := e.Table1.Find(fmt.Sprintf("n=%d/u-equistatic-m%d-%s", n, shifts, rule))
				found = found || ok
				row = append(row, spell(ok, "%.4f", m.RAsym))
				row[3] = fmt.Sprint(m.Edges)
			}
			if !found {
				continue
			}
			if e.EquiStaticRow(k) == fmt.Sprintf("u-equistatic-m%d-best", shifts) {
				t.AddStrong(row...)
			} else {
				t.Add(row...)
			}
		}
	}
	return t
}
