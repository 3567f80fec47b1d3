package main

import (
	"fmt"
	"math"
	"strings"

	"batopo/experiments/internal/paper"
	"batopo/experiments/internal/verdict"
	"batopo/report"
)

// table2 reads the training times as whole epochs.
func table2(e *verdict.Evidence) ([]report.Section, error) {
	if len(e.Table2.Rows) == 0 {
		return nil, nil
	}
	t := report.Table{Caption: "Table II as whole epochs: m = 9.76 GB/s over the slowest edge, by our reading of each topology", Columns: []report.Column{{Title: "hardware"}, {Title: "topology"}, {Title: "our m", Numeric: true}, {Title: "m that fits both (epochs)"}}}
	for _, dataset := range paper.Datasets {
		t.Columns = append(t.Columns, report.Column{Title: dataset + ", s", Numeric: true}, report.Column{Title: "epochs at our m", Numeric: true})
	}
	t.Columns = append(t.Columns, report.Column{Title: "fits"})
	cells := map[string]verdict.Cell{}
	for _, c := range e.Cells() {
		cells[c.Dataset+"/"+c.Scenario+"/"+c.Topology] = c
	}
	whole, all := e.WholeEpochs()
	for _, c := range e.Cells() {
		if c.Dataset != paper.Datasets[0] {
			continue
		}
		twin := cells[paper.Datasets[1]+"/"+c.Scenario+"/"+c.Topology]
		row := []string{c.Scenario, printedName(c.Topology), slowdown(c), common(c, twin), string(c.Seconds), epochs(c), string(twin.Seconds), epochs(twin), fits(c, twin)}
		if c.Whole && twin.Whole {
			t.Add(row...)
		} else {
			t.AddStrong(row...)
		}
	}
	return []report.Section{{Heading: "Table II without training: times as whole numbers of epochs", Blocks: []report.Block{
		report.Paragraph(fmt.Sprintf("The printed seconds are E·(0.49·m + 1.49) at 16 nodes and twice that at 8: E whole epochs of 98 (196) iterations, communication and computation of an epoch each rounded to 10 ms. "+
			"So the two times of a topology tell its slowest edge, which the table has as the m that fits both. %d of %d cells fit the m of our reading; those that do not are in the strong rows.", whole, all)),
		t, quotientTable(e),
		report.Paragraph("BCube with 48 edges: as the text has it (candidates share a switch, at most p − 1 = 3 edges per port) all 48 candidates are used and m = 6, which fits no whole number of epochs in either data set. " +
			"The times fit m = 4. That needs port loads (2, 4), which the cap forbids; it is possible if any pair may be an edge and loads only the ports of the highest layer in which its servers differ" + highest(e) + "."),
	}}}, nil
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
	if r, ours := strings.CutPrefix(topology, "paper-r"); ours {
		return "BA-Topo, r=" + r
	}
	return strings.NewReplacer("u-equistatic-m2", "U-EquiStatic, r=32", "u-equistatic-m3", "U-EquiStatic, r=48").Replace(topology)
}

func slowdown(c verdict.Cell) string {
	if math.IsNaN(c.Slowdown) {
		return "—"
	}
	return fmt.Sprintf("%.3g", c.Slowdown)
}

func epochs(c verdict.Cell) string {
	if math.IsNaN(c.Epochs) {
		return "—"
	}
	return fmt.Sprintf("%.2f", c.Epochs)
}

// common lists the m that turn the times of both data sets into whole epochs.
func common(a, b verdict.Cell) string {
	var out []string
	for _, f := range a.Fits {
		for _, g := range b.Fits {
			if f.Slowdown == g.Slowdown {
				out = append(out, fmt.Sprintf("%d (%d, %d)", f.Slowdown, f.Epochs, g.Epochs))
			}
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, " or ")
}

func fits(a, b verdict.Cell) string {
	switch {
	case a.Whole && b.Whole:
		return "both"
	case a.Whole:
		return a.Dataset + " only"
	case b.Whole:
		return b.Dataset + " only"
	}
	return "neither"
}

func quotientTable(e *verdict.Evidence) report.Table {
	t := report.Table{Caption: "Speedups that the text claims, from its own table", Columns: []report.Column{{Title: "data"}, {Title: "hardware"}, {Title: "topology"}, {Title: "“at least”", Numeric: true}, {Title: "quotient", Numeric: true}}}
	for _, q := range e.Quotients() {
		t.Add(q.Dataset, q.Scenario, printedName(q.Topology), string(q.AtLeast)+" ×", fmt.Sprintf("%.4f", q.Value))
	}
	return t
}
