package mixing

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// maxScheduleRounds limits how far Iterations looks, as maxPower does for one matrix.
const maxScheduleRounds = maxPower

// Iterations returns the first number of rounds k ≥ 1 with ‖W_{k−1} … W₀ − J‖_F ≤
// target; ok is false when a period does not bring the error down or 2⁴⁰ rounds are not enough.
// It costs O(n·arcs) for each of the first n rounds, and O(n³ log k) for all that follow, up to DirectedLimit nodes;
// when ctx ends first, its error is returned.
func (s *Schedule) Iterations(ctx context.Context, target float64) (k int, ok bool, err error) {
	d, err := s.newDeviation()
	if err != nil || !(target > 0) {
		return 0, false, err
	}
	period := len(s.Rounds)
	before := math.Inf(1) // the error one period ago
	for k := 1; k <= maxScheduleRounds; k++ {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		d.apply(s.Round(k - 1))
		now := d.frobenius()
		if now <= target {
			return k, true, nil
		}
		if k%period != 0 {
			continue
		}
		// Doubly stochastic rounds never raise the error, and a period that lowers
		// it by less than rounding does will not lower it later.
		if !(now < before*(1-NearUnity)) {
			return 0, false, nil
		}
		before = now
		if k >= max(s.Nodes(), 2*period) {
			return s.leap(ctx, target)
		}
	}
	return 0, false, nil
}

// leap is Iterations for slow schedules: it passes over the periods that leave more than the target by powers of what
// one period does, and walks through the next.
func (s *Schedule) leap(ctx context.Context, target float64) (k int, ok bool, err error) {
	d, err := s.newDeviation()
	if err != nil {
		return 0, false, err
	}
	for _, w := range s.Rounds {
		d.apply(w)
	}
	// Stored transposed, like their powers; no norm minds. Two periods of a slow schedule leave more than the target,
	// so there is a power before the first that suffices.
	n, period := s.Nodes(), len(s.Rounds)
	periods, before := firstPower(ctx, mat.NewDense(n, n, d.columns.Data), target, maxScheduleRounds/period+1)
	if periods == 0 {
		return 0, false, ctx.Err()
	}
	d.columns = before.RawMatrix()
	for t, w := range s.Rounds {
		d.apply(w)
		if k := (periods-1)*period + t + 1; k <= maxScheduleRounds && d.frobenius() <= target {
			return k, true, nil
		}
	}
	return 0, false, nil
}
