package present

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/report"
)

// fewRows is how many alternatives are explained unless all are asked for.
const fewRows = 8

// AdviceTable lists that many candidates with all that is predicted of them, numbered by the time that ranks them.
func AdviceTable(a *advise.Advice, most int) report.Table {
	t := report.Table{Columns: []report.Column{
		{Title: "#", Numeric: true}, {Title: "what"}, {Title: "every"},
		{Title: "ms/round", Numeric: true}, {Title: "ms/iter", Numeric: true}, {Title: countedIn(a), Numeric: true},
		{Title: "progress", Numeric: true}, {Title: "pessimistic", Numeric: true}, {Title: "note"},
	}}
	decimals := 1
	if a.Recommended.PredictedMS < 10 { // else alternatives would all read 1.2
		decimals = 2
	}
	for _, c := range append(listed(a, most), a.Unmeasured...) {
		epochs := fixed(c.Epochs, 2)
		if len(c.Outside) > 0 {
			epochs += "?"
		}
		cells := []string{fmt.Sprint(a.Row(c)), rowText(c), when(c), inColumn(c.CommunicationMS, 2),
			inColumn(c.IterationMS, 2), epochs, inColumn(c.PredictedMS, decimals), inColumn(c.PessimisticMS, decimals), ""}
		strong, note := false, &cells[8]
		switch {
		case c.Unmeasured != "":
			cells = append(cells[:5], "–", "–", "–", "not measured")
			cells[0] = "–" // and cannot be chosen
		case c.Name == a.Recommended.Name && a.Instead != nil:
			*note, strong = "chosen", true
		case c.Name == a.Recommended.Name || a.Instead != nil && c.Name == a.Instead.Name:
			*note, strong = "recommended", true
		case c.Tied:
			*note = "tie"
		}
		t.Rows = append(t.Rows, report.Row{Cells: cells, Strong: strong})
	}
	return t
}

// when says after how many steps a round runs, and whether it overlaps with compute.
func when(c advise.Candidate) string {
	switch {
	case c.Kind == advise.Alone:
		return "–"
	case c.Kind.Gradients():
		return "backward"
	case c.Overlap:
		return fmt.Sprintf("%d overlap", c.Every)
	case c.Clocks != nil && c.Clocks.DelaySteps > 0:
		return fmt.Sprintf("%d, late %d", c.Every, c.Clocks.DelaySteps)
	}
	return fmt.Sprint(c.Every)
}

// columnNotes say what the columns of the table mean.
func columnNotes(a *advise.Advice, most int) []string {
	rows, outside := listed(a, most), ""
	if slices.ContainsFunc(rows, func(c advise.Candidate) bool { return len(c.Outside) > 0 }) {
		outside = "; ? is outside of what was measured"
	}
	notes := []string{
		"#: the row, for --choose. every: steps between averages; overlap: with the compute of one step; backward: " +
			"in buckets, overlapped with the backward pass.",
		"ms/round: until the slowest node is done, on average. ms/iter: an iteration with its compute.",
		epochsText(a, outside),
		fmt.Sprintf("progress: ms/iter × %s, the time per unit of progress. pessimistic: the same with links "+
			"%.0f %% slower and %s. Rows are numbered by it.", countedIn(a), 100*(advise.SlowerLinks-1), worse(a)),
	}
	if best := a.Recommended; a.Instead == nil && a.Row(best) > 1 {
		notes = append(notes, "Rows before the recommended one are hardly faster, and less simple.")
	}
	return notes
}

// countedIn is what the relative cost of averaging less is counted in.
func countedIn(a *advise.Advice) string {
	if a.Setting.Optimizer == advise.AdamW {
		return "steps"
	}
	return "epochs"
}

// unitOf is the same of one candidate.
func unitOf(a *advise.Advice, c advise.Candidate) string {
	if c.Kind == advise.Accumulated {
		return "batches"
	}
	return countedIn(a)
}

func epochsText(a *advise.Advice, outside string) string {
	if a.Setting.Optimizer == advise.AdamW {
		return "steps: to the same final loss, where DistributedDataParallel at its best learning rate needs 1.00."
	}
	return "epochs: passes over the data until the same accuracy, where exact averaging of all nodes in every step " +
		"needs 1.00" + outside + "."
}

// worse is how relative epochs or steps are taken where they disappoint.
func worse(a *advise.Advice) string {
	if a.Setting.Optimizer == advise.AdamW {
		return "steps at the upper end of their 95 % interval"
	}
	return "epochs one standard error higher"
}
