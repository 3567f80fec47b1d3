package present

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/report"
)

// candidateText is what to run in a few words.
func candidateText(c advise.Candidate) string {
	if c.Kind.Gradients() {
		return c.Text
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

// timingText says what there is to averages of parameters besides how often they are made.
func timingText(c advise.Candidate) (text string) {
	if c.Clocks == nil {
		return ""
	}
	if len(c.Clocks.Phases) > 0 {
		text += fmt.Sprintf(", after %d synchronous steps", c.Clocks.Phases[0].Steps)
	}
	if o := c.Clocks.Outer; o != nil {
		text += fmt.Sprintf(", outer optimizer %g and %g", o.LearningRate, o.Momentum)
	}
	if c.Clocks.DelaySteps > 0 {
		text += fmt.Sprintf(", %d late", c.Clocks.DelaySteps)
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

// reason is why the recommended one wins.
func reason(c *cluster.Cluster, a *advise.Advice) string {
	r := a.Recommended
	if r.Kind.Sharded() {
		return shardedReason(c, a)
	}
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
	case r.Pieces() > 1:
		beside := ""
		if r.Clocks.DelaySteps > 0 {
			beside = " beside the next step"
		}
		why = append(why, fmt.Sprintf("one of %d parts of the model travels in every step, in %s%s", r.Pieces(),
			report.Time(r.CommunicationMS), beside))
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
	if r.On != nil && a.DDP != nil {
		why := "it waits for no other"
		if r.Kind != advise.Alone {
			why = fmt.Sprintf("an all-reduce among them takes %s", report.Time(r.CommunicationMS))
		}
		return fmt.Sprintf("%s, and a step of DDP on all %d nodes takes %s", why, c.Nodes(), report.Time(a.DDP.IterationMS))
	}
	why := fmt.Sprintf("an all-reduce of %s %s", report.Time(r.CommunicationMS), hides(a, "the backward pass"))
	if r.Kind == advise.Accumulated {
		why = fmt.Sprintf("an all-reduce of %s is paid once for %d batches", report.Time(r.CommunicationMS), r.Accumulate)
	}
	if a.Unsearched {
		return fmt.Sprintf("the all-reduce of %s hides behind computation, so nothing can shorten a step by more "+
			"than %s %%", report.Time(r.CommunicationMS), fixed(100*(1-a.ComputeMS/r.IterationMS), 1))
	}
	best := a.All[0] // soonest when links and convergence model disappoint
	switch {
	case a.Instead != nil: // the user chose it, whatever is faster
		return why
	case best.Numerics != "" && r.Numerics == "" && best.PessimisticMS < r.PessimisticMS:
		return fmt.Sprintf("%s; %s would gain %s %%, which is not worth rounding gradients",
			why, rowText(best), fixed(100*(1-best.PessimisticMS/r.PessimisticMS), 1))
	case best.Name != r.Name && best.PessimisticMS < r.PessimisticMS:
		return fmt.Sprintf("%s; %s would gain %s %%, which is not worth a job that is less simple",
			why, rowText(best), fixed(100*(1-best.PessimisticMS/r.PessimisticMS), 1))
	case slices.ContainsFunc(a.Skipped, sweep.Skipped.Late):
		return why + ", and of all that there was time to compare nothing is faster by more than the error of its prediction"
	default:
		return why + ", and nothing else is faster by more than the error of its prediction"
	}
}

// shardedReason is why a model is sharded, and what that costs.
func shardedReason(c *cluster.Cluster, a *advise.Advice) string {
	r := a.Recommended
	return fmt.Sprintf("DDP needs %s of a GPU's %s GB; gathering parameters and summing gradients takes %s and %s",
		report.Number(a.WholeGB(c)), short(a.Setting.GPUGB), report.Time(r.CommunicationMS), hides(a, "compute"))
}

// hides says how much of the answer's communication a step pays for.
func hides(a *advise.Advice, behind string) string {
	if r := a.Recommended; r.IterationMS-a.ComputeMS < r.CommunicationMS/2 {
		return "mostly hides behind " + behind
	}
	return "takes part of the step"
}
