package present

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/launch"
	"github.com/batopo/batopo/internal/show/report"
)

// An Answer is what is shown of an advice first, in this order, wherever it is shown: in a terminal, in the report, on
// the page and in JSON.
type Answer struct {
	Headline   string     `json:"headline"` // what to run, and where
	Speed      string     `json:"speed"`    // ms a step, and compared with plain DDP
	Why        string     `json:"why"`
	Confidence Confidence `json:"confidence"`
	Basis      string     `json:"confidence_basis"`   // the runs behind it
	Assumed    string     `json:"assumed"`            // the model that times are for
	Cautions   []string   `json:"cautions,omitempty"` // what to look at before running it
	MemoryGB   float64    `json:"memory_gb"`          // of a GPU, without activations
	Start      string     `json:"start"`              // starts the ranks of the K-th host
	Python     []string   `json:"python"`             // for the training script
}

// A Confidence says in one word how sure the steps of an answer are. Times are computed either way.
type Confidence string

// The words.
const (
	Certain      Confidence = "certain"      // nothing is predicted about training
	Measured     Confidence = "measured"     // runs were like it
	Extrapolated Confidence = "extrapolated" // no run was like it
)

// NewAnswer is the answer of an advice whose plan is, or would be, in that file.
func NewAnswer(c *cluster.Cluster, a *advise.Advice, file string) Answer {
	out := Answer{Headline: headline(c, a), Speed: speedText(a), Why: reason(c, a), Assumed: modelText(c, a),
		Cautions: cautions(c, a), MemoryGB: a.NeedsGB(c), Start: launch.Torchrun(launch.Hosts(c, a)),
		Python: launch.Python(a.Recommended, a.Setting.Momentum, file)}
	out.Confidence, out.Basis = sure(c, a)
	return out
}

// inShort spells DistributedDataParallel as everybody does.
func inShort(text string) string { return strings.ReplaceAll(text, "DistributedDataParallel", "DDP") }

// headline is what to run, and on which machines.
func headline(c *cluster.Cluster, a *advise.Advice) string {
	what, where := runText(a.Recommended), fmt.Sprintf("all %d nodes", c.Nodes())
	if s := a.Leave(); s != nil {
		where = fmt.Sprintf("%d of %d nodes", len(s.Keep), c.Nodes())
		if a.Recommended.Whole {
			where += " with the whole batch"
		}
		where += ": " + strings.Replace(s.Where(), "without ", "leave out ", 1)
	}
	if a.Recommended.Shares != nil {
		what += " with batches by speed"
	}
	if strings.Contains(what, ",") {
		what += ","
	}
	return fmt.Sprintf("Run %s on %s.", what, where)
}

// runText is what a headline says of a candidate.
func runText(c advise.Candidate) string {
	text := inShort(candidateText(c))
	if c.Kind == advise.TwoClocks { // whose text is long
		text = fmt.Sprintf("%s, every %d steps%s", c.Name, c.Every, timingText(c))
	}
	return strings.NewReplacer(", averaging every", ", every", ", overlapped with compute", ", overlapped",
		" of a static graph", "").Replace(text)
}

// speedText is how long a step takes, and how much faster that is than plain DDP and than the best simple alternative.
func speedText(a *advise.Advice) string {
	r := a.Recommended
	say := report.Time(r.IterationMS) + " a step"
	if r.Tried {
		say += ", measured"
	}
	if r.Kind == advise.Accumulated {
		say = fmt.Sprintf("%s a batch, %d batches a step", report.Time(r.IterationMS), r.Accumulate)
	}
	if r.Epochs != 1 {
		say += fmt.Sprintf(", %s times the %s", fixed(r.Epochs, 2), unitOf(a, r))
	}
	if a.DDP == nil {
		return say + "."
	}
	if r.Name == a.DDP.Name {
		return say + ": plain DDP."
	}
	say += ": " + gainText(r, *a.DDP, fmt.Sprintf("plain DDP (%s)", report.Time(a.DDP.IterationMS)))
	if best := a.BestSimple(); best.Name != a.DDP.Name && best.Name != r.Name {
		say += ", " + gainText(r, *best, fmt.Sprintf("%s (%s)", rowText(*best), report.Time(best.IterationMS)))
	}
	return say + "."
}

// gainText compares predicted times to the same accuracy, with the error of both.
func gainText(r, other advise.Candidate, name string) string {
	ratio, error := other.PredictedMS/r.PredictedMS, math.Exp(math.Hypot(r.Deviation, other.Deviation))
	times := fixed(ratio, 2)
	if r.Epochs == other.Epochs { // nothing but times is compared
		error = 1
	}
	switch {
	case error > 1 && ratio <= error && ratio >= 1/error:
		return fmt.Sprintf("%s times as fast as %s, a tie", times, name)
	case times == "1.00":
		return "as fast as " + name
	}
	return fmt.Sprintf("%s times as fast as %s", times, name)
}

// sure is how sure the steps of an answer are, and which runs are behind that.
func sure(c *cluster.Cluster, a *advise.Advice) (Confidence, string) {
	r, unit := a.Recommended, countedIn(a)
	millions := c.Model().Parameters / 1e6
	run := float64(r.RunParameters) / 1e6
	switch {
	case r.On != nil && !r.Whole && r.RunParameters == 0:
		return Extrapolated, "the " + unit + " of a smaller batch are taken in proportion to it"
	case r.Kind.Gradients() && r.Numerics != "":
		return Extrapolated, "no run measured what rounding gradients costs"
	case r.Epochs == 1 && r.Deviation == 0:
		return Certain, "training is unchanged, times are computed"
	case len(r.Outside) > 0:
		return Extrapolated, "outside of the runs: " + strings.Split(r.Outside[0], " (")[0]
	case a.Setting.Optimizer != advise.AdamW:
		return Measured, unit + " by a model fitted to runs of ResNet-18"
	}
	const longer = 2 // times the steps of runs are no longer like them
	reach := fmt.Sprintf("%s from runs of a GPT of %.1f M parameters and %d steps", unit, run, r.RunLength)
	var beyond []string
	if millions > run {
		beyond = append(beyond, short(millions)+" M")
	}
	if a.Setting.Steps > longer*r.RunLength || 0 < a.Setting.Steps && a.Setting.Steps*longer < r.RunLength {
		beyond = append(beyond, fmt.Sprintf("%d steps", a.Setting.Steps))
	}
	if len(beyond) == 0 {
		return Measured, reach
	}
	return Extrapolated, reach + " to " + strings.Join(beyond, " and ")
}

// cautions are what to look at before running an answer, the gravest first.
func cautions(c *cluster.Cluster, a *advise.Advice) (say []string) {
	r := a.Recommended
	note := func(when bool, format string, values ...any) {
		if when {
			say = append(say, fmt.Sprintf(format, values...))
		}
	}
	say = append(say, absurdText(c, r))
	if best := a.Instead; best != nil {
		note(true, "This is your choice. Row %d is recommended: %s.", a.Row(*best), rowText(*best))
	}
	const small = 16 // GB of the GPUs with least memory that models are trained on
	needs := a.NeedsGB(c)
	note(a.Setting.GPUGB == 0 && needs > small, "This is for GPUs of more than %s GB. Say what yours have "+
		"(--gpu-memory): FSDP is weighed where it is less.", report.Number(needs))
	say = append(say, hurriedNotes(a)...)
	for _, text := range c.Spec().Assumptions {
		note(true, "Assumed, by the description: %q", text)
	}
	if launch.Ordered(a) {
		note(true, "Start ranks in the order of -o's hostfile: an all-reduce takes %s; in the order of the description %s.",
			report.Time(a.Ranks.MS), numbered(a.Ranks))
	}
	note(r.Rate != 0 && r.Rate != 1 && !r.Kind.Gradients(), "Learning rate: %s times the best one of DDP.", short(r.Rate))
	say = append(say, balanceText(c, a))
	if r.Whole {
		note(true, "Every node computes %s of its batches in a step, in %d parts: training does not change.",
			fixed(r.On.Larger(), 2), r.Accumulate)
	}
	const hardly = 1.1
	note(!r.Kind.Gradients() && a.DDP != nil && a.DDP.IterationMS < hardly*r.IterationMS && r.Epochs != 1,
		"A step is hardly shorter than with DDP: the gain comes from the convergence model. Stay with DDP, or try both.")
	return said(say)
}

// numbered is what a ring in the order of the numbers takes.
func numbered(r *advise.Ranks) string {
	if r.NumberedMS == 0 {
		return "it cannot run, since some neighbours have no route"
	}
	return report.Time(r.NumberedMS)
}

// mostRows is how many rows a screen has room for.
const mostRows = 5

// listed are the candidates of a table of that many rows: the answer, plain DDP, what the planner would take, and the
// best of every kind, in the order that ranks them.
func listed(a *advise.Advice, most int) (out []advise.Candidate) {
	add := func(c advise.Candidate) {
		if len(out) < most && !slices.ContainsFunc(out, func(o advise.Candidate) bool { return o.Name == c.Name }) {
			out = append(out, c)
		}
	}
	add(a.Recommended)
	fewer := slices.IndexFunc(a.All, func(c advise.Candidate) bool { return c.On != nil })
	some := []*advise.Candidate{a.Instead, a.DDP, a.BestSimple(), a.Of(advise.HalfDDP)}
	if fewer >= 0 {
		some = append(some, &a.All[fewer])
	}
	for _, c := range some {
		if c != nil && a.Row(*c) > 0 {
			add(*c)
		}
	}
	kinds := map[advise.Kind]bool{}
	for _, c := range a.All {
		if !c.Kind.Gradients() && !kinds[c.Kind] {
			kinds[c.Kind] = true
			add(c)
		}
	}
	for _, c := range a.All {
		add(c)
	}
	slices.SortStableFunc(out, func(x, y advise.Candidate) int { return a.Row(x) - a.Row(y) })
	return out
}

// Rows is the table of an answer: what could be run, at most that many; with room for more, what was not measured too.
func Rows(c *cluster.Cluster, a *advise.Advice, most int) report.Table {
	t := report.Table{Columns: []report.Column{{Title: "#"}, {Title: "what to run"}, {Title: "nodes", Numeric: true},
		{Title: "ms/step", Numeric: true}, {Title: countedIn(a), Numeric: true}, {Title: "vs DDP", Numeric: true}, {}}}
	rows := listed(a, most)
	whole := !slices.ContainsFunc(rows, func(k advise.Candidate) bool { return k.On != nil })
	if whole {
		t.Columns = slices.Delete(t.Columns, 2, 3) // all rows are for all nodes
	}
	add := func(number string, k advise.Candidate, note string) {
		nodes := cmp.Or(len(k.Nodes()), c.Nodes())
		steps, against := "–", "–"
		if k.Unmeasured == "" {
			steps = fixed(k.Epochs, 2)
		}
		if k.Unmeasured == "" && a.DDP != nil {
			against = fixed(a.DDP.PredictedMS/k.PredictedMS, 2)
		}
		cells := []string{number, rowText(k), fmt.Sprint(nodes), inColumn(k.IterationMS, 1), steps, against, note}
		if whole {
			cells = slices.Delete(cells, 2, 3)
		}
		t.Rows = append(t.Rows, report.Row{Cells: cells, Strong: k.Name == a.Recommended.Name})
	}
	for _, k := range rows {
		var notes []string
		if k.Tied {
			notes = append(notes, "tie")
		}
		if k.Tried {
			notes = append(notes, "measured")
		}
		note := strings.Join(notes, ", ")
		add(fmt.Sprint(a.Row(k)), k, note)
	}
	if most > len(a.All) {
		for _, k := range a.Unmeasured { // cannot be chosen
			add("–", k, "not measured")
		}
	}
	return t
}

// rowText is what a candidate is called in a row of its own.
func rowText(c advise.Candidate) string {
	name := strings.TrimSuffix(inShort(c.Name), " between")
	if c.Kind == advise.TwoLevel || c.Pieces() > 1 {
		name = strings.Replace(name, " groups of ", " × ", 1)
	}
	name = strings.Replace(name, fmt.Sprintf(" in %d pieces", c.Pieces()), "", 1) // as many as H
	if c.Every > 1 {
		name += fmt.Sprintf(", H = %d", c.Every)
	}
	return strings.NewReplacer("parameter averaging", "averaging", "hierarchical", "hierarchy", "local SGD between",
		"local SGD,", "one-peer schedule over", "one-peer,").Replace(name)
}
