package advise

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/batopo/batopo/topology"
)

// simplerWithin is how much longer something simpler may take, one standard error worse, and still be preferred.
const simplerWithin = 0.02

// sameWithin is the same among schedules, for one that is known by name, gives all of its weight away or has fewer
// rounds. Runs that differ in nothing but the seed typically differ by as much, and runs were made with schedules known
// by name only.
const sameWithin = 0.04

// worthRounding is how much sooner gradients of fewer bits must be than gradients as they are.
const worthRounding = 0.1

// Choose returns the position of the candidate to recommend: the one that is soonest when links and convergence model
// disappoint, or one that is simpler and hardly later.
func Choose(all []Candidate) int {
	library, asGiven := math.Inf(1), math.Inf(1) // gradients as they are, by the library and by any all-reduce
	for _, c := range all {
		switch c.Kind {
		case DDP:
			library, asGiven = c.PessimisticMS, min(asGiven, c.PessimisticMS)
		case Hook:
			asGiven = min(asGiven, c.PessimisticMS)
		}
	}
	every := slices.DeleteFunc(topology.InOrder(len(all)), func(k int) bool {
		than := asGiven
		if all[k].Kind == HalfDDP {
			than = library // another all-reduce is no simpler than 16 bits
		}
		return all[k].Unmeasured != "" || all[k].Numerics != "" && all[k].PessimisticMS > (1-worthRounding)*than
	})
	near := within(all, every, simplerWithin)
	least := slices.MinFunc(near, func(a, b int) int { return all[a].complication() - all[b].complication() })
	alike := slices.DeleteFunc(within(all, every, all[least].tolerance()), func(k int) bool {
		return all[k].complication() != all[least].complication()
	})
	alike = preferred(alike, func(k int) bool { return !all[k].special })
	alike = preferred(alike, func(k int) bool { return !all[k].lazy })
	return slices.MinFunc(alike, func(a, b int) int {
		return cmp.Or(all[a].period()-all[b].period(), cmp.Compare(all[a].PessimisticMS, all[b].PessimisticMS))
	})
}

// within returns the candidates that are hardly later than the soonest of them.
func within(all []Candidate, some []int, share float64) (near []int) {
	soonest := math.Inf(1)
	for _, k := range some {
		soonest = min(soonest, all[k].PessimisticMS)
	}
	for _, k := range some {
		if !(all[k].PessimisticMS > soonest*(1+share)) {
			near = append(near, k)
		}
	}
	return near
}

// preferred returns the candidates for which is holds, or all where it holds for none.
func preferred(some []int, is func(k int) bool) (better []int) {
	for _, k := range some {
		if is(k) {
			better = append(better, k)
		}
	}
	if better == nil {
		return some
	}
	return better
}

// complication orders candidates by how much there is to get wrong.
func (c Candidate) complication() int {
	kinds := []Kind{DDP, HalfDDP, Hook, HalfHook, Collective, TwoClocks, TwoLevel, Static, Scheduled}
	sum := slices.Index(kinds, c.Kind) + 100*bits.Len(uint(c.Every-1))
	if len(c.Outside) > 0 {
		sum += 10
	}
	return sum
}

// tolerance is the least difference in time that counts between a candidate and another that is as complicated. Exact
// averages need as many epochs as each other, so only their links can disappoint.
func (c Candidate) tolerance() float64 {
	if c.Kind == Scheduled || c.Kind == TwoLevel {
		return sameWithin
	}
	return simplerWithin
}

// period is the number of rounds that differ; an all-reduce has none.
func (c Candidate) period() int {
	if c.Plan == nil {
		return 0
	}
	return len(c.Plan.Rounds)
}

// tied reports whether the convergence model's errors leave open which of two is sooner.
func tied(a, b Candidate) bool {
	return math.Abs(math.Log(a.PredictedMS/b.PredictedMS)) <= math.Hypot(a.Deviation, b.Deviation)
}
