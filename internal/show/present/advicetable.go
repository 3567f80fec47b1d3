package present

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/report"
)

// mostRows is how many choices are shown.
const mostRows = 10

// shown are the best candidates; the rivals that the sentence names are always among them.
func shown(a *advise.Advice) []advise.Candidate {
	must := func(c advise.Candidate) bool {
		return c.Name == a.Recommended.Name || a.DDP != nil && c.Name == a.DDP.Name ||
			a.BestStatic != nil && c.Name == a.BestStatic.Name
	}
	left := mostRows
	for _, c := range a.All {
		if must(c) {
			left--
		}
	}
	var out []advise.Candidate
	exact := false // one exact average of models says it all
	for _, c := range a.All {
		again := c.Kind == advise.Collective && exact
		if must(c) || left > 0 && !again {
			out = append(out, c)
			exact = exact || c.Kind == advise.Collective
			if !must(c) {
				left--
			}
		}
	}
	return out
}

// AdviceTable lists the best choices, in the order of the time that ranks them. It fits 120 columns of a terminal.
func AdviceTable(a *advise.Advice) report.Table {
	t := report.Table{Columns: []report.Column{
		{Title: "what"}, {Title: "when"}, {Title: "ms/round", Numeric: true}, {Title: "ms/iter", Numeric: true},
		{Title: countedIn(a), Numeric: true}, {Title: "effective", Numeric: true}, {Title: "cautious", Numeric: true},
		{Title: "note"},
	}}
	decimals := 1
	if a.Recommended.PredictedMS < 10 { // else rivals would all read 1.2
		decimals = 2
	}
	for _, c := range shown(a) {
		epochs := fixed(c.Epochs, 2)
		if len(c.Outside) > 0 {
			epochs += "?"
		}
		cells := []string{rowName(c), when(c), inColumn(c.CommunicationMS, 2), inColumn(c.IterationMS, 2), epochs,
			inColumn(c.PredictedMS, decimals), inColumn(c.CautiousMS, decimals)}
		switch {
		case c.Name == a.Recommended.Name:
			t.AddStrong(append(cells, "recommended")...)
		case c.Tied:
			t.Add(append(cells, "tie")...)
		default:
			t.Add(append(cells, "")...)
		}
	}
	return t
}

// rowName is what a candidate is called in the table. Groups say themselves that there are two levels.
func rowName(c advise.Candidate) string {
	switch {
	case c.Kind == advise.DDP:
		return fmt.Sprintf("%s, %s MB buckets", c.Name, short(c.BucketMB))
	case strings.Contains(c.Name, " groups of "):
		return strings.TrimPrefix(c.Name, "two levels, ")
	}
	return c.Name
}

// when says in which steps a round runs, and whether beside the gradient of the step or after it.
func when(c advise.Candidate) string {
	switch {
	case c.Kind == advise.DDP:
		return "backward"
	case c.Overlap:
		return fmt.Sprintf("beside %d", c.Every)
	case c.Clocks != nil && c.Clocks.DelaySteps > 0:
		return fmt.Sprintf("after %d, late %d", c.Every, c.Clocks.DelaySteps)
	}
	return fmt.Sprintf("after %d", c.Every)
}

// columnNotes say what the columns of the table mean.
func columnNotes(a *advise.Advice) []string {
	outside := ""
	if slices.ContainsFunc(shown(a), func(c advise.Candidate) bool { return len(c.Outside) > 0 }) {
		outside = "; ? is outside of what the law was fitted to"
	}
	order := "the table is in its order."
	if shown(a)[0].Name != a.Recommended.Name {
		order += " What is recommended is simpler than what stands above it, and hardly slower."
	}
	return []string{
		"when: a round in every so many steps, beside the gradient of that one step (cta) or after it (atc); the buckets " +
			"of an all-reduce in the backward pass.",
		"ms/round: until the last node is done, the mean over a period. ms/iter: an iteration, computing included.",
		epochsText(a, outside),
		fmt.Sprintf("effective: ms/iter × %s. cautious: the same with links %.0f %% slower and %s; %s", countedIn(a),
			100*(advise.SlowerLinks-1), worse(a), order),
	}
}

// countedIn is what the relative cost of averaging less is counted in.
func countedIn(a *advise.Advice) string {
	if a.Setting.Optimizer == advise.AdamW {
		return "steps"
	}
	return "epochs"
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
	return "epochs one error of the law worse"
}
