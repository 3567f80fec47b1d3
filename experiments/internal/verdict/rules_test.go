package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/experiments/internal/measure"
)

// A warm start helps where ranks show it, harms where they show that, and stays open otherwise.
func TestWarmStartIsDecidedByRanks(t *testing.T) {
	low, high := []float64{0.40, 0.41, 0.42, 0.43, 0.44, 0.45}, []float64{0.50, 0.51, 0.52, 0.53, 0.54, 0.55}
	for _, tc := range []struct {
		alone, bounded, annealed, random []float64
		want                             Result
	}{
		{low, low, low, high, Holds}, {high, high, high, low, Fails}, {low, low, low, low, Open},
		// As printed, on a graph of bounded degree and half of it disagree.
		{high, high, low, low, Open}, {low, low, high, low, Open}, {low, low, high, high, Open},
		{high, low, high, low, Open}, {low, high, low, high, Open},
	} {
		e := blank(t)
		for _, n := range startSizes {
			put(t, e, "ablations", fmt.Sprintf("warm start/n=%d/annealed alone", n), measure.Outcomes{RAsym: tc.alone})
			put(t, e, "ablations", fmt.Sprintf("warm start/n=%d/bounded alone", n), measure.Outcomes{RAsym: tc.bounded})
			put(t, e, "ablations", fmt.Sprintf("warm start/n=%d/annealed", n), measure.Outcomes{RAsym: tc.annealed})
			put(t, e, "ablations", fmt.Sprintf("warm start/n=%d/random", n), measure.Outcomes{RAsym: tc.random})
		}
		if got := decide(t, e, "ablation-warm-start", Method); got.Result != tc.want {
			t.Errorf("annealed %v, alone %v, bounded %v, random %v: %v (%s), want %v",
				tc.annealed, tc.alone, tc.bounded, tc.random, got.Result, got.Shown, tc.want)
		}
	}
	if p := rankTest([]float64{0.4, 0.4}, []float64{0.4, 0.4, 0.4}); p != 1 {
		t.Errorf("p of samples that are all the same is %v, want 1", p)
	}
	// {1, 1, 2} against {1, 2, 2}: U = 6 of 9; three values tie at 1 and three at 2, so the variance
	// is 9/12·(7 − 48/30) = 4.05,
	// z = 1.5/√4.05 = 0.7454, p = 0.4561.
	if p := rankTest([]float64{1, 1, 2}, []float64{1, 2, 2}); math.Abs(p-0.4561) > 1e-4 {
		t.Errorf("p with ties is %v, want 0.4561", p)
	}
	// Two samples of five without overlap: U = 25, z = 12.5/√(25·11/12) = 2.6112, p = 0.00902
	// (tables of the normal distribution).
	if p := rankTest(low[:5], high[:5]); math.Abs(p-0.00902) > 1e-5 {
		t.Errorf("p of two separate samples of five is %v, want 0.00902", p)
	}
}

// One run per seed and size; only the largest size decides.
func TestSensitivityIsTheSpreadAtTheLargestSize(t *testing.T) {
	for want, spread := range map[Result]float64{Holds: 1.02, Fails: 1.005} {
		e := blank(t)
		for _, n := range startSizes {
			o := measure.Outcomes{RAsym: []float64{0.5, 0.5 * spread}}
			if n < startSizes[len(startSizes)-1] {
				o.RAsym[1] = 0.9
			}
			put(t, e, "ablations", fmt.Sprintf("warm start/n=%d/random", n), o)
		}
		if got := decide(t, e, "ablation-sensitive", Method); got.Result != want {
			t.Errorf("spread %v: %v (%s), want %v", spread, got.Result, got.Shown, want)
		}
	}
}

// The paper's sentence is about its own linear solver: what the closed form reaches does not decide it.
func TestScaleIsThatOfThePrintedSolver(t *testing.T) {
	for _, tc := range []struct {
		printed, ours        int
		wantMethod, wantOurs Result
	}{{128, 128, Holds, Holds}, {32, 64, Open, Open}} {
		e := blank(t)
		for method, n := range map[string]int{"admm": 128, "paper": tc.printed, "auto": tc.ours} {
			put(t, e, "ablations", fmt.Sprintf("scaling/n=%d/%s", n, method), measure.Outcomes{Nodes: n, RAsym: []float64{0.5}})
			put(t, e, "ablations", "scaling/n=8/"+method, measure.Outcomes{Nodes: 8, RAsym: []float64{0.4}})
		}
		for who, want := range map[string]Result{Method.ID: tc.wantMethod, Ours.ID: tc.wantOurs} {
			if got := decide(t, e, "ablation-scales", Subject{ID: who}); got.Result != want {
				t.Errorf("%s, printed solver at %d, ours at %d nodes: %v (%s), want %v",
					who, tc.printed, tc.ours, got.Result, got.Shown, want)
			}
		}
	}
}

func TestPredicatesOfTrainingTimes(t *testing.T) {
	// 100 epochs, said to be 250 s.
	for want, epoch := range map[Result]float64{Holds: 2.47, Fails: 2.7} {
		e := blank(t)
		put(t, e, "table2", "homogeneous/ring", measure.Epoch{Seconds: epoch})
		if got := decide(t, e, "table2-ring-ends", Printed); got.Result != want {
			t.Errorf("100 epochs of %v s: %v (%s), want %v", epoch, got.Result, got.Shown, want)
		}
	}
}

// "When the number of edges is the same" means the baselines that paper.json lists: those whose rows have as many.
func TestRivalsWithTheSameEdges(t *testing.T) {
	e, err := read("../../results")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"homogeneous-same-edges", "table2-homogeneous-same-edges"} {
		got := map[int][]string{}
		for _, race := range decide(t, e, id, Subject{}).Sentence.Reading.Races {
			got[race.Budgets[0]] = race.Rivals
		}
		for _, budget := range []int{16, 24, 32, 54} {
			var want []string
			for _, row := range e.Paper.Table2 {
				edges, _ := e.Facts.Number("figures/homogeneous/%s/edges", row.Topology)
				if row.Scenario == "homogeneous" && !strings.HasPrefix(row.Topology, "paper-") && int(edges) == budget {
					want = append(want, row.Topology)
				}
			}
			if !slices.Equal(got[budget], want) {
				t.Errorf("%s: baselines with %d edges are %v, by the rows %v", id, budget, got[budget], want)
			}
		}
	}
}

// U-EquiStatic has the edges that its printed times imply, at some sizes half as many again as n·⌈log₂ n⌉/2.
func TestCloseIsWithinATenthAtEverySize(t *testing.T) {
	implied := []int{4, 12, 16, 24, 48, 72, 96, 144, 192, 384, 512}
	for want, factor := range map[Result]float64{Holds: 0.95, Fails: 1.2} {
		e := blank(t)
		for k, n := range e.Paper.Table1.Nodes {
			edges := int(math.Round(factor * float64(implied[k])))
			put(t, e, "table1", fmt.Sprintf("n=%d/exponential", n), measure.Measurement{Edges: edges})
		}
		if got := decide(t, e, "table1-equistatic-close", Printed); got.Result != want {
			t.Errorf("exponential graph with %v times as many edges: %v (%s), want %v", factor, got.Result, got.Shown, want)
		}
	}
}
