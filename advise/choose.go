package advise

import (
	"cmp"
	"math"
	"slices"
)

// simplerWithin is how much longer something simpler may take, one standard error worse, and still be preferred.
const simplerWithin = 0.02

// sameWithin is the same among schedules, for one that is known by name or has fewer rounds. Runs that differ in
// nothing but the seed typically differ by as much, and runs were made with schedules known by name only.
const sameWithin = 0.05

// Choose returns the position of the candidate to recommend: the one that is soonest when links and law disappoint, or
// one that is simpler and hardly later.
func Choose(all []Candidate) int {
	best := 0
	for k, c := range all {
		if c.CautiousMS < all[best].CautiousMS {
			best = k
		}
	}
	within := func(c Candidate, share float64) bool { return c.CautiousMS <= all[best].CautiousMS*(1+share) }
	chosen := best
	for k, c := range all {
		order := cmp.Or(cmp.Compare(c.complication(), all[chosen].complication()),
			cmp.Compare(c.CautiousMS, all[chosen].CautiousMS))
		if order < 0 && within(c, simplerWithin) {
			chosen = k
		}
	}
	alike := all[chosen].complication()
	for k, c := range all {
		if c.complication() == alike && within(c, c.told()) && c.handier(all[chosen]) {
			chosen = k
		}
	}
	return chosen
}

// complication orders candidates by how much there is to get wrong.
func (c Candidate) complication() int {
	kinds := []Kind{DDP, Collective, TwoLevel, Static, Scheduled}
	sum := 2*slices.Index(kinds, c.Kind) + 100*slices.Index(Everies, c.Every)
	if c.lazy {
		sum++
	}
	if len(c.Outside) > 0 {
		sum += 10
	}
	return sum
}

// told is the least difference in time that counts between a candidate and another that is as complicated. Exact
// averages need as many epochs as each other, so only their links can disappoint.
func (c Candidate) told() float64 {
	if c.Kind == Scheduled || c.Kind == TwoLevel {
		return sameWithin
	}
	return simplerWithin
}

// handier reports whether a candidate is simpler to run, and to talk about, than another of its kind: its name says
// what it is, or it has fewer rounds in a period; of equals the sooner one.
func (c Candidate) handier(than Candidate) bool {
	if c.special != than.special {
		return than.special
	}
	return cmp.Or(cmp.Compare(c.period(), than.period()), cmp.Compare(c.CautiousMS, than.CautiousMS)) < 0
}

// period is the number of rounds that differ; an exact average has none.
func (c Candidate) period() int {
	if c.Plan == nil {
		return 0
	}
	return len(c.Plan.Rounds)
}

// tied reports whether the law's errors leave open which of two is sooner.
func tied(a, b Candidate) bool {
	return math.Abs(math.Log(a.PredictedMS/b.PredictedMS)) <= math.Hypot(a.Deviation, b.Deviation)
}
