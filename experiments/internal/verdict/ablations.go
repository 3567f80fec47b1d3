package verdict

import (
	"fmt"
	"math"
	"slices"

	"batopo/experiments/internal/measure"
)

// startSizes are the problems on which starts were compared.
var startSizes = []int{8, 16, 32}

func (e *Evidence) starts(n int, start string) (measure.Outcomes, error) {
	key := fmt.Sprintf("warm start/n=%d/%s", n, start)
	o, ok := e.Ablations.Find(key)
	if !ok {
		return o, errMissing{key}
	}
	return o, nil
}

// sensitive: seeds alone move the result of one run by more than a hundredth.
func sensitive(e *Evidence, _ Subject) (answer, error) {
	a := answer{note: "spread of single runs from random starts; sensitive: more than 1 % at the largest size"}
	for _, n := range startSizes {
		o, err := e.starts(n, "random")
		if err != nil {
			return a, err
		}
		spread := slices.Max(o.RAsym)/slices.Min(o.RAsym) - 1
		a.holds = spread > 0.01
		a.shown += fmt.Sprintf("n = %d: %.4f–%.4f; ", n, slices.Min(o.RAsym), slices.Max(o.RAsym))
	}
	a.shown = a.shown[:len(a.shown)-2]
	return a, nil
}

// warmStart: runs from an annealed graph end at smaller factors than runs from random weights, at every size
// where the two can be told apart; open when they nowhere can.
func warmStart(e *Evidence, _ Subject) (answer, error) {
	a := answer{holds: true, open: true, note: "median of single runs, annealed against random starts, and the two-sided p of a rank test; sizes with p above 5 % say nothing"}
	for _, n := range startSizes {
		annealed, err := e.starts(n, "annealed")
		if err != nil {
			return a, err
		}
		random, err := e.starts(n, "random")
		if err != nil {
			return a, err
		}
		p := rankTest(annealed.RAsym, random.RAsym)
		if p <= 0.05 {
			a.open = false
			a.holds = a.holds && annealed.Median() < random.Median()
		}
		a.shown += fmt.Sprintf("n = %d: %.4f, %.4f, p = %.2f; ", n, annealed.Median(), random.Median(), p)
	}
	a.shown = a.shown[:len(a.shown)-2]
	return a, nil
}

// rankTest returns the two-sided p-value of the test of Mann and Whitney by its normal approximation, ties counted half: how often
// two samples of one distribution would differ so much in rank.
func rankTest(a, b []float64) float64 {
	const tie = 1e-6 // r_asym is found to about this
	wins := 0.0
	for _, x := range a {
		for _, y := range b {
			switch {
			case math.Abs(x-y) <= tie:
				wins += 0.5
			case x < y:
				wins++
			}
		}
	}
	n, m := float64(len(a)), float64(len(b))
	z := math.Abs(wins-n*m/2) / math.Sqrt(n*m*(n+m+1)/12)
	return math.Erfc(z / math.Sqrt2)
}

// scales reports the largest size solved. The paper's own largest is 128 as well, so "hundreds" is one hundred.
func scales(e *Evidence, who Subject) (answer, error) {
	method := map[Subject]string{Method: "admm", Ours: "auto"}[who]
	a := answer{}
	largest := 0
	for _, row := range e.Ablations.Rows {
		var n int
		if _, err := fmt.Sscanf(row.Key, "scaling/n=%d/"+method, &n); err != nil || row.Key != fmt.Sprintf("scaling/n=%d/%s", n, method) || n < largest {
			continue
		}
		largest = n
		a.holds = n > 100 && !math.IsInf(row.Value.Best(), 1)
		a.shown = fmt.Sprintf("n = %d in %.1f s, r_asym %.4f", n, row.Value.Seconds, row.Value.Best())
	}
	if largest == 0 {
		return a, errMissing{"scaling/…/" + method}
	}
	return a, nil
}
