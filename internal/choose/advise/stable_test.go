package advise

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/train"
)

// Nothing that quasi-global momentum drives apart is compared: a hypercube of 16 nodes every 8 or 16 steps, as the runs
// showed, and a schedule so slow that it is apart with an average in every step.
func TestWhatDivergesIsNotWeighed(t *testing.T) {
	alike := cost.Compute{MS: slices.Repeat([]float64{1}, 16), JitterMS: make([]float64, 16)}.Draws(1)
	slowRound := &cost.Process{Nodes: 16, Every: 1, Rounds: []cost.Exchange{{MS: 100}}}
	shapes := map[string]*shape{"exact": exactShape(16)}
	var err error
	if shapes["hypercube"], err = newShape(t.Context(), named(t, "one-peer-hypercube", 16)); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		momentum train.Momentum
		process  string
		most     int // the largest H that is compared
	}{
		{train.QuasiGlobal, "hypercube", 4}, {train.Local, "hypercube", 16}, {train.QuasiGlobal, "exact", 16},
	} {
		w := newPredictor(MeasuredConvergence(), Setting{Momentum: tc.momentum}.WithDefaults())
		p := &process{kind: Scheduled, shape: shapes[tc.process]}
		w.remember(p)
		price, err := costOf(slowRound, nil)
		if err != nil {
			t.Fatal(err)
		}
		all, err := w.variants(p, price, alike, math.Inf(1))
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for _, c := range all {
			most = max(most, c.Every)
		}
		if most != tc.most {
			t.Errorf("%s with %s momentum: H up to %d, want %d", tc.process, tc.momentum, most, tc.most)
		}
	}
	w := newPredictor(MeasuredConvergence(), Setting{Momentum: train.QuasiGlobal}.WithDefaults())
	p := &process{kind: Scheduled, shape: shapes["hypercube"],
		price: func(scene) (priced, error) { return costOf(slowRound, nil) }}
	for _, every := range Intervals {
		for _, order := range []design.Order{design.AdaptThenCombine, design.CombineThenAdapt} {
			w.remember(p).unstable[guessKey{every, order}] = true
		}
	}
	if _, err := w.best(p, scene{compute: alike}); !errors.Is(err, errDiverges) {
		t.Errorf("nothing of it is stable, and yet: %v", err)
	}
}
