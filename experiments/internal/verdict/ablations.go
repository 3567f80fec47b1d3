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

// warmStart: the median run from an annealed graph is better than the median run without one.
func warmStart(e *Evidence, _ Subject) (answer, error) {
	a := answer{holds: true, note: "median of single runs, annealed against random starts; holds if better at every size"}
	for _, n := range startSizes {
		annealed, err := e.starts(n, "annealed")
		if err != nil {
			return a, err
		}
		random, err := e.starts(n, "random")
		if err != nil {
			return a, err
		}
		const rounding = 1e-6 // of the weights
		a.holds = a.holds && annealed.Median() <= random.Median()+rounding
		a.shown += fmt.Sprintf("n = %d: %.4f, %.4f; ", n, annealed.Median(), random.Median())
	}
	a.shown = a.shown[:len(a.shown)-2]
	return a, nil
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
