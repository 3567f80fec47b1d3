package present

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/report"
)

// WritePlan describes a plan in a few lines for people.
func WritePlan(w io.Writer, p *design.Plan) error {
	var b strings.Builder
	row := sweep.PlanRow(p.Method, p)
	fmt.Fprintf(&b, "%s on %d nodes, %s\n", p.Method, p.Nodes, kindOf(p))
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-18s "+format+"\n", append([]any{name}, args...)...)
	}
	switch {
	case p.Kind == design.CollectiveKind:
		line("pairs", "%d in all, at most %s at a time", row.Edges, Count(p.MaxDegree, "peer"))
	case !p.Static():
		line("rounds", "%d per period, %s in all, at most %s per round",
			len(p.Rounds), Count(row.Edges, "pair"), Count(p.MaxDegree, "peer"))
	default:
		line("edges", "%d, largest degree %d", row.Edges, p.MaxDegree)
	}
	line("r_asym", "%.6f%s", p.RAsym, rAsymNote(p))
	if p.Lambda2 != nil {
		line("eigenvalues", "second %s, smallest %s", fixed(*p.Lambda2, 6), fixed(*p.LambdaN, 6))
	}
	if p.Bound != nil {
		line("lower bound", "%s: %s", fixed(p.Bound.RAsym, 6), p.Bound.Detail)
		if p.Gap != nil {
			line("gap", "at most %.2f %% above the best possible%s", 100**p.Gap, gapInRounds(p))
		}
	}
	if why := p.WhyNoBound(); why != "" && p.Kind == design.GossipKind {
		line("lower bound", "none: %s", why)
	}
	if p.DegreeBound != nil {
		line("at this degree", "%s: %s", fixed(p.DegreeBound.RAsym, 6), p.DegreeBound.Detail)
	}
	if p.WeightsBound != nil {
		line("weights", "no weights on these edges reach below %s (certificate)", fixed(p.WeightsBound.RAsym, 9))
	}
	line("slowest edge", "%s", report.Rate(p.MinEdgeGBs))
	line("a round takes", "%s", roundText(p))
	if p.Iterations > 0 {
		line(fmt.Sprintf("to error %.0e", p.TargetError), "%s, %s", Count(p.Iterations, "round"), report.Time(p.TimeMS))
	}
	if !p.Static() && p.Plain() == nil {
		line("fewest rounds", "%d to that error, for any schedule of at most %s per round",
			design.FewestRounds(p.Nodes, p.MaxDegree, p.TargetError), Count(p.MaxDegree, "peer"))
	}
	if b := p.TimeBound; b != nil {
		what := "schedule"
		if b.Whole {
			what = "schedule of whole messages"
		}
		line("least time", "%s for any %s: %s", report.Time(b.MS), what, b.Detail)
	}
	for _, n := range p.Notes {
		line("note", "%s", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// nearOne is the r_asym from which on a small gap hides many rounds.
const nearOne = 0.9

// gapInRounds says how many times the rounds of the bound a plan needs, where r_asym is near 1.
func gapInRounds(p *design.Plan) string {
	if p.RAsym < nearOne || p.RAsym >= 1 || *p.Gap == 0 {
		return ""
	}
	return fmt.Sprintf(", at most %s times the rounds", fixed(math.Log(p.Bound.RAsym)/math.Log(p.RAsym), 2))
}

// roundText says how long rounds take, of unequal ones the shortest and the longest.
func roundText(p *design.Plan) string {
	if len(p.RoundMS) > 1 {
		least, most := report.Time(slices.Min(p.RoundMS)), report.Time(slices.Max(p.RoundMS))
		if least != most {
			return fmt.Sprintf("%s to %s", least, most)
		}
	}
	return report.Time(p.CommunicationMS)
}

// kindOf says in a few words what the rounds of a plan are.
func kindOf(p *design.Plan) string {
	switch {
	case p.Kind == design.CollectiveKind && p.Inside != nil:
		return fmt.Sprintf("exact among %d groups of %d, gradients inside", len(p.Inside.Groups), len(p.Inside.Groups[0]))
	case p.Kind == design.CollectiveKind:
		return "exact"
	case p.Inside != nil:
		return fmt.Sprintf("hierarchical averaging, %d groups of %d", len(p.Inside.Groups), len(p.Inside.Groups[0]))
	case p.Directed:
		return "directed"
	}
	return "undirected"
}

// rAsymNote says how r_asym is meant where the number alone would mislead.
func rAsymNote(p *design.Plan) string {
	const rounding = 1e-6 // of printed digits
	switch {
	case p.RAsymKind == design.Estimate:
		return " (estimate)"
	case !p.Static() && p.RAsym > 1-rounding && p.Iterations > 0:
		return " (one period does not shrink the whole consensus error; several do)"
	}
	return ""
}
