package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// startSizes are the problems on which starts were compared, the bounded one on the first two.
var startSizes = []int{8, 16, 32}

// warmStart asks whether runs from an annealed graph end at smaller factors than runs from random weights, at every
// size where the two can be distinguished. It is asked of the start as printed, with all of the first weights on the
// graph, free in degree and bounded, and of ours, with half of them. It is open when no size distinguishes them,
// or when the starts disagree.
func warmStart(q *question) (Result, string) {
	free, text := q.againstRandom("annealed alone", startSizes)
	bounded, textBounded := q.againstRandom("bounded alone", startSizes[:2])
	half, textHalf := q.againstRandom("annealed", startSizes)
	shown := "all of the first weights on the graph: " + text + "; on one of bounded degree: " + textBounded +
		"; half of them: " + textHalf
	if free != half || free != bounded {
		return Open, shown
	}
	return free, shown
}

// againstRandom compares a start with random weights: it holds where ranks show it better at some size and worse at
// none, fails where they show it worse at one, and stays open where they show nothing.
func (q *question) againstRandom(start string, sizes []int) (helps Result, text string) {
	var shown []string
	for _, n := range sizes {
		at := func(start string) string { return fmt.Sprintf("ablations/warm start/n=%d/%s/", n, start) }
		p := rankTest(q.list("%sr_asym", at(start)), q.list("%sr_asym", at("random")))
		mine, random := q.number("%smedian", at(start)), q.number("%smedian", at("random"))
		switch {
		case p > 0.05:
		case mine > random:
			helps = Fails
		case helps == Open:
			helps = Holds
		}
		shown = append(shown, fmt.Sprintf("n = %d %.4f, %.4f, p = %.2g", n, mine, random, p))
	}
	return helps, strings.Join(shown, ", ")
}

// rankTest returns the two-sided p-value of the test of Mann and Whitney by its normal approximation: how often
// two samples of one distribution would differ so much in rank. Ties count half and make the variance of the
// ranks smaller: at 8 nodes most runs end at the optimum.
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
	all := slices.Sorted(slices.Values(slices.Concat(a, b)))
	tied, run := 0.0, 0.0
	for k := range all {
		run++
		if k+1 == len(all) || all[k+1]-all[k] > tie {
			tied += run*run*run - run
			run = 0
		}
	}
	variance := n * m / 12 * (n + m + 1 - tied/((n+m)*(n+m-1)))
	if variance <= 0 {
		return 1 // all values are the same
	}
	return math.Erfc(math.Abs(wins-n*m/2) / math.Sqrt(2*variance))
}
