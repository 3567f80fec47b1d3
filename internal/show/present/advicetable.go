package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/show/report"
)

// FewRows is how many alternatives are shown unless all are asked for.
const FewRows = 8

// shown are the best candidates, the best of every kind and those that the sentences name. They are grouped by kind,
// the kind of the answer first.
func shown(a *advise.Advice, most int) []advise.Candidate {
	named := []string{a.Recommended.Name}
	if a.Instead != nil {
		named = append(named, a.Instead.Name)
	}
	for _, kind := range []advise.Kind{advise.DDP, advise.HalfDDP, advise.Hook} {
		if c := a.Of(kind); c != nil {
			named = append(named, c.Name)
		}
	}
	var out, rest []advise.Candidate
	kinds := []string{kindText(a.Recommended.Kind)} // in the order of the table
	for _, c := range a.All {
		again := slices.Contains(kinds, kindText(c.Kind))
		if !again {
			kinds = append(kinds, kindText(c.Kind))
		}
		if !again || slices.Contains(named, c.Name) {
			out = append(out, c)
		} else {
			rest = append(rest, c)
		}
	}
	out = append(out, rest[:min(len(rest), max(0, most-len(out)))]...)
	slices.SortStableFunc(out, func(x, y advise.Candidate) int {
		group := func(c advise.Candidate) int { return slices.Index(kinds, kindText(c.Kind)) }
		return cmp.Or(group(x)-group(y), a.Row(x)-a.Row(y))
	})
	return out
}

// kindText is what a kind is called in the table.
func kindText(k advise.Kind) string {
	switch {
	case strings.HasPrefix(string(k), string(advise.DDP)):
		return "DDP"
	case k == advise.Collective:
		return "all-reduce"
	case k == advise.TwoLevel:
		return "hierarchy"
	case k == advise.TwoClocks:
		return "local SGD"
	case k == advise.Static:
		return "graph"
	case k == advise.Scheduled:
		return "schedule"
	}
	return string(k)
}

// onceEach leaves only the first of equal kinds, as a terminal shows them. On a phone every row needs its own.
func onceEach(t report.Table) report.Table {
	kind := ""
	for _, row := range t.Rows {
		if row.Cells[1] == kind {
			row.Cells[1] = ""
		} else {
			kind = row.Cells[1]
		}
	}
	return t
}

// AdviceTable lists that many choices, grouped by kind. Rows are numbered by the time that ranks them. It fits 120
// columns of a terminal.
func AdviceTable(a *advise.Advice, most int) report.Table {
	t := report.Table{Columns: []report.Column{
		{Title: "#", Numeric: true}, {Title: "kind"}, {Title: "what"}, {Title: "every"},
		{Title: "ms/round", Numeric: true}, {Title: "ms/iter", Numeric: true}, {Title: countedIn(a), Numeric: true},
		{Title: "progress", Numeric: true}, {Title: "pessimistic", Numeric: true}, {Title: "note"},
	}}
	decimals := 1
	if a.Recommended.PredictedMS < 10 { // else alternatives would all read 1.2
		decimals = 2
	}
	for _, c := range append(shown(a, most), a.Unmeasured...) {
		epochs := fixed(c.Epochs, 2)
		if len(c.Outside) > 0 {
			epochs += "?"
		}
		cells := []string{fmt.Sprint(a.Row(c)), kindText(c.Kind), rowName(c), when(c), inColumn(c.CommunicationMS, 2),
			inColumn(c.IterationMS, 2), epochs, inColumn(c.PredictedMS, decimals), inColumn(c.PessimisticMS, decimals), ""}
		if c.Unmeasured != "" {
			cells = append(cells[:6], "–", "–", "–", "not measured")
			cells[0] = "–" // and cannot be chosen
		}
		strong := true
		switch note := &cells[len(cells)-1]; {
		case c.Unmeasured != "":
			strong = false
		case c.Name == a.Recommended.Name && a.Instead != nil:
			*note = "chosen"
		case c.Name == a.Recommended.Name || a.Instead != nil && c.Name == a.Instead.Name:
			*note = mark(a)
		case c.Tied:
			*note, strong = "tie", false
		default:
			strong = false
		}
		if strong {
			t.AddStrong(cells...)
		} else {
			t.Add(cells...)
		}
	}
	return t
}

// rowName is what a candidate is called beside its kind.
func rowName(c advise.Candidate) string {
	if c.Kind.Gradients() {
		name := strings.TrimPrefix(strings.TrimPrefix(c.Name, "DDP, "), "DistributedDataParallel")
		if c.Accumulate > 1 {
			name += fmt.Sprintf(" × %d", c.Accumulate)
		}
		if c.BucketMB == cost.BucketMB && name != "" {
			return name
		}
		return strings.TrimPrefix(fmt.Sprintf("%s, %s MB buckets", name, short(c.BucketMB)), ", ")
	}
	name := c.Name
	for _, kind := range []string{"parameter averaging, ", "hierarchical, ", "static graph, ", "local SGD between ",
		"DistributedDataParallel, "} {
		name = strings.TrimPrefix(name, kind)
	}
	name = strings.Replace(name, "one-peer schedule over ", "one-peer, ", 1)
	if between, groups, some := strings.Cut(name, " between "); some {
		name = between + ", " + strings.Replace(groups, " groups of ", " × ", 1) + " nodes"
	}
	return strings.TrimSuffix(name, " between")
}

// when says after how many steps a round runs, and whether it overlaps with compute.
func when(c advise.Candidate) string {
	switch {
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
	rows, outside := shown(a, most), ""
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
		which := "recommended one"
		if leaves(a) {
			which = onAll
		}
		notes = append(notes, "Rows before the "+which+" are hardly faster, and less simple.")
	}
	if more := len(a.All) - len(rows); more > 0 {
		notes = append(notes, inflected(more, "row more: --all shows it.", "rows more: --all shows them.")+
			" --choose ROW writes the plan of another row.")
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
