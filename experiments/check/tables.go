package main

import (
	"fmt"
	"math"
	"strings"

	"batopo/experiments/internal/verdict"
	"batopo/report"
)

func numbers(e *verdict.Evidence) report.Table {
	t := report.Table{Caption: "Table I", Columns: []report.Column{{Title: "number"}, {Title: "theirs", Numeric: true}, {Title: "ours", Numeric: true}, {Title: "difference", Numeric: true}, {Title: "verdict"}}}
	for _, c := range e.Comparisons() {
		digits := 4
		if c.Half >= 0.5 {
			digits = 1
		}
		ours, difference := "", ""
		if c.Missing == "" {
			ours, difference = fmt.Sprintf("%.*f", digits, c.Ours), fmt.Sprintf("%+.*f", digits, c.Difference())
		}
		t.Add(c.Item, fmt.Sprint(c.Theirs), ours, difference, c.Verdict())
	}
	return t
}

func cells(e *verdict.Evidence) report.Table {
	t := report.Table{Caption: "Table II: times as whole epochs", Columns: []report.Column{{Title: "data"}, {Title: "hardware"}, {Title: "topology"}, {Title: "seconds", Numeric: true},
		{Title: "our m", Numeric: true}, {Title: "epochs", Numeric: true}, {Title: "whole"}, {Title: "m × epochs that fit"}}}
	for _, c := range e.Cells() {
		var fits []string
		for _, f := range c.Fits {
			fits = append(fits, fmt.Sprintf("%d × %d", f.Slowdown, f.Epochs))
		}
		slowdown, epochs, whole := "", "", ""
		if !math.IsNaN(c.Slowdown) {
			slowdown, epochs = fmt.Sprintf("%.3g", c.Slowdown), fmt.Sprintf("%.2f", c.Epochs)
			whole = map[bool]string{true: "yes", false: "no"}[c.Whole]
		}
		t.Add(c.Dataset, c.Scenario, c.Topology, string(c.Seconds), slowdown, epochs, whole, strings.Join(fits, ", "))
	}
	return t
}

func quotients(e *verdict.Evidence) report.Table {
	t := report.Table{Caption: "Speedups that the text claims, from its own Table II", Columns: []report.Column{{Title: "data"}, {Title: "hardware"}, {Title: "topology"},
		{Title: "at least", Numeric: true}, {Title: "quotient", Numeric: true}, {Title: "verdict"}}}
	for _, q := range e.Quotients() {
		verdict := "holds"
		if q.Value < q.AtLeast.Value() {
			verdict = "fails"
			if q.AtLeast.Prints(q.Value) {
				verdict = "rounded up"
			}
		}
		t.Add(q.Dataset, q.Scenario, q.Topology, string(q.AtLeast), fmt.Sprintf("%.4f", q.Value), verdict)
	}
	return t
}
