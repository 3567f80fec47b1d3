package sweep

import (
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// largeSweeper is a sweep that spares its budgets, as those of large clusters do, on a cluster of any size.
func largeSweeper(t *testing.T, spec cluster.Spec, maxEdges, evaluations int) *sweeper {
	t.Helper()
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, MaxEdges: maxEdges, Objective: design.Time}.WithDefaults()
	w, err := newSweeper(t.Context(), p, Settings{Seed: 1, Evaluations: evaluations})
	if err != nil {
		t.Fatal(err)
	}
	if w.large {
		t.Fatalf("%d nodes count as many", c.Nodes())
	}
	w.large = true
	return w
}

// slow is 40 equal nodes far apart: rounds of many messages cost little more than others, so no budget is ruled out.
func slow() cluster.Spec {
	spec := cluster.Homogeneous(40, cluster.PaperBandwidthGBs)
	spec.LatencyMS = 60
	return spec
}

func TestLargeBudgetsDouble(t *testing.T) {
	w := largeSweeper(t, slow(), 0, 1000)
	before := w.Outcomes[len(w.Outcomes)-1].Budget
	if len(w.Outcomes) != firstBudgets {
		t.Fatalf("%d budgets; the test is about those beyond the first %d", len(w.Outcomes), firstBudgets)
	}
	next, more := w.next(t.Context(), before)
	if !more || next.Budget.MaxEdges < 2*before.MaxEdges {
		t.Errorf("after %d edges %d (more: %v); want at least twice as many", before.MaxEdges, next.Budget.MaxEdges, more)
	}
	w.large = false
	if next, _ = w.next(t.Context(), before); next.Budget.MaxEdges >= 2*before.MaxEdges {
		t.Errorf("on few nodes: after %d edges %d", before.MaxEdges, next.Budget.MaxEdges)
	}
}

// A search of a large cluster gives up after two budgets in a row that are worse. The best so far takes as long as
// seven rounds of the next budget, which no budget beyond reaches and none is proved not to.
func TestLargeSweepsGiveUpAfterTwoWorse(t *testing.T) {
	for _, large := range []bool{true, false} {
		w := largeSweeper(t, slow(), 700, 4000)
		w.large = large
		if err := w.share(t.Context(), len(w.Outcomes)-1, 1); err != nil {
			t.Fatal(err)
		}
		last := len(w.Outcomes) - 1
		w.best = w.roundMS(w.outside(w.Outcomes[last].Budget)) * 7
		if err := w.further(t.Context()); err != nil {
			t.Fatal(err)
		}
		beyond := w.Outcomes[last+1:]
		if large && (!w.Beyond.GaveUp || len(beyond) != 2 || w.Beyond.Growth != largeGrowth) {
			t.Errorf("large: %d budgets, %+v; want to give up after two", len(beyond), w.Beyond)
		}
		if !large && (w.Beyond.GaveUp || len(beyond) < 3) {
			t.Errorf("small: %d budgets, %+v; want more than two, and no giving up", len(beyond), w.Beyond)
		}
	}
}

// What may win by its bound is solved first on hardware that is not all alike, and what loses by it is not solved.
func TestLargeSweepsBeginWithWhatMayWin(t *testing.T) {
	spec := cluster.Spec{Format: cluster.Format, LeafSpine: &cluster.LeafSpine{Leaves: 4, Hosts: 4, Host: 10, Uplink: 20}}
	w := largeSweeper(t, spec, 0, 4000)
	order := w.sequence(t.Context())
	var least []float64
	for _, k := range order {
		score, _, err := w.least(t.Context(), w.Outcomes[k].Budget, nil)
		if err != nil {
			t.Fatal(err)
		}
		least = append(least, score)
	}
	if !slices.IsSorted(least) || slices.IsSorted(order) {
		t.Errorf("in the order %v bounds are %v ms; want them ascending, and an order of its own", order, least)
	}
	if err := w.search(t.Context()); err != nil {
		t.Fatal(err)
	}
	hopeless := 0
	for _, o := range w.Outcomes {
		if o.Status == Hopeless {
			hopeless++
		}
		if o.Status == Solved && o.Score < w.Recommended.Score {
			t.Errorf("a plan of %v ms is better than the recommended %v", o.Score, w.Recommended.Score)
		}
	}
	if hopeless == 0 {
		t.Error("no budget was ruled out")
	}
}

// What no search could list is refused before anything is computed.
func TestTooManyPairsAreRefusedAtOnce(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2,
		LeafSpine: &cluster.LeafSpine{Leaves: 50, Hosts: 40, Host: 12.5, Uplink: 50}})
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, MaxEdges: 6000}
	_, one := Optimize(t.Context(), p, Settings{})
	_, all := New(t.Context(), p, Settings{})
	for _, err := range []error{one, all} {
		if err == nil || !strings.Contains(err.Error(), "1999000 pairs of 2000 nodes may be edges") {
			t.Errorf("2000 hosts: %v", err)
		}
	}
}
