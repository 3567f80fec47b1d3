package main

import (
	"io"
	"testing"

	"github.com/batopo/batopo/internal/choose/advise"
)

// Nine of ten choices with AdamW cost at most 10 % more than the best could have, and fewer would if always the same
// were taken.
func TestRegretWithAdamW(t *testing.T) {
	if testing.Short() {
		t.Skip("prices 39 clusters; make deep does")
	}
	all, err := reportAdamW(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if all.choices < 90 || 10*all.good < 9*all.choices || all.worst > 0.2 {
		t.Errorf("%+v; want at least 90 choices, nine tenths of them good, and none worse than 20 %%", all)
	}
	if all.ddpGood >= all.good || all.exactGood >= all.good {
		t.Errorf("always the same is right as often: %+v", all)
	}
}

// A choice that is predicted wrongly is regretted by what it takes longer than the best.
func TestRegretOfAWrongChoice(t *testing.T) {
	way := func(kind advise.Kind, every int, predicted, measured float64) adamWay {
		return adamWay{advise.Candidate{Kind: kind, Every: every, PredictedMS: predicted, PessimisticMS: predicted},
			[]float64{measured}, false}
	}
	var all adamTally
	all.judge([]adamWay{way(advise.DDP, 1, 10, 10), way(advise.Collective, 1, 5, 20), way(advise.Collective, 4, 8, 8)})
	if all.choices != 1 || all.good != 0 || all.worst != 1.5 || all.ddpWorst != 0.25 || all.exactWorst != 1.5 {
		t.Errorf("%+v; want a regret of 1.5, of DDP 0.25", all)
	}
}

// Where a row is at the end of the table, the prediction for a seed comes from the others.
func TestASeedIsNotSeen(t *testing.T) {
	w := adamWay{advise.Candidate{PredictedMS: 4, PessimisticMS: 8}, []float64{2, 4, 6}, true}
	if c := w.unseen(0); c.PredictedMS != 5 || c.PessimisticMS != 10 {
		t.Errorf("%+v; the other two take 5 ms on average", c)
	}
	if w.atEnd = false; w.unseen(0).PredictedMS != 4 {
		t.Error("a row that was left out needs no more")
	}
}
