package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/train"
)

// A race is all candidates of one block and momentum, listed before anything is predicted.
type race []run

// fewest is how many candidates a race needs to be a choice.
const fewest = 5

func races(runs []run) []race {
	var out []race
	for block := 0; ; block++ {
		by := map[string]race{}
		more := false
		for _, x := range runs {
			more = more || x.Block >= block
			if x.Block == block && x.candidate() {
				by[x.Momentum] = append(by[x.Momentum], x)
			}
		}
		if !more {
			return out
		}
		for _, momentum := range slices.Sorted(maps.Keys(by)) {
			if len(by[momentum]) >= fewest {
				out = append(out, by[momentum])
			}
		}
	}
}

func (r race) skewed() bool { return r[0].Skew != nil }

// judge chooses on a cluster and says what that costs.
func (r race) judge(ctx context.Context, on *ground) (*verdict, error) {
	setting := advise.Setting{Norm: advise.Norm(r[0].Norm), Momentum: train.Momentum(r[0].Momentum)}
	if r.skewed() {
		setting.Skew = *r[0].Skew
	}
	model := advise.MeasuredConvergence()
	candidates, measured := make([]advise.Candidate, len(r)), make([]float64, len(r))
	exact := -1
	for k, x := range r {
		ms, kind, err := on.iterationMS(ctx, x)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", x.name(), on.name, err)
		}
		deviation := model.ErrorAt(setting, x.Every)
		if x.exact() && x.Every == 1 {
			plain := x.Order == string(design.AdaptThenCombine)
			if plain {
				deviation = 0
			}
			if plain || exact < 0 {
				exact = k
			}
		}
		candidates[k] = advise.Candidate{Name: x.name(), Kind: kind, Every: x.Every, IterationMS: ms,
			PredictedMS: ms * x.Predicted, PessimisticMS: ms * x.Predicted * math.Exp(deviation), Deviation: deviation}
		measured[k] = ms * x.ToTarget
		if x.Censored {
			measured[k] = math.Inf(1) // it never got there
		}
	}
	chosen, best := advise.Choose(candidates), slices.Index(measured, slices.Min(measured))
	v := &verdict{scenario: on.name, race: r, chosen: r[chosen], best: r[best],
		regret: measured[chosen]/measured[best] - 1, exact: math.NaN()}
	if exact >= 0 {
		v.exact = measured[exact]/measured[best] - 1
	}
	return v, nil
}

// A verdict is a row of the table.
type verdict struct {
	scenario      string
	race          race
	chosen, best  run
	regret, exact float64
}

// setting is what races are counted by.
func (v *verdict) setting() string {
	return v.skew() + ", " + v.race[0].Norm + ", " + v.race[0].Momentum
}

func (v *verdict) skew() string {
	if skew := v.race[0].Skew; skew != nil {
		return fmt.Sprint(*skew)
	}
	return "none"
}

func (v *verdict) String() string {
	first := v.race[0]
	rate := fmt.Sprintf("%g", first.Rate)
	if first.Schedule != "constant" {
		rate = first.Schedule + " from " + rate
	}
	return fmt.Sprintf("| %s | %s | %s, %s, %s, %s | %d | %d | %s | %s | %s | %s |", v.scenario, v.skew(), first.Norm,
		rate, first.Stem, first.Momentum, first.Seed, len(v.race), v.chosen.name(), v.best.name(),
		percent(v.regret), percent(v.exact))
}

func percent(x float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 1):
		return "never"
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}
