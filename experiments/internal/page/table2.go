package page

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"batopo/experiments/internal/paper"
	"batopo/experiments/internal/verdict"
	"batopo/report"
)

// Epochs reads the training times as whole epochs.
func Epochs(e *verdict.Evidence) report.Table {
	titles := []string{"hardware", "topology", "#our m", "m that fits both (epochs)"}
	for _, dataset := range paper.Datasets {
		titles = append(titles, "#"+dataset+", s", "#epochs at our m")
	}
	t := Table("Table II as whole epochs: m = 9.76 GB/s over the slowest edge, by our reading of each topology",
		append(titles, "fits")...)
	for _, one := range e.Topologies() {
		row := []string{one.Scenario, printedName(one.Topology), spell(!math.IsNaN(one.Slowdown), "%.3g", one.Slowdown), common(one)}
		var fit []string
		for _, dataset := range paper.Datasets {
			c := one.Cells[dataset]
			row = append(row, string(c.Seconds), spell(!math.IsNaN(c.Epochs), "%.2f", c.Epochs))
			if c.Whole {
				fit = append(fit, dataset)
			}
		}
		fits := map[int]string{0: "neither", 1: strings.Join(fit, "") + " only", 2: "both"}[len(fit)]
		t.Rows = append(t.Rows, report.Row{Cells: append(row, fits), Strong: fits != "both"})
	}
	return t
}

// common lists the m that turn the times of both data sets into whole epochs or, where there is none, those of each.
func common(t verdict.Topology) string {
	a, b := t.Cells[paper.Datasets[0]].Fits, t.Cells[paper.Datasets[1]].Fits
	var both, alone []string
	for _, m := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[m]; ok {
			both = append(both, fmt.Sprintf("%d (%d, %d)", m, a[m], b[m]))
		}
		alone = append(alone, fmt.Sprintf("%d (%d, —)", m, a[m]))
	}
	for _, m := range slices.Sorted(maps.Keys(b)) {
		alone = append(alone, fmt.Sprintf("%d (—, %d)", m, b[m]))
	}
	if len(both) == 0 {
		return "none; " + strings.Join(alone, ", ")
	}
	return strings.Join(both, " or ")
}

// highest adds what the second reading of BCube gives.
func highest(e *verdict.Evidence) string {
	row, ok := e.Table2.Find("bcube-1to2-highest/paper-r48")
	if !ok {
		return ""
	}
	return fmt.Sprintf(" (solved so: %d edges, m = %.3g)", row.Edges, row.Slowdown)
}

func printedName(topology string) string {
	return strings.NewReplacer("paper-r", "BA-Topo, r=", "u-equistatic-m2", "U-EquiStatic, r=32",
		"u-equistatic-m3", "U-EquiStatic, r=48").Replace(topology)
}

// Speedups judges the factors of the text by the table they come from.
func Speedups(e *verdict.Evidence) report.Table {
	t := Table("Speedups that the text claims, from its own table", "data", "hardware", "topology", "#“at least”",
		"#quotient", "verdict")
	for _, s := range e.Paper.Speedups {
		quotient := e.Paper.Quotient(s)
		t.Add(s.Dataset, s.Scenario, printedName(s.Topology), string(s.AtLeast)+" ×", fmt.Sprintf("%.4f", quotient),
			verdict.SpeedupVerdict(s, quotient))
	}
	return t
}
