package advise

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/batopo/batopo/topology"
)

// simplerWithin is how much longer something simpler may take, one standard error worse, and still be preferred. So
// whatever changes training, or leaves machines out, gains more than that.
const simplerWithin = 0.1

// sameWithin is the same among what is equally simple, for a schedule that is known by name, gives all of its weight
// away or has fewer rounds. Runs that differ in nothing but the seed typically differ by as much, and runs were made
// with schedules known by name only.
const sameWithin = 0.04

// worthRounding is how much sooner parameters of fewer bits must be than parameters as they are.
const worthRounding = simplerWithin

// Choose returns the position of the candidate to recommend: the one that is soonest when links and convergence model
// disappoint, or one that is simpler and hardly later.
func Choose(all []Candidate) int {
	measured := slices.DeleteFunc(topology.InOrder(len(all)), func(k int) bool { return all[k].Unmeasured != "" })
	near := least(within(all, measured, simplerWithin), func(k int) int { return all[k].complication() })
	alike := least(within(all, near, sameWithin), func(k int) int { return all[k].trouble() })
	alike = preferred(alike, func(k int) bool { return !all[k].special })
	alike = preferred(alike, func(k int) bool { return !all[k].lazy })
	return slices.MinFunc(alike, func(a, b int) int {
		return cmp.Or(all[a].period()-all[b].period(), cmp.Compare(all[a].PessimisticMS, all[b].PessimisticMS))
	})
}

// within returns the candidates that are hardly later than the soonest of them, one standard error worse and by what is
// likely: what changes training has a wide error, which alone is no reason against it.
func within(all []Candidate, some []int, share float64) (near []int) {
	likely := func(k int) float64 { return all[k].PessimisticMS * math.Exp(-all[k].Deviation) }
	soonest := slices.MinFunc(some, func(a, b int) int { return cmp.Compare(all[a].PessimisticMS, all[b].PessimisticMS) })
	for _, k := range some {
		if all[k].PessimisticMS <= all[soonest].PessimisticMS*(1+share) && likely(k) <= likely(soonest)*(1+share) {
			near = append(near, k)
		}
	}
	return near
}

// least returns the candidates that have least of something.
func least(some []int, of func(k int) int) []int {
	most := of(slices.MinFunc(some, func(a, b int) int { return of(a) - of(b) }))
	return slices.DeleteFunc(some, func(k int) bool { return of(k) > most })
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

// complication orders candidates by how much there is to get wrong: by kind, and the machines that do not take part
// after those that do. Whatever leaves nodes with different parameters after a round is gossip.
func (c Candidate) complication() int {
	kinds := []Kind{DDP, HalfDDP, Accumulated, Alone, Hook, HalfHook, FSDP, HSDP, Collective, TwoClocks}
	sum := 10 * slices.Index(kinds, c.Kind)
	switch {
	case !c.Kind.exact():
		sum = 10 * len(kinds)
	case c.On != nil && c.Kind.Sharded():
		sum++
	case c.On != nil && c.Kind != Alone:
		sum = 10*slices.Index(kinds, Alone) + 1 + slices.Index(kinds, c.Kind)
	case c.Shares != nil:
		sum = 10*slices.Index(kinds, HalfDDP) + 1 + slices.Index(kinds, c.Kind)
	}
	return sum
}

// trouble orders what is equally complicated: by the steps between averages, whether runs were like it, and what is
// known by fewer.
func (c Candidate) trouble() int {
	sum := 100*bits.Len(uint(c.Every-1)) + slices.Index([]Kind{TwoLevel, Static, Scheduled}, c.Kind)
	if len(c.Outside) > 0 {
		sum += 10
	}
	return sum
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
