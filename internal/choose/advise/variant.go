package advise

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
)

// best returns a process with the H, the order and the overlap that suit it best on a cluster.
func (w *predictor) best(p *process, s scene) (Candidate, error) {
	w.remember(p)
	least, err := w.least(p, s, math.Inf(1))
	if err != nil {
		return Candidate{}, err
	}
	return w.complete(least)
}

// A variant is a process with an H and an order, ranked but not yet predicted in full.
type variant struct {
	Candidate
	iterations
	compute *cost.Draws
	lateMS  float64 // of an iteration over slower links
	rough   bool    // lateMS, and what follows from it, is an estimate that was far above a limit
}

// The iterations of a job: what nodes do in most of them, and in the first steps, which are a share of all.
type iterations struct {
	waits *cost.Process
	first *cost.Process // averages gradients of all nodes
	share float64
}

// mean is how long an iteration takes, over all steps.
func (i iterations) mean(compute *cost.Draws) (float64, error) {
	ms, err := i.waits.MeanOver(compute, 0)
	if err != nil || i.share == 0 {
		return ms, err
	}
	first, err := i.first.MeanOver(compute, 0)
	return i.share*first + (1-i.share)*ms, err
}

// least returns the variant of a process that is ranked first, in 16 bits where that is worth it. Those that are ranked
// above a limit are of no interest, and may be estimated only.
func (w *predictor) least(p *process, s scene, limitMS float64) (best variant, err error) {
	if p.half == nil || p.half.changes() && !w.setting.changes() {
		best, err = w.leastOn(p, s, limitMS)
		best.process = p.name
		return best, err
	}
	const worth = 1 - worthRounding
	best, err = w.leastOn(p, s, limitMS/worth)
	if err != nil && !errors.Is(err, errNoRival) {
		return best, err
	}
	most := limitMS
	if err == nil {
		most = min(most, worth*best.PessimisticMS)
	}
	if rounded, none := w.leastOn(p.half, s, most); none == nil && (err != nil || rounded.PessimisticMS <= most) {
		best, err = rounded, nil
	}
	best.process = p.name
	return best, err
}

// leastOn is the same on the wire of the process.
func (w *predictor) leastOn(p *process, s scene, limitMS float64) (variant, error) {
	s, err := w.sceneOf(p, s)
	if err != nil {
		return variant{}, err
	}
	price, err := w.cost(p, s)
	if err != nil {
		return variant{}, err
	}
	var all []variant
	if p.timed() && w.table != nil {
		all, err = w.clockVariants(p, price, s, limitMS)
	} else {
		all, err = w.variants(p, price, s.compute, limitMS)
	}
	if err != nil {
		return variant{}, err
	}
	if len(all) == 0 && !math.IsInf(limitMS, 1) {
		return variant{}, errNoRival
	}
	if len(all) == 0 {
		return variant{}, cmp.Or(w.epochs(p, 1, design.AdaptThenCombine).unknown, errDiverges)
	}
	return slices.MinFunc(all, func(a, b variant) int { return cmp.Compare(a.PessimisticMS, b.PessimisticMS) }), nil
}

// variants lists a process with every H, step and round one after the other or side by side. Side by side means
// combine, then adapt: what travels is there before the gradient, so nothing is stale.
func (w *predictor) variants(p *process, price priced, compute *cost.Draws, limitMS float64) ([]variant, error) {
	if p.kind.Gradients() {
		v, err := w.inBuckets(p, price, compute, limitMS)
		return []variant{v}, err
	}
	var out []variant
	for _, every := range w.setting.intervals() {
		if p.slow(every) {
			break
		}
		before := len(out)
		for _, order := range []design.Order{design.AdaptThenCombine, design.CombineThenAdapt} {
			if order == design.CombineThenAdapt && p.changes() {
				continue // changes are from what the last average gave
			}
			g := w.epochs(p, every, order)
			if g.unknown != nil || hopeless(g.pessimistic, compute, limitMS) || w.diverges(p, every, order) {
				continue
			}
			delay := cost.DelayOf(order == design.CombineThenAdapt)
			now, late := iterations{waits: price.waits.Running(every, delay)}, price.slower().Running(every, delay)
			v, err := w.predict(p, price, g, every, now, iterations{waits: late}, compute, limitMS)
			if err != nil {
				return nil, err
			}
			v.Order, v.Overlap = order, delay > 0
			out, limitMS = append(out, v), min(limitMS, v.PessimisticMS)
		}
		if len(out) == before {
			continue
		}
		// Where rounds cost nothing, fewer of them gain nothing.
		if free, err := w.hidden(out[len(out)-1], compute); free || err != nil {
			return out, err
		}
	}
	return out, nil
}

// wellAbove is how many times a limit something must be estimated at to be given up.
const wellAbove = 1.04

// errNoRival says that nothing of a process comes near a limit.
var errNoRival = errors.New("it is far above the limit")

// hopeless reports whether a number of epochs is well above a limit although nobody waits for anything but the slowest
// node.
func hopeless(epochs float64, compute *cost.Draws, limitMS float64) bool {
	return slices.Max(compute.Compute.MS)*epochs > wellAbove*limitMS
}

// hidden is how many times the compute time an iteration may take and still be said to hide its communication.
const hidden = 1.02

// hidden reports whether the rounds of a variant cost next to nothing, as predicted.
func (w *predictor) hidden(v variant, compute *cost.Draws) (bool, error) {
	most := hidden * slices.Max(compute.Compute.MS)
	switch {
	case !v.rough && v.lateMS <= most:
		return true, nil // even over slower links
	case v.lateMS > wellAbove*SlowerLinks*most:
		return false, nil // no iteration is longer by more than its links are slower
	}
	ms, _, err := w.below(most, v.waits, compute)
	return ms <= most, err
}

// SlowerLinks is how many times as long communication may take as predicted. Links that others use too, or that
// were measured on a better day, are slower than described; a round that only just hides behind the gradient then
// does not.
const SlowerLinks = 1.1

// predict returns what a variant is ranked by, with the epochs of a guess and a round after that many steps; late are
// its iterations over slower links.
func (w *predictor) predict(p *process, price priced, g guess, every int, now, late iterations, compute *cost.Draws,
	limitMS float64) (variant, error) {
	excess := w.setting.excess(p, every)
	ms, rough, err := w.below(limitMS/g.pessimistic-excess, late.waits, compute)
	if err == nil && late.share > 0 {
		ms, err = late.mean(compute)
		rough = false
	}
	ms = atLeast(ms+excess, compute)
	return variant{iterations: now, compute: compute, lateMS: ms, rough: rough, Candidate: Candidate{
		Name: p.name, Text: p.text, Kind: p.kind, Machines: p.Machines, excess: excess,
		Every: every, Order: design.AdaptThenCombine, Bottleneck: price.bottleneck,
		CommunicationMS: price.meanMS, LongestMS: price.longestMS, Epochs: g.epochs, Deviation: g.deviation,
		PessimisticMS: ms * g.pessimistic, Outside: g.outside, Rate: g.steps.Rate, Source: g.steps.Source,
		RunParameters: g.steps.Parameters, RunLength: g.steps.Length,
		Plan: p.plan, Meeting: p.meeting.every(every), lazy: p.lazy, special: p.special,
		Numerics: w.numerics(p), Unmeasured: p.unmeasured, Shards: p.shards,
	}}, err
}

// below is how long an iteration takes. Where it takes well above a limit although nobody waits for late nodes, it is
// the time without waiting. Where compute times vary and an estimate from an eighth of the iterations is well above a
// limit, it is the estimate. All draw the same compute times, so estimates err alike.
func (w *predictor) below(limitMS float64, waits *cost.Process, compute *cost.Draws) (ms float64, rough bool,
	err error) {
	const part = 8
	if ms = waits.Floor(compute.Compute); len(waits.Rounds) > 0 && ms > wellAbove*limitMS {
		return ms, true, nil
	}
	if compute.Compute.Varies() && !math.IsInf(limitMS, 1) {
		if ms, err = waits.MeanOver(compute, cost.Iterations(waits.Nodes)/part); err != nil || ms > wellAbove*limitMS {
			return ms, true, err
		}
	}
	ms, err = waits.MeanOver(compute, 0)
	return ms, false, err
}

// atLeast is a time of an iteration, which nobody computes faster.
func atLeast(ms float64, compute *cost.Draws) float64 { return max(ms, slices.Max(compute.Compute.MS)) }

// complete predicts the rest of a variant: its times over links as they are described.
func (w *predictor) complete(v variant) (Candidate, error) {
	ms, err := v.mean(v.compute)
	ms = v.added(atLeast(ms+v.excess, v.compute), v.compute)
	if tried, ok := w.setting.measured(v.Candidate); ok {
		ms, v.Tried = tried, true
	}
	v.IterationMS, v.PredictedMS = ms, ms*v.Epochs
	return v.Candidate, err
}
