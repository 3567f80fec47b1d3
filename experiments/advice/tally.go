package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// goal is the regret that a recommendation should at most have.
const goal = 0.10

// A tally counts choices.
type tally struct {
	choices, good, never int
	sum, worst           float64 // of those that reached the target
	exactGood, exacts    int     // of always taking exact averaging, where it was run
}

func (t *tally) add(v *verdict) {
	t.choices++
	switch {
	case math.IsInf(v.regret, 1):
		t.never++
	default:
		t.sum += v.regret
		t.worst = max(t.worst, v.regret)
	}
	if v.regret <= goal {
		t.good++
	}
	if !math.IsNaN(v.exact) {
		t.exacts++
		if v.exact <= goal {
			t.exactGood++
		}
	}
}

// mean is the mean over choices that reached the target.
func (t *tally) mean() float64 { return t.sum / float64(t.choices-t.never) }

func writeTallies(w io.Writer, all map[string]*tally) {
	fmt.Fprintln(w, "\n| skew, norm, momentum | choices | regret at most 10 % | mean | worst | never | "+
		"always exact: at most 10 % |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, key := range slices.Sorted(maps.Keys(all)) {
		t := all[key]
		fmt.Fprintf(w, "| %s | %d | %d | %s | %s | %d | %d of %d |\n", key, t.choices, t.good, percent(t.mean()),
			percent(t.worst), t.never, t.exactGood, t.exacts)
	}
}
