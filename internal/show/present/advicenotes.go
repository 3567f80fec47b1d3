package present

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/report"
)

// adviceNotes say what the columns of the wide table mean, and what was left out.
func adviceNotes(a *advise.Advice, rows int) []string {
	return slices.Concat(columnNotes(a, rows), []string{fitText(a)}, leftOutNotes(a))
}

// details are the facts behind an answer: its intervals, what it costs in convergence, how nodes meet, what to
// evaluate, and the links that it was computed for.
func details(c *cluster.Cluster, a *advise.Advice) (notes []string) {
	r := a.Recommended
	notes = append(notes, intervals(a))
	if r.Kind == advise.Accumulated {
		notes = append(notes, r.Source+" No other learning rate was tried.")
	}
	if s := a.Leave(); s != nil && !r.Whole {
		notes = append(notes, strings.TrimSpace(fmt.Sprintf("The batch is that of %d of %d nodes; out: %s. %s",
			len(s.Keep), s.Of, s.Without, r.Source)))
	}
	notes = append(notes, convergenceText(a))
	if note := r.RateNote(); note != "" {
		notes = append(notes, "Set the "+note)
	}
	if r.Numerics != "" {
		notes = append(notes, r.Numerics+".")
	} else if best := a.BestSimple(); !r.Kind.Gradients() && best != nil && best.Kind == advise.HalfDDP &&
		r.Plan != nil && r.Plan.Wire == design.FP32 {
		notes = append(notes, "This sends numbers of 32 bits, the best simple alternative gradients in bf16.")
	}
	notes = append(notes, meetingText(r), evaluateText(r), linksText(c))
	if r.Bottleneck != "" {
		notes = append(notes, holdsUp(r.Bottleneck, r.LongestMS))
	}
	if a.NoGraph != nil {
		notes = append(notes, noGraphText(a.NoGraph))
	}
	if t := a.Tip; t != nil {
		notes = append(notes, fmt.Sprintf("With quasi-global momentum another choice is predicted to be %s times as fast as "+
			"this (%s to %s): %s.", fixed(t.Gain, 2), fixed(t.Gain/t.Error, 2), fixed(t.Gain*t.Error, 2),
			candidateText(t.Winner)))
	}
	return said(notes)
}

// intervals are the errors of how many times as fast the answer is.
func intervals(a *advise.Advice) string {
	var say []string
	r := a.Recommended
	add := func(other advise.Candidate, name string) {
		if error := math.Exp(math.Hypot(r.Deviation, other.Deviation)); error > 1 && r.Epochs != other.Epochs {
			ratio := other.PredictedMS / r.PredictedMS
			say = append(say, fmt.Sprintf("%s to %s times as fast as %s", fixed(ratio/error, 2), fixed(ratio*error, 2), name))
		}
	}
	if a.DDP != nil {
		add(*a.DDP, "plain DDP")
	}
	if best := a.BestSimple(); best != nil && best.Name != r.Name && (a.DDP == nil || best.Name != a.DDP.Name) {
		add(*best, rowText(*best)+", the best simple alternative")
	}
	if len(say) == 0 {
		return ""
	}
	return "With the error of the prediction: " + strings.Join(say, ", ") + "."
}

// hurriedNotes say what a time limit cost.
func hurriedNotes(a *advise.Advice) (notes []string) {
	if late := a.Late(); len(late) > 0 {
		notes = append(notes, "DistributedDataParallel may be faster than said here: the time was over before all forms of "+
			"its all-reduce were priced; missing: "+strings.Join(late, ", ")+".")
	}
	if a.Hurried {
		notes = append(notes, "The time was over before all other compute times, messages, bandwidths and latencies "+
			"were tried.")
	}
	return notes
}

// convergenceText says what the answer costs in epochs, or in steps.
func convergenceText(a *advise.Advice) string {
	r := a.Recommended
	if r.Epochs == 1 && r.Deviation == 0 {
		return "Convergence: as synchronous training."
	}
	text := fmt.Sprintf("Convergence: %s times the %s of synchronous training (%s to %s)", fixed(r.Epochs, 2),
		unitOf(a, r), fixed(r.Epochs/math.Exp(r.Deviation), 2), fixed(r.Epochs*math.Exp(r.Deviation), 2))
	if len(r.Outside) > 0 {
		text += "; outside of what was measured: " + strings.Join(r.Outside, "; ")
	}
	return text + "."
}

// evaluateText says which model to evaluate and save.
func evaluateText(r advise.Candidate) string {
	if r.Kind.Sharded() {
		return "Evaluate on all nodes together, and save with torch.distributed.checkpoint: none has the whole model."
	}
	if r.Meeting.Agree <= 1 && r.Every <= 1 && r.Order != design.CombineThenAdapt {
		return "Evaluate the model of any node: all are equal."
	}
	return "Evaluate the averaged model (with gossip.averaged():), not the model of one node."
}

// linksText echoes the bandwidths, so that a wrong unit is seen.
func linksText(c *cluster.Cluster) string {
	least, most := math.Inf(1), 0.0
	for _, r := range c.Resources() {
		for _, side := range []cluster.Side{cluster.Sender, cluster.Receiver} {
			least, most = min(least, r.Toward(side)), max(most, r.Toward(side))
		}
	}
	both := func(gbs float64) string { return fmt.Sprintf("%s GB/s (%s Gb/s)", short(gbs), short(8*gbs)) }
	if least == most {
		return "Links: " + both(least) + "."
	}
	return "Links: " + both(least) + " to " + both(most) + "."
}

// absurdText questions numbers that hardly any machine has.
func absurdText(c *cluster.Cluster, r advise.Candidate) string {
	const terabyte, fiveMinutes, fastest = 1e6, 5 * 60e3, 1e4 // MB, ms, GB/s
	switch {
	case c.Model().MessageMB >= terabyte:
		return fmt.Sprintf("Is this right? A message has %s TB. message_mb is in MB: 4 bytes for every parameter.",
			short(c.Model().MessageMB/terabyte))
	case r.IterationMS >= fiveMinutes:
		return fmt.Sprintf("Is this right? An iteration takes %s. Check message_mb and the units of bandwidths.",
			report.Time(r.IterationMS))
	case slices.ContainsFunc(c.Resources(), func(r cluster.Resource) bool { return r.GBs >= fastest }):
		return "Is this right? A link carries 10 TB/s or more. Bandwidths are in GB/s unless they have a unit."
	}
	return ""
}

// meetingText says how fast nodes come to agree; nothing where they agree after every step.
func meetingText(r advise.Candidate) string {
	m := r.Meeting
	switch {
	case m.Agree <= 1:
		return ""
	case r.Kind == advise.Collective:
		return fmt.Sprintf("All nodes agree every %d steps.", r.Every)
	case r.Pieces() > 1:
		return fmt.Sprintf("Nodes of a group agree after every step. Each part of the model is averaged among all every %d.",
			r.Every)
	case r.Kind == advise.TwoClocks:
		return fmt.Sprintf("Nodes of a group agree after every step, all nodes every %d steps.", r.Every)
	}
	often := "in every step"
	if m.Node > 1 {
		often = fmt.Sprintf("at least every %d steps", m.Node)
	}
	text := fmt.Sprintf("Differences between nodes fall to 1/e within %.0f steps; every node meets another %s",
		m.Agree, often)
	if m.Group > m.Node {
		text += fmt.Sprintf(", every group another group every %d", m.Group)
	}
	return text + "."
}

// joined puts the lines of lists, which are indented, behind the line that announces them.
func joined(lines []string) (out []string) {
	for _, line := range lines {
		item, inList := strings.CutPrefix(line, "  ")
		switch {
		case !inList:
			out = append(out, line)
		case strings.HasSuffix(out[len(out)-1], ":"):
			out[len(out)-1] += " " + item
		default:
			out[len(out)-1] += "; " + item
		}
	}
	return out
}

// holdsUp names the bottleneck of the longest round.
func holdsUp(bottleneck string, ms float64) string {
	return fmt.Sprintf("Bottleneck: %s; it makes the longest round take %s.", bottleneck, report.Time(ms))
}

// modelText says for what model the answer is computed, so that a wrong unit is seen, what of it the description leaves
// open, and how to say it.
func modelText(c *cluster.Cluster, a *advise.Advice) string {
	var said cluster.ModelSpec
	if m := c.Spec().Model; m != nil {
		said = *m
	}
	least, most := computeSpan(c)
	compute := report.Duration(most) + " of compute"
	if least < most {
		compute = report.Duration(least) + " to " + compute
	}
	trained := map[advise.Optimizer]string{advise.AdamW: "AdamW", advise.SGD: "SGD"}[a.Setting.Optimizer] + ", " +
		map[cluster.Backend]string{cluster.NCCL: "NCCL", cluster.Gloo: "gloo"}[c.Backend()]
	// Groups of a tree have compute times of their own.
	open := said.ComputeMS == nil && said.NodeComputeMS == nil && least == most && most == cluster.PaperComputeMS
	message := short(c.Model().MessageMB) + " MB"
	if said.Parameters != nil {
		message += fmt.Sprintf(" (%s parameters in %s)", cluster.Count(c.Model().Parameters), c.Model().DType)
	}
	say := fmt.Sprintf("For %s, %s; assumed: %s (--optimizer, --backend).", message, compute, trained)
	if said.MessageMB == nil && said.Parameters == nil || open {
		say = fmt.Sprintf("Assumed: %s, %s, %s: --message, --compute, --optimizer, --backend.", message, compute, trained)
	}
	return say
}

// computeSpan are the shortest and the longest time that a node computes between two rounds.
func computeSpan(c *cluster.Cluster) (least, most float64) {
	least, most = c.ComputeMS(0), c.ComputeMS(0)
	for i := range c.Nodes() {
		least, most = min(least, c.ComputeMS(i)), max(most, c.ComputeMS(i))
	}
	return least, most
}

// balanceText says which part of the batch every node has.
func balanceText(c *cluster.Cluster, a *advise.Advice) string {
	shares := a.Shares
	switch c = a.Recommended.Cluster(c); {
	case shares == nil && a.Setting.Balance && c != nil:
		return "Batches stay equal: all nodes compute equally fast."
	case shares == nil || a.Recommended.Kind.Sharded():
		return ""
	}
	var parts []string
	for k := 0; k < len(shares); {
		first := k
		for k++; k < len(shares) && shares[k] == shares[first]; k++ {
		}
		nodes := "node " + c.NodeName(first)
		if k > first+1 {
			nodes = fmt.Sprintf("nodes %s to %s", c.NodeName(first), c.NodeName(k-1))
		}
		parts = append(parts, fmt.Sprintf("%s %s", nodes, short(shares[first]*float64(c.Nodes()))))
	}
	text := "Batches, as times the mean of all nodes: " + strings.Join(parts, ", ") + "."
	if !a.Recommended.Kind.Gradients() {
		text += " No runs had unequal batches."
	}
	return text
}

// mostLate is how many of those that the time did not reach are named.
const mostLate = 3

// leftOutNotes say what was not considered and why, and for what limits hold.
func leftOutNotes(a *advise.Advice) []string {
	var beyond, others, notes []string
	late := 0
	for _, s := range a.Skipped {
		if errors.Is(s.Err, advise.ErrLimit) {
			beyond = append(beyond, s.Name)
			continue
		}
		if s.Late() {
			late++
		}
		if !s.Late() || late <= mostLate {
			others = append(others, fmt.Sprintf("%s (%s)", s.Name, SkippedText(s)))
		}
	}
	if late > mostLate {
		others = append(others, fmt.Sprintf("%d more (the time ran out)", late-mostLate))
	}
	if len(others) == 1 {
		notes = append(notes, "Not considered: "+others[0]+".")
	} else if len(others) > 1 {
		notes = append(notes, "Not considered:")
		for _, text := range others {
			notes = append(notes, "  "+text)
		}
	}
	var limits []string
	if a.Setting.MaxEdges > 0 {
		limits = append(limits, fmt.Sprintf("at most %d pairs of nodes that talk", a.Setting.MaxEdges))
	}
	if a.Setting.MaxDegree > 0 {
		limits = append(limits, fmt.Sprintf("at most %d peers of a node", a.Setting.MaxDegree))
	}
	if len(limits) == 0 {
		return notes
	}
	text := "Wanted: " + strings.Join(limits, ", ") +
		". This holds for graphs and, over a period, for schedules, not for all-reduces."
	if len(beyond) > 0 {
		text += " Not considered for it: " + strings.Join(beyond, "; ") + "."
	}
	return append(notes, text)
}

func fitText(a *advise.Advice) string {
	if a.Setting.Optimizer == advise.AdamW {
		return adamw.Measured().Text(a.Setting.Steps)
	}
	error, what := math.Exp(a.Convergence.ErrorAt(a.Setting, a.Recommended.Every)), "without skew"
	if a.Setting.Skew > 0 {
		what = fmt.Sprintf("at Dirichlet %s", short(a.Setting.Skew))
	}
	return fmt.Sprintf("The convergence model was fitted to %d runs (ResNet-18 with SGD, CIFAR-10 and CIFAR-100, %d to "+
		"%d nodes) and is weak: its typical error %s is a factor of %s, and it puts %.0f %% of all pairs in the right order.",
		a.Convergence.Runs.All, slices.Min(a.Convergence.Domain.Nodes), slices.Max(a.Convergence.Domain.Nodes), what,
		fixed(error, 2), 100*a.Convergence.LeaveOut.Right)
}
