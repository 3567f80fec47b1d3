package advise_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
)

// twoRacks has two racks whose all-reduce does not hide.
func twoRacks(t *testing.T) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{
		{Name: "rack", Count: 2, Nodes: 2, Link: &cluster.Link{GBs: 4}, Uplink: &cluster.Link{GBs: 1}}}},
		Model: &cluster.ModelSpec{MessageMB: ptr(100.0), ComputeMS: ptr(50.0)}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func asked(t *testing.T, o batopo.Options) *batopo.Answer {
	t.Helper()
	o.Evaluations = 100
	a, err := batopo.Advise(t.Context(), twoRacks(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if a.Plan != nil {
		if _, err := batopo.Check(t.Context(), a.Plan); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	return a
}

// Every row of the table can be chosen: its plan does what the row says, and holds.
func TestEveryRowCanBeChosen(t *testing.T) {
	all := asked(t, batopo.Options{}).Advice
	for k := range all.All {
		a := asked(t, batopo.Options{Choose: k + 1})
		row, got := all.All[k], a.Advice.Recommended
		if got.Name != row.Name || got.Every != row.Every || got.IterationMS != row.IterationMS {
			t.Fatalf("row %d is %s, chosen is %s", k+1, row.Name, got.Name)
		}
		if a.Plan != nil && !got.Kind.Gradients() && (a.Plan.Every != row.Every || advise.KindOf(a.Plan) != row.Kind) {
			t.Errorf("row %d is of kind %s every %d, its plan of %s every %d", k+1, row.Kind, row.Every,
				advise.KindOf(a.Plan), a.Plan.Every)
		}
		if same := got.Name == all.Recommended.Name; same != (a.Advice.Instead == nil) {
			t.Errorf("row %d: instead of %v", k+1, a.Advice.Instead)
		}
	}
	_, err := batopo.Advise(t.Context(), twoRacks(t), batopo.Options{Choose: len(all.All) + 1, Evaluations: 100})
	if !errors.Is(err, advise.ErrChoice) || !strings.Contains(err.Error(), all.All[0].Name) {
		t.Errorf("a row that there is not: %v", err)
	}
}

// A row beyond the few that are compared before anything is searched for can be chosen where a search is needed.
func TestTheLastRowCanBeChosenWithoutAskingForASearch(t *testing.T) {
	c := twoRacks(t)
	all, err := batopo.Advise(t.Context(), c, batopo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := len(all.Advice.All)
	a, err := batopo.Advise(t.Context(), c, batopo.Options{Choose: last})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := a.Advice.Recommended.Name, all.Advice.All[last-1].Name; got != want {
		t.Errorf("row %d is %s, chosen is %s", last, want, got)
	}
}

// Wishes hold for the answer and for every row beside it.
func TestWishesHold(t *testing.T) {
	full := asked(t, batopo.Options{})
	for every, optimizer := range map[int]batopo.Optimizer{3: "sgd", 16: "adamw", 256: "adamw"} {
		a := asked(t, batopo.Options{Every: every, Optimizer: optimizer}).Advice
		for _, c := range a.All {
			if c.Every != every {
				t.Errorf("every %d steps: %s averages every %d", every, c.Name, c.Every)
			}
		}
		if a.DDP == nil || a.BestSimple() == nil {
			t.Errorf("every %d steps: it is compared with nothing", every)
		}
	}
	_, err := batopo.Advise(t.Context(), twoRacks(t), batopo.Options{Every: 3, Optimizer: "adamw", Evaluations: 100})
	if !errors.Is(err, advise.ErrChoice) || !strings.Contains(err.Error(), "[1 2 4 6 8 16 24 32 64 128 256]") {
		t.Errorf("an interval that nothing is known about: %v", err)
	}
	for _, c := range asked(t, batopo.Options{Exact: true}).Advice.All {
		if c.Every != 1 || c.Order != design.AdaptThenCombine || c.Epochs != 1 {
			t.Errorf("exact: %s every %d, %s, needs %v times the epochs", c.Name, c.Every, c.Order, c.Epochs)
		}
	}
	half := asked(t, batopo.Options{Wire: "BF16", Every: 1})
	if half.Plan.Wire != design.BF16 || !(half.Plan.CommunicationMS < full.Advice.DDP.CommunicationMS) {
		t.Errorf("wire is %q, rounds take %v ms", half.Plan.Wire, half.Plan.CommunicationMS)
	}
	for _, bad := range []batopo.Options{{Every: -1}, {Every: 513}, {Wire: "int8"}, {Choose: -1}, {Exact: true, Every: 2},
		{Exact: true, Wire: "bf16"}, {Static: true, Every: 2}} {
		if _, err := batopo.Advise(t.Context(), twoRacks(t), bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// The optimizer that the answer is for is the one that was asked for, and AdamW where nothing was.
func TestTheOptimizerIsAdamWUnlessSGDIsMeant(t *testing.T) {
	for _, tc := range []struct {
		o    batopo.Options
		want advise.Optimizer
	}{
		{batopo.Options{}, advise.AdamW}, {batopo.Options{Optimizer: "sgd"}, advise.SGD},
		{batopo.Options{Momentum: "local"}, advise.SGD}, {batopo.Options{Skew: 1}, advise.SGD},
	} {
		if got := asked(t, tc.o).Advice.Setting.Optimizer; got != tc.want {
			t.Errorf("%+v: planned for %s, want %s", tc.o, got, tc.want)
		}
	}
}
