package present

import (
	"errors"
	"fmt"
	"strings"

	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// OutcomeText says why a budget of a sweep has no plan, or why its plan is not recommended; "" where neither is so.
func OutcomeText(s *sweep.Sweep, o sweep.Outcome) string {
	switch o.Status {
	case sweep.Outpaced:
		return fmt.Sprintf("exact, but ring all-reduce averages exactly in %s", report.Time(o.CollectiveMS))
	case sweep.SamePlan:
		return fmt.Sprintf("the plan of %d edges again", len(s.Outcomes[o.SameAs].Plan.Edges()))
	case sweep.Hopeless:
		return proofText(s.Criterion, o.Proof) + ", which cannot beat " + scoreText(s.Criterion, o.Proof.Best)
	case sweep.Infeasible, sweep.Undecided:
		return Reason(o.Err)
	case sweep.ShareSpent:
		return "no plan was met in its share of the search"
	case sweep.NotAttempted:
		return "not solved: the search was stopped"
	}
	return ""
}

func proofText(by sweep.Criterion, p *sweep.Proof) string {
	if by == sweep.PerNeighbor {
		return fmt.Sprintf("at least %s per iteration over at most %.4g neighbours",
			report.Time(p.IterationMS), p.Neighbors)
	}
	return fmt.Sprintf("at least %d rounds of %s", p.Rounds, report.Time(p.RoundMS))
}

func scoreText(by sweep.Criterion, score float64) string {
	if by == sweep.PerNeighbor {
		return report.Time(score) + " per neighbour"
	}
	return report.Time(score)
}

// BeyondText says what is known about budgets larger than the listed ones; "" where there are none.
func BeyondText(s *sweep.Sweep) string {
	b := s.Beyond
	more := fmt.Sprintf("of more than %d edges", b.Edges)
	switch {
	case b.Status == sweep.NotAttempted && s.Criterion == sweep.ByRate:
		return "Budgets " + more + " were not looked at: " +
			"more edges never make the rate worse, so ask for the number that you can afford."
	case b.Status == sweep.NotAttempted:
		return "Budgets " + more + " were not looked at: the search was stopped."
	case b.GaveUp:
		return "Budgets " + more + " are tried in " + stepText(b) + " until two in a row are worse than the best."
	case b.Growth > 0 && b.Status == sweep.Hopeless:
		return "Budgets " + more + " are tried in " + stepText(b) + "; the steps not listed cannot beat " +
			scoreText(s.Criterion, b.Best) + "."
	case b.Growth > 0:
		return "Budgets " + more + " are tried in " + stepText(b) + "."
	case b.Status == sweep.Hopeless:
		return "No budget " + more + " can beat " + scoreText(s.Criterion, b.Best) + "."
	}
	return ""
}

func stepText(b sweep.Beyond) string { return fmt.Sprintf("steps of %d %%", 100/b.Growth) }

// HeuristicText says how plans were ranked where that is not a proved or computed time; "" otherwise.
func HeuristicText(s *sweep.Sweep) string {
	if s.Criterion != sweep.PerNeighbor {
		return ""
	}
	return fmt.Sprintf("ranked by time per iteration over the effective number of neighbours at γ = %v: "+
		"a rule of thumb, not a prediction of training time", sweep.NoiseDecay)
}

// noGraphText is the sentence about a cluster for which no static graph was found.
func noGraphText(err error) string {
	verb, why := "fits", Reason(err)
	var caps *feasible.Unconnected
	if errors.Is(err, sweep.ErrNotSearched) {
		return strings.ToUpper(why[:1]) + why[1:] + "."
	}
	if errors.As(err, &caps) {
		why = caps.Why()
	} else if errors.Is(err, feasible.ErrUndecided) {
		verb = "was found"
	}
	return fmt.Sprintf("No connected static graph %s: %s.", verb, why)
}

// SkippedText says why a baseline has no row.
func SkippedText(s sweep.Skipped) string {
	if s.Late() {
		return "not priced: the time ran out"
	}
	return Reason(s.Err)
}
