package verify

import (
	"fmt"
	"strings"

	"github.com/batopo/batopo/design"
)

// words checks what a plan says in words. What cannot be recomputed from the plan is listed, never passed over.
func (k *check) words() {
	k.stop()
	k.notes()
	k.usage()
	k.unproved("method, seed, stop, settings, run", 0, "how the plan was found: no claim about what it is")
}

// usage lists what clocks say about training. All claims are about one average, and the hash covers the rest.
func (k *check) usage() {
	if !k.plan.HasClocks() {
		return
	}
	detail := append([]string{"how training uses the average: what it costs in steps is measured, not proved"},
		k.plan.Warnings()...)
	k.unproved("average, batch_weights, delay, outer, phases, bucket_mb, library", 0, strings.Join(detail, "; "))
}

// stop checks the reasons for stopping that say something about the plan: that nothing better exists.
func (k *check) stop() {
	p := k.plan
	proved := *p // without the bounds that could not be rechecked, and those that are not about what was asked
	if k.found("bound") == Unproved || p.Objective == design.Time {
		proved.Bound = nil
	}
	if k.found("time_bound") == Unproved || p.Objective == design.Rate {
		proved.TimeBound = nil
	}
	switch {
	case (p.Stop == design.BoundAttained || p.Stop == design.Exhausted) && p.MeetsBound() && !proved.MeetsBound():
		k.unproved("stop", 0, "the plan meets a bound that is not proved here, or is not about the objective")
	case p.Stop == design.BoundAttained:
		k.holds("stop", p.MeetsBound(), "the plan does not meet its bound")
	case p.Stop == design.Exhausted && !p.MeetsBound():
		k.unproved("stop", 0, "that every graph within the limits was looked at, and none is better, "+
			"cannot be seen from the plan")
	case p.Stop == design.Exhausted:
		k.holds("stop", true, "") // nothing is better than the bound
	}
}

// notes checks those that say something that can be recomputed.
func (k *check) notes() {
	p := k.plan
	others, nothingBetter := 0, p.Stop == design.Exhausted || p.Stop == design.BoundAttained
	for _, note := range p.Notes {
		switch {
		case strings.HasPrefix(note, "never reaches the target"):
			k.holds("notes", p.Iterations == 0, fmt.Sprintf("%q, but the plan takes %d iterations", note, p.Iterations))
		case strings.HasPrefix(note, "optimal") && !nothingBetter:
			k.holds("notes", false, fmt.Sprintf("%q, but the search stopped for another reason: %q", note, p.Stop))
		case p.Inside != nil && strings.HasSuffix(note, "average exactly inside"):
			k.text("notes", note, fmt.Sprintf("%d groups of %d nodes average exactly inside", k.parties(), k.inside()))
		case strings.HasPrefix(note, "exact; "):
			k.text("notes", note, k.inSteps())
		default:
			others++
		}
	}
	for _, b := range []*design.Bound{p.Bound, p.DegreeBound} {
		if b != nil && b.Detail != "" {
			others++
		}
	}
	if b := p.TimeBound; b != nil && b.Detail != "" {
		others++
	}
	if others > 0 {
		k.unproved("notes, bound.detail", 0, fmt.Sprintf("text for people, %d in all", others))
	}
}

// inSteps says how long a collective is.
func (k *check) inSteps() string {
	if k.plan.Collective == nil {
		return "no collective"
	}
	steps, again := k.steps()
	count := float64(len(steps)) * again
	if chunks := k.plan.Collective.Chunks; chunks > 1 {
		return fmt.Sprintf("exact; %d chunks through %.0f steps", chunks, count)
	}
	return fmt.Sprintf("exact; %.0f steps", count)
}

// found returns what was found about a claim; nothing where it was not looked at.
func (k *check) found(claim string) Status {
	for _, f := range k.report {
		if f.Claim == claim {
			return f.Status
		}
	}
	return ""
}
