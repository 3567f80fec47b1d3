package verify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/format/trial"

	"gonum.org/v1/gonum/stat"
)

// CheckTrial recomputes what a trial says about its own measurements, and checks the plans in it as [Check] does. What
// only the machines know is listed as not proved.
func CheckTrial(ctx context.Context, t *trial.Trial) (Report, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	k := &check{}
	spent := 0.0
	for i, w := range t.Ways {
		at := fmt.Sprintf("ways[%d]: ", i)
		if w.Ran() {
			k.wayTimes(at, w)
			spent += leastSpent(w)
		}
		k.wayPlan(at, t, w)
	}
	k.atMost("seconds", t.Seconds, spent/1e3, "the iterations of all ways together took longer")
	k.fastest(t)
	k.computing(t)
	k.unproved("unchanged, gradient_mb, ways: names and times", 0, "not checked: only the machines know what the model "+
		"was before, how large its gradients are, what ran under which name and how long it took"+sizesOf(t))
	for i, p := range t.ReadPlans() {
		k.holds(fmt.Sprintf("plans[%d]: names", i), slices.Equal(p.Names, t.ReadPlans()[0].Names),
			"it is for other machines than plans[0]; a trial runs on one set")
		found, err := Check(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("plans[%d]: %w", i, err)
		}
		for _, f := range found {
			f.Claim = fmt.Sprintf("plans[%d]: %s", i, f.Claim)
			k.report = append(k.report, f)
		}
	}
	return k.report, nil
}

// sizesOf says where plans are for other gradients than the trial had.
func sizesOf(t *trial.Trial) (text string) {
	for i, p := range t.ReadPlans() {
		c, err := cluster.New(p.Cluster)
		if err == nil && math.Abs(c.Model().MessageMB-t.GradientMB) > 0.01*t.GradientMB {
			text += fmt.Sprintf("; gradient_mb is %.6g, plans[%d] is for %.6g", t.GradientMB, i, c.Model().MessageMB)
		}
	}
	return text
}

// computing holds the compute times of the ranks against the way without exchange, whose blocks are those of the rank
// that was slowest in each.
func (k *check) computing(t *trial.Trial) {
	const noise = 1.5 // of one rank, from block to block
	for i, w := range t.Ways {
		if w.Kind == trial.Alone && w.Ran() && len(t.ComputeMS) > 0 {
			slowest, least, most := slices.Max(t.ComputeMS), slices.Min(w.BlocksMS), max(w.P90MS, slices.Max(w.BlocksMS))
			k.holds("compute_ms", slowest <= noise*most && slowest >= least/noise,
				fmt.Sprintf("the slowest rank takes %.6g, ways[%d], %s, %.6g", slowest, i, w.Kind, w.MeasuredMS))
		}
	}
}

// rounded is by how much times differ that were rounded to a thousandth of a millisecond.
const rounded = 0.001

// wayTimes checks the summary of the blocks of a way.
func (k *check) wayTimes(at string, w trial.Way) {
	k.number(at+"measured_ms", w.MeasuredMS, median(w.BlocksMS), rounded)
	k.holds(at+"p10_ms and p90_ms", w.P10MS <= w.P90MS && slices.Min(w.BlocksMS) <= w.P90MS+rounded &&
		slices.Max(w.BlocksMS) >= w.P10MS-rounded,
		"a tenth of times is below p10_ms and a tenth above p90_ms; the medians of blocks cannot all lie there")
}

// leastSpent is how many milliseconds the iterations of a way took at least: nine in ten took p10_ms or more.
func leastSpent(w trial.Way) float64 {
	return 0.9*float64(w.Iterations)*w.P10MS - rounded*float64(w.Iterations)
}

// wayPlan checks what is said about the plan of a way.
func (k *check) wayPlan(at string, t *trial.Trial, w trial.Way) {
	p, ok := t.PlanOf(w)
	switch {
	case ok:
		k.number(at+"every", float64(w.Every), float64(p.Every), 0)
		if w.PredictedMS != nil {
			k.unproved(at+"predicted_ms", *w.PredictedMS, "of an older version; predictions are those of plan --trial")
		}
	case w.Plan != nil:
		k.unproved(at+"plan", 0, "the plan is not in the file")
	}
}

// fastest checks which way leads by more than twice the standard error of it and of the next.
func (k *check) fastest(t *trial.Trial) {
	ran := slices.DeleteFunc(slices.Clone(t.Ways), func(w trial.Way) bool { return !w.Ran() || w.Kind == trial.Alone })
	slices.SortStableFunc(ran, func(a, b trial.Way) int { return cmp.Compare(median(a.BlocksMS), median(b.BlocksMS)) })
	leads := ""
	if len(ran) == 1 || len(ran) > 1 && median(ran[1].BlocksMS)-median(ran[0].BlocksMS) >
		2*math.Hypot(standardError(ran[0].BlocksMS), standardError(ran[1].BlocksMS)) {
		leads = ran[0].Name
	}
	claimed := ""
	if t.Fastest != nil {
		claimed = *t.Fastest
	}
	k.text("fastest", claimed, leads)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	return (sorted[half] + sorted[(len(sorted)-1)/2]) / 2
}

// standardError returns the standard error of the mean, and infinity for a single value.
func standardError(values []float64) float64 {
	if len(values) < 2 {
		return math.Inf(1)
	}
	return stat.StdErr(stat.StdDev(values, nil), float64(len(values)))
}
