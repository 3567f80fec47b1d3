package present

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/adamw"
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
	if leaves(a) {
		s := a.Leave()
		what, where = inShort(s.Text), fmt.Sprintf("%d of %d nodes: leave out %s", len(s.Keep), c.Nodes(), s.Without)
	} else if a.Kept != nil {
		where = fmt.Sprintf("the %d nodes without %s", c.Nodes(), a.Kept.Without)
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
		text = fmt.Sprintf("%s, every %d steps", c.Name, c.Every)
	}
	return strings.NewReplacer(", averaging every", ", every", ", overlapped with compute", ", overlapped",
		" of a static graph", "").Replace(text)
}

// leaves reports whether the answer is to leave out machines; the recommended candidate is the best on all then.
func leaves(a *advise.Advice) bool { return a.Leave() != nil && a.Instead == nil }

// onAll is what the planner's choice is called where fewer machines are faster still.
const onAll = "best on all machines"

// mark is what the planner's own choice is called among the others.
func mark(a *advise.Advice) string {
	if a.Leave() != nil {
		return onAll
	}
	return "recommended"
}

// answered is the candidate of the headline.
func answered(a *advise.Advice) advise.Candidate {
	if !leaves(a) {
		return a.Recommended
	}
	s := a.Leave()
	return advise.Candidate{Text: s.Text, IterationMS: s.IterationMS, Epochs: s.Epochs, Deviation: s.Deviation,
		PredictedMS: s.PredictedMS}
}

// speedText is how long a step takes, and how much faster that is than plain DDP and than the best simple alternative.
func speedText(a *advise.Advice) string {
	r := answered(a)
	say := report.Time(r.IterationMS) + " a step"
	if r.Epochs != 1 {
		say += fmt.Sprintf(", %s times the %s", fixed(r.Epochs, 2), countedIn(a))
	}
	if a.DDP == nil {
		return say + "."
	}
	if r.Name == a.DDP.Name {
		return say + ": plain DDP."
	}
	say += ": " + gainText(r, simpleOf(*a.DDP), fmt.Sprintf("plain DDP (%s)", report.Time(a.DDP.IterationMS)))
	if best := a.BestSimple(); !leaves(a) && best.Text != a.DDP.Text && best.Text != r.Text {
		name := strings.Replace(inShort(best.Text), " with gradients in bf16", ", bf16 gradients", 1)
		if s := a.Subset; s != nil && strings.HasSuffix(name, s.Without) {
			name = fmt.Sprintf("%s, on %d nodes", strings.TrimSuffix(name, " without "+s.Without), len(s.Keep))
		}
		say += ", " + gainText(r, best, fmt.Sprintf("%s (%s)", name, report.Time(best.IterationMS)))
	}
	return say + "."
}

// simpleOf is what another choice is compared with.
func simpleOf(c advise.Candidate) advise.Simple {
	return advise.Simple{PredictedMS: c.PredictedMS, Epochs: c.Epochs, Deviation: c.Deviation}
}

// gainText compares predicted times to the same accuracy, with the error of both.
func gainText(r advise.Candidate, other advise.Simple, name string) string {
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
	largest := float64(adamw.Measured().Largest()) / 1e6
	switch {
	case leaves(a) && a.Leave().Source == "":
		return Extrapolated, "the " + unit + " of a smaller batch are taken in proportion to it"
	case !leaves(a) && r.Kind.Gradients() && r.Numerics != "":
		return Extrapolated, "no run measured what rounding gradients costs"
	case !leaves(a) && r.Epochs == 1 && r.Deviation == 0:
		return Certain, "training is unchanged, times are computed"
	case len(r.Outside) > 0:
		return Extrapolated, "outside of the runs: " + strings.Split(r.Outside[0], " (")[0]
	case a.Setting.Optimizer != advise.AdamW:
		return Measured, unit + " by a model fitted to runs of ResNet-18"
	case millions > largest:
		return Extrapolated, fmt.Sprintf("%s from a GPT of %s million parameters to %s", unit,
			short(largest), short(millions))
	}
	return Measured, unit + " from runs of a GPT"
}

// cautions are what to look at before running an answer, the gravest first.
func cautions(c *cluster.Cluster, a *advise.Advice) (say []string) {
	r := a.Recommended
	note := func(when bool, format string, values ...any) {
		if when {
			say = append(say, fmt.Sprintf(format, values...))
		}
	}
	if text := absurdText(c, r); text != "" {
		say = append(say, text)
	}
	note(leaves(a), "plan.json and the code below are the %s. --only-best plans without these machines.", onAll)
	if best := a.Instead; best != nil {
		note(true, "This is your choice. Row %d is %s: %s.", a.Row(*best), mark(a), inShort(candidateText(*best)))
	}
	say = append(say, hurriedNotes(a)...)
	for _, text := range c.Spec().Assumptions {
		note(true, "Assumed: %s", text)
	}
	if launch.Ordered(a) {
		note(true, "Start ranks in the order of -o's hostfile: an all-reduce takes %s; in the order of the description %s.",
			report.Time(a.Ranks.MS), numbered(a.Ranks))
	}
	note(r.Rate != 0 && r.Rate != 1 && !r.Kind.Gradients(), "Learning rate: %s times the best one of DDP.", short(r.Rate))
	if s := a.Subset; s != nil && s.Balanced != nil && a.Instead == nil {
		note(true, "Batches in proportion to the speed of nodes: %s takes %s a step; --balance.", inShort(s.Balanced.Text),
			report.Time(s.Balanced.IterationMS))
	}
	if text := balanceText(c, a); text != "" {
		say = append(say, text)
	}
	const hardly = 1.1
	note(!r.Kind.Gradients() && a.DDP != nil && a.DDP.IterationMS < hardly*r.IterationMS && r.Epochs != 1,
		"A step is hardly shorter than with DDP: the gain comes from the convergence model. Stay with DDP, or try both.")
	return say
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
	for _, c := range []*advise.Candidate{a.Instead, a.DDP, a.Of(advise.HalfDDP)} {
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

// beside is how many rows are left beside the one of fewer machines.
func beside(a *advise.Advice, rows int) int {
	if a.Subset != nil {
		return rows - 1
	}
	return rows
}

// Rows is the table of an answer: what could be run, at most that many; with room for more, what was not measured too.
func Rows(c *cluster.Cluster, a *advise.Advice, most int) report.Table {
	t := report.Table{Columns: []report.Column{{Title: "#"}, {Title: "what to run"}, {Title: "nodes", Numeric: true},
		{Title: "ms/step", Numeric: true}, {Title: countedIn(a), Numeric: true}, {Title: "vs DDP", Numeric: true}, {}}}
	if a.Subset == nil {
		t.Columns = slices.Delete(t.Columns, 2, 3) // all rows are for all nodes
	}
	add := func(number, what string, nodes int, k advise.Candidate, strong bool, note string) {
		steps, against := "–", "–"
		if k.Unmeasured == "" {
			steps = fixed(k.Epochs, 2)
		}
		if k.Unmeasured == "" && a.DDP != nil {
			against = fixed(a.DDP.PredictedMS/k.PredictedMS, 2)
		}
		cells := []string{number, what, fmt.Sprint(nodes), inColumn(k.IterationMS, 1), steps, against, note}
		if a.Subset == nil {
			cells = slices.Delete(cells, 2, 3)
		}
		t.Rows = append(t.Rows, report.Row{Cells: cells, Strong: strong})
	}
	s := a.Subset
	fewer := func() {
		k := advise.Candidate{IterationMS: s.IterationMS, Epochs: s.Epochs, PredictedMS: s.PredictedMS}
		add("–", inShort(s.Text), len(s.Keep), k, leaves(a), "")
		s = nil
	}
	for _, k := range listed(a, beside(a, most)) {
		if s != nil && s.PredictedMS < k.PredictedMS {
			fewer()
		}
		note := ""
		if k.Tied {
			note = "tie"
		}
		add(fmt.Sprint(a.Row(k)), rowText(k), c.Nodes(), k, k.Name == a.Recommended.Name && !leaves(a), note)
	}
	if s != nil {
		fewer()
	}
	if most > len(a.All) {
		for _, k := range a.Unmeasured { // cannot be chosen
			add("–", rowText(k), c.Nodes(), k, false, "not measured")
		}
	}
	return t
}

// rowText is what a candidate is called in a row of its own.
func rowText(c advise.Candidate) string {
	name := strings.TrimSuffix(inShort(c.Name), " between")
	if c.Kind == advise.TwoLevel {
		name = strings.Replace(name, " groups of ", " × ", 1)
	}
	if c.Every > 1 {
		name += fmt.Sprintf(", H = %d", c.Every)
	}
	return strings.NewReplacer("parameter averaging", "averaging", "hierarchical", "hierarchy", "local SGD between",
		"local SGD,", "one-peer schedule over", "one-peer,").Replace(name)
}

// changes say where another candidate would win, by its row where the table shows it.
func changes(c *cluster.Cluster, a *advise.Advice, shown []advise.Candidate) (say []string) {
	var winners []string
	for _, f := range a.Flips {
		at := slices.IndexFunc(shown, func(k advise.Candidate) bool {
			return k.Name == f.Winner.Name && k.Every == f.Winner.Every && k.Overlap == f.Winner.Overlap
		})
		winner := "the all-reduce no longer hides; plan again"
		if at >= 0 {
			winner = fmt.Sprintf("row %d", a.Row(shown[at]))
		} else if f.Winner.Kind != "" {
			winner = rowText(f.Winner)
		}
		if k := slices.Index(winners, winner); k >= 0 {
			say[k] += ", " + flipText(c, f)
		} else {
			winners, say = append(winners, winner), append(say, flipText(c, f))
		}
	}
	for k := range say {
		say[k] += ": " + winners[k]
	}
	return say
}
