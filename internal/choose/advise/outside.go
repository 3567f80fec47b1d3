package advise

import (
	"fmt"
	"math"
	"slices"
)

// fileRounding is how the numbers are rounded in the convergence model's file, and far more than what eigenvalues of 0
// are below it.
const fileRounding = 1e-3

// Outside says in which ways a process on that many nodes lies outside of what the runs were; nil: in none.
func (l *Convergence) Outside(f Features, nodes int) []string {
	var out []string
	if low, high := slices.Min(l.Domain.Nodes), slices.Max(l.Domain.Nodes); nodes < low || nodes > high {
		out = append(out, fmt.Sprintf("%d nodes (measured: %d to %d; the error is taken %.2g times as large)", nodes, low,
			high, l.beyond(nodes)))
	}
	for _, name := range []string{"spread", "negative", "pull"} {
		r, known := l.Domain.Ranges[name]
		if x := f.named(name); known && (x < r[0]-fileRounding || x > r[1]+fileRounding) {
			out = append(out, fmt.Sprintf("%s %.2f (measured: %.2f to %.2f)", name, x, r[0], r[1]))
		}
	}
	if every := math.Exp2(f.Steps); every > float64(slices.Max(l.Domain.Every))+fileRounding {
		out = append(out, fmt.Sprintf("averaging only every %.0f steps was never measured", every))
	}
	if unlike := l.skewUnlike(f.Skew); unlike != "" {
		out = append(out, unlike)
	}
	for _, g := range f.gaps(nodes) {
		if g.times > 1 {
			g.what += "; the error is taken twice as large"
		}
		out = append(out, g.what)
	}
	return out
}

// A gap is a combination that no run in the fit has, although each of its parts was measured.
type gap struct {
	there bool
	times float64 // as large is the error taken
	what  string
}

// gaps are those that a process on that many nodes falls into.
func (f Features) gaps(nodes int) []gap {
	const most = 16         // nodes with anything but adapt then combine in every step with local momentum
	const mostWeakSteps = 2 // log2 of the steps from one round to the next at a weak skew
	return slices.DeleteFunc([]gap{
		{f.weaklySkewed() && (f.CTA != 0 && f.Quasi != 0 || f.Steps > mostWeakSteps), 2,
			"at a weak skew cta with quasi-global momentum and H above 4 were never run"},
		{f.weaklySkewed() && f.Group != 0 && f.changed(), 2,
			"at a weak skew group norm was run only with adapt then combine in every step and local momentum"},
		{nodes > most && f.Quasi == 0 && f.changed(), 1, "on more than 16 nodes cta and H above 1 were never run"},
		{f.Quasi != 0 && (nodes > most || nodes < most && f.Skew != 0), 1,
			"quasi-global momentum was run on 8 and 16 nodes only, under skew on 16"},
		{f.Quasi != 0 && f.Skew == 0 && (nodes < most || f.Negative > fileRounding), 2, "quasi-global momentum without " +
			"skew was run on fewer than 16 nodes, or where W ⪰ 0 does not hold, nearly only with one stem of the network"},
		{f.lazyCTA(), 2, "cta at a skew above Dirichlet 1.0 was never run with rounds that change as little"},
		{f.CTA != 0 && f.Group != 0, 1, "cta with group norm was never measured"},
		{f.Skew == 0 && f.Group != 0, 1, "group norm without skew was measured only at a rate that is too large for it"},
	}, func(g gap) bool { return !g.there })
}

// guessed is how many times as large the error is taken for the combinations about which the convergence model only
// guesses.
func (f Features) guessed(nodes int) float64 {
	times := 1.0
	for _, g := range f.gaps(nodes) {
		times *= g.times
	}
	return times
}

// lazyCTA: combine then adapt above Dirichlet 1.0 with rounds that change less than any that were run so. Both gain
// there with the other absent; with W ⪰ 0, the closest that was run, nothing was left of what exact averaging lacks,
// and at a weak skew both together were worse than either.
func (f Features) lazyCTA() bool {
	const leastPull = -0.56 // of a static graph with 24 edges on 16 nodes
	return f.CTA != 0 && f.Skew > SkewOf(1) && f.Pull < leastPull
}

// weaklySkewed: there is a skew, and it is weaker than the strongest that was measured, Dirichlet(0.1).
func (f Features) weaklySkewed() bool { return f.Skew > 0 && f.Skew < SkewOf(0.1) }

// changed: anything but adapt then combine in every step with local momentum.
func (f Features) changed() bool { return f.CTA != 0 || f.Steps != 0 || f.Quasi != 0 }

// skewUnlike says how a skew differs from those that were measured; empty where it is one of them.
func (l *Convergence) skewUnlike(skew float64) string {
	strongest := 0.0
	for _, e := range l.Errors {
		if e.Skew == nil {
			continue
		}
		at := SkewOf(*e.Skew)
		if math.Abs(at-skew) < 1e-9 {
			return ""
		}
		strongest = max(strongest, at)
	}
	switch {
	case skew == 0:
		return ""
	case skew > strongest:
		return "a stronger skew than any that was measured"
	}
	return "a skew between those that were measured"
}
