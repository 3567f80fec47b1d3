package present

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/launch"
	"github.com/batopo/batopo/internal/show/report"
)

// WriteAdvice prints what to run for people: the answer, the facts behind it, that many alternatives, what would change
// it, and how to run it. The plan is, or would be, in that file.
func WriteAdvice(w io.Writer, c *cluster.Cluster, a *advise.Advice, file string, rows int) error {
	var b strings.Builder
	for _, line := range slices.Concat(AdviceSentences(c, a), facts(c, a)) {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintln(&b)
	if err := onceEach(AdviceTable(a, rows)).WriteText(&b); err != nil {
		return err
	}
	fmt.Fprintln(&b)
	for _, line := range adviceNotes(c, a, rows) {
		fmt.Fprintln(&b, line)
	}
	if leaves(a) {
		fmt.Fprintln(&b, "To run the "+onAll+":")
	} else {
		fmt.Fprintln(&b, "To run it:")
	}
	for _, line := range launch.Python(a.Recommended, a.Setting.Momentum, file) {
		fmt.Fprintln(&b, "    "+line)
	}
	for _, line := range launch.Ranks(c, a, filepath.Join(filepath.Dir(file), launch.HostFile)) {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// AdviceSentences say what to run, what that gains, why, and what would be better with other machines or another
// choice; and why no static graph was searched for, where that is so.
func AdviceSentences(c *cluster.Cluster, a *advise.Advice) (say []string) {
	r := a.Recommended
	run := fmt.Sprintf("Run %s: %s an iteration.", candidateText(r), report.Time(r.IterationMS))
	if leaves(a) {
		say = append(leaveText(c, a, *a.Leave()), "On all machines: r"+run[1:])
	} else if kept := a.Kept; kept != nil {
		say = append(say, fmt.Sprintf("Without %s, on the other %d nodes: r%s", kept.Without, c.Nodes(), run[1:]))
	} else if s := a.Subset; s != nil && s.Balanced != nil && a.Instead == nil {
		say = append(say, fmt.Sprintf("Give nodes batches in proportion to their speed: %s takes %s an iteration then. "+
			"--balance plans for it.", s.Balanced.Text, report.Time(s.Balanced.IterationMS)), "With equal batches: r"+run[1:])
	} else {
		say = append(say, run)
	}
	if text := gains(a); text != "" {
		say = append(say, text)
	}
	say = append(say, "Why: "+reason(c, a)+".")
	if s := a.Subset; s != nil && !leaves(a) {
		say = append(say, fmt.Sprintf("Without %s: %s on the other %d nodes takes %s an iteration and processes %s times as "+
			"many samples per second as on all %d. The batch is smaller then; --only-best plans for them.", s.Without, s.Text,
			len(s.Keep), report.Time(s.IterationMS), fixed(s.Gain, 2), c.Nodes()))
	}
	if best := a.Instead; best != nil {
		say = append(say, fmt.Sprintf("This is your choice. Row %d is %s: %s, predicted %s.", a.Row(*best),
			mark(a), candidateText(*best), gainText(*best, simpleOf(r), "this")))
	}
	if a.NoGraph != nil {
		say = append(say, noGraphText(a.NoGraph))
	}
	return say
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

// leaveText says which machines to leave out, what to run on the others and what that gains.
func leaveText(c *cluster.Cluster, a *advise.Advice, s advise.Subset) []string {
	how := fmt.Sprintf("as many samples take %s times the iterations", fixed(s.Epochs, 2))
	if s.Source != "" {
		how = fmt.Sprintf("the same loss takes %s times the steps (%s to %s)", fixed(s.Epochs, 2),
			fixed(s.Epochs/math.Exp(s.Deviation), 2), fixed(s.Epochs*math.Exp(s.Deviation), 2))
	}
	best := advise.Candidate{PredictedMS: s.PredictedMS, Epochs: s.Epochs, Deviation: s.Deviation}
	all := []string{gainText(best, simpleOf(a.Recommended), "the "+onAll)}
	if a.Recommended.Name != a.DDP.Name {
		all = append(all, gainText(best, simpleOf(*a.DDP), "DistributedDataParallel on all machines"))
	}
	return []string{
		fmt.Sprintf("Leave out %s: run %s on the other %d nodes, %s an iteration. --only-best plans for them.", s.Without,
			s.Text, len(s.Keep), report.Time(s.IterationMS)),
		fmt.Sprintf("Predicted %s. The batch comes from %d nodes instead of %d: %s.", strings.Join(all, ", and "),
			len(s.Keep), c.Nodes(), how),
	}
}

// simpleOf is what another choice is compared with.
func simpleOf(c advise.Candidate) advise.Simple {
	return advise.Simple{PredictedMS: c.PredictedMS, Epochs: c.Epochs, Deviation: c.Deviation}
}

// gains compares the answer with the best simple alternative first, then with DistributedDataParallel on all machines.
func gains(a *advise.Advice) string {
	r, simple := a.Recommended, a.BestSimple()
	if a.DDP == nil {
		return ""
	}
	where := "all machines"
	if a.Kept != nil {
		where = "these machines"
	}
	var all []string
	if !leaves(a) && simple.Text != a.DDP.Text && simple.Text != r.Text {
		all = append(all, gainText(r, simple, simple.Text+", the best simple alternative"))
	}
	if r.Name != a.DDP.Name {
		all = append(all, gainText(r, simpleOf(*a.DDP), "DistributedDataParallel on "+where))
	}
	if len(all) == 0 {
		return ""
	}
	return "Predicted " + strings.Join(all, ", and ") + "."
}

// candidateText is what to run in a few words.
func candidateText(c advise.Candidate) string {
	if c.Kind.Gradients() {
		return fmt.Sprintf("%s, %s", c.Text, buckets(c))
	}
	text := c.Text
	if c.Every > 1 {
		text += ", " + pace(c)
	}
	if c.Overlap {
		text += ", overlapped with compute"
	}
	return text
}

// buckets says how gradients are cut up, and of how many batches they are.
func buckets(c advise.Candidate) string {
	text := fmt.Sprintf("buckets of %s MB", short(c.BucketMB))
	if c.Accumulate > 1 {
		text += fmt.Sprintf(", %d batches a step", c.Accumulate)
	}
	return text
}

// pace says how often a candidate averages.
func pace(c advise.Candidate) string {
	if c.Every > 1 {
		return fmt.Sprintf("averaging every %d steps", c.Every)
	}
	return "averaging every step"
}

// veryUnsure is the factor of error beyond which two times are not called equal within it.
const veryUnsure = 1.5

// gainText compares predicted times to the same accuracy, with the error of both.
func gainText(r advise.Candidate, other advise.Simple, name string) string {
	ratio, error := other.PredictedMS/r.PredictedMS, math.Exp(math.Hypot(r.Deviation, other.Deviation))
	if r.Epochs == other.Epochs { // nothing but times is compared
		error = 1
	}
	times, span := fixed(ratio, 2), ""
	if error > 1 {
		span = fmt.Sprintf("%s to %s", fixed(ratio/error, 2), fixed(ratio*error, 2))
	}
	switch {
	case error > veryUnsure && ratio <= error && ratio >= 1/error:
		return fmt.Sprintf("no clear difference from %s (%s times as fast, %s)", name, times, span)
	case error > 1 && ratio <= error && ratio >= 1/error:
		return fmt.Sprintf("as fast as %s within the error (%s times, %s)", name, times, span)
	case span == "" && times == "1.00":
		return "as fast as " + name
	case span == "":
		return fmt.Sprintf("%s times as fast as %s", times, name)
	}
	return fmt.Sprintf("%s times as fast as %s (%s)", times, name, span)
}

// reason is why the recommended one wins.
func reason(c *cluster.Cluster, a *advise.Advice) string {
	r := a.Recommended
	if r.Kind.Gradients() {
		return ddpReason(c, a)
	}
	var why []string
	const rounding = 1e-9
	switch compute := a.ComputeMS; {
	case r.Overlap && r.CommunicationMS <= compute && r.LongestMS <= compute*(1+rounding):
		why = append(why, fmt.Sprintf("its rounds of %s hide behind %s of compute",
			report.Time(r.CommunicationMS), report.Time(compute)))
	case r.Overlap && r.CommunicationMS <= compute:
		why = append(why, fmt.Sprintf("its rounds of %s on average and %s at most overlap with %s of compute",
			report.Time(r.CommunicationMS), report.Time(r.LongestMS), report.Time(compute)))
	case r.Every > 1:
		why = append(why, fmt.Sprintf("its rounds of %s are paid only after every %d steps",
			report.Time(r.CommunicationMS), r.Every))
	case r.IterationMS < r.CommunicationMS*(1-rounding):
		why = append(why, fmt.Sprintf("its rounds take %s until the last node is done, for which others need not wait",
			report.Time(r.CommunicationMS)))
	case r.Overlap:
		why = append(why, fmt.Sprintf("its rounds of %s overlap with %s of compute",
			report.Time(r.CommunicationMS), report.Time(compute)))
	default:
		why = append(why, fmt.Sprintf("its rounds take %s", report.Time(r.CommunicationMS)))
	}
	const longer = 1.01 // else lengths are no reason
	if a.DDP != nil && a.DDP.IterationMS > longer*r.IterationMS {
		if takes := report.Time(a.DDP.CommunicationMS); a.DDP.CommunicationMS > longer*r.CommunicationMS || !r.Overlap {
			why = append(why, "an all-reduce takes "+takes)
		} else {
			why = append(why, "an all-reduce of "+takes+" begins only in the backward pass")
		}
	}
	const clearly = 0.95
	if r.Epochs < clearly {
		why = append(why, fmt.Sprintf("it needs %s times the epochs of exact averaging here, by the convergence model",
			fixed(r.Epochs, 2)))
	}
	return strings.Join(why, ", and ")
}

// ddpReason is why DistributedDataParallel is recommended, although something may be predicted to be faster.
func ddpReason(c *cluster.Cluster, a *advise.Advice) string {
	r := a.Recommended
	hides := "takes part of the iteration"
	if r.IterationMS-a.ComputeMS < r.CommunicationMS/2 {
		hides = "mostly hides behind the backward pass"
	}
	why := fmt.Sprintf("an all-reduce of %s %s", report.Time(r.CommunicationMS), hides)
	if a.Unsearched {
		return fmt.Sprintf("the all-reduce of %s hides behind computation, so nothing can shorten the iteration by more "+
			"than %s %%", report.Time(r.CommunicationMS), fixed(100*(1-a.ComputeMS/r.IterationMS), 1))
	}
	best := a.All[0] // soonest when links and convergence model disappoint
	switch {
	case a.Instead != nil: // the user chose it, whatever is faster
		return why
	case best.Numerics != "" && r.Numerics == "" && best.PessimisticMS < r.PessimisticMS:
		return fmt.Sprintf("%s; %s would gain %s %%, which is not worth rounding gradients",
			why, candidateText(best), fixed(100*(1-best.PessimisticMS/r.PessimisticMS), 1))
	case best.Name != r.Name && best.PessimisticMS < r.PessimisticMS:
		return fmt.Sprintf("%s; %s would gain %s %%, which is not worth a job that is less simple",
			why, candidateText(best), fixed(100*(1-best.PessimisticMS/r.PessimisticMS), 1))
	case slices.ContainsFunc(a.Skipped, sweep.Skipped.Late):
		return why + ", and of all that there was time to compare nothing is faster by more than the error of its prediction"
	default:
		return why + ", and nothing else is faster by more than the error of its prediction"
	}
}

// PlanFile is the default name of a plan.
const PlanFile = "plan.json"
