package advise_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/internal/choose/advise"
)

// What a trial measured on the machines is what rows say that run just that; a way that took longer than predicted
// makes others of its kind longer. Here the trial says that DistributedDataParallel takes 60 ms, and all that runs over
// batopo's engine half a second, which no links explain: the answer is not what is predicted to be quick over it.
func TestWhatATrialMeasuredBeatsWhatIsPredicted(t *testing.T) {
	const file = "../../../format/trial/testdata/nodes-3to1"
	c, err := cluster.ReadFile(file + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	read := func() *trial.Trial {
		m, err := trial.ReadFile(file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	asks := func(m *trial.Trial) *advise.Advice {
		answer, err := batopo.Advise(t.Context(), c, batopo.Options{Trial: m, Optimizer: advise.AdamW})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Advice
	}
	at := func(a *advise.Advice, kind advise.Kind) advise.Candidate { return *a.Of(kind) }
	took := func(m *trial.Trial, kind trial.Kind) float64 {
		for _, w := range m.Ways {
			if w.Kind == kind {
				return w.MeasuredMS
			}
		}
		return 0
	}

	m := read()
	a := asks(m)
	for kind, way := range map[advise.Kind]trial.Kind{advise.DDP: trial.DDP, advise.HalfDDP: trial.HalfDDP} {
		if row := at(a, kind); !row.Tried || row.IterationMS != took(m, way) {
			t.Errorf("%s: %v ms, measured: %v; the trial has %v", row.Name, row.IterationMS, row.Tried, took(m, way))
		}
	}
	two := at(a, advise.Accumulated)
	if want := (took(m, trial.HalfDDP) + took(m, trial.Alone)) / 2; two.Tried || math.Abs(two.IterationMS/want-1) > 0.02 {
		t.Errorf("%s: %v ms a batch, from the times of one %v", two.Name, two.IterationMS, want)
	}

	m = read()
	for k := range m.Ways {
		if w := &m.Ways[k]; w.Kind != trial.Alone {
			w.MeasuredMS = 537
			if w.Kind != trial.Plan {
				w.MeasuredMS = 60
			}
			w.BlocksMS = []float64{w.MeasuredMS, w.MeasuredMS}
		}
	}
	a = asks(m)
	if r := a.Recommended; r.Kind != advise.DDP || !r.Tried || r.IterationMS != 60 {
		t.Errorf("the answer is %s, %v ms", r.Name, r.IterationMS)
	}
	for _, row := range a.All {
		if row.Kind == advise.Hook && row.IterationMS < 120 || row.Kind == advise.Collective && row.IterationMS < 400 {
			t.Errorf("%s: %v ms; the trial took 537 for its kind", row.Name, row.IterationMS)
		}
	}
}
