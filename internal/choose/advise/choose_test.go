package advise

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// scheduled is a schedule of that many rounds, in every step.
func scheduled(name string, rounds int, ms float64) Candidate {
	return Candidate{Name: name, Kind: Scheduled, Every: 1, PessimisticMS: ms,
		Plan: &design.Plan{Rounds: make([]design.Round, rounds)}}
}

// Among schedules that no run distinguishes the one of few rounds, known by name, is taken, in whatever order they
// come.
func TestNearTiesGoToWhatIsSimplerToRun(t *testing.T) {
	inTurn, drawn := scheduled("edges in turn", 3, 101), scheduled("drawn", 64, 100)
	inTurn.special, drawn.special = true, true
	searched, ring := Candidate{Name: "searched", Kind: Collective, Every: 1, PessimisticMS: 100, special: true},
		Candidate{Name: "ring", Kind: Collective, Every: 1, PessimisticMS: 101.5}
	slowRing, rare, two := ring, scheduled("rare", 2, 90), scheduled("two rounds", 2, 103)
	slowRing.PessimisticMS, rare.Every, two.lazy = 105, 2, true
	for _, tc := range []struct {
		want string
		all  []Candidate
	}{
		{"hypercube", []Candidate{drawn, scheduled("hypercube", 3, 104)}},
		{"drawn", []Candidate{drawn, scheduled("hypercube", 3, 106)}},
		{"hypercube", []Candidate{drawn, inTurn, scheduled("hypercube", 3, 104)}},
		{"hypercube", []Candidate{drawn, inTurn, scheduled("hypercube", 4, 104)}},
		{"edges in turn", []Candidate{drawn, inTurn}},
		{"exponential", []Candidate{scheduled("hypercube", 3, 104), scheduled("exponential", 3, 103), drawn}},
		{"two rounds", []Candidate{drawn, two}},                          // lazy, but known
		{"hypercube", []Candidate{two, scheduled("hypercube", 4, 107)}},  // plain before lazy
		{"two rounds", []Candidate{two, scheduled("hypercube", 4, 108)}}, // unless that is later
		{"rare", []Candidate{rare, scheduled("hypercube", 3, 100)}},      // more than a tenth,
		{"ring", []Candidate{searched, ring}},
		{"searched", []Candidate{searched, slowRing}}, // which no name makes up for
	} {
		r := rand.New(rand.NewPCG(1, 1))
		for range 6 {
			if got := tc.all[Choose(tc.all)].Name; got != tc.want {
				t.Errorf("chosen %s of %+v; want %s", got, tc.all, tc.want)
			}
			r.Shuffle(len(tc.all), func(a, b int) { tc.all[a], tc.all[b] = tc.all[b], tc.all[a] })
		}
	}
}

// Gradients in bf16 by the library are simpler than another all-reduce; whatever is less simple gains a tenth.
func TestSixteenBitsOrAnotherAllReduce(t *testing.T) {
	ddp, hook := Candidate{Kind: DDP, Every: 1, PessimisticMS: 150}, Candidate{Kind: Hook, Every: 1, PessimisticMS: 104}
	rounded := Candidate{Kind: HalfDDP, Every: 1, PessimisticMS: 100, Numerics: "rounded"}
	for _, tc := range []struct {
		ddp  float64
		want Kind
	}{{150, HalfDDP}, {109, DDP}, {111, HalfDDP}} {
		ddp.PessimisticMS = tc.ddp
		all := []Candidate{ddp, hook, rounded}
		if got := all[Choose(all)].Kind; got != tc.want {
			t.Errorf("of the library in %v ms, of batopo's all-reduce in 104 and of bf16 in 100 %s is chosen", tc.ddp, got)
		}
	}
}

// Candidates know how many rounds they have, and which of them have a name that others know.
func TestCandidatesSayHowSimpleTheyAre(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(8, 1))
	if err != nil {
		t.Fatal(err)
	}
	sweep, err := sweep.New(t.Context(), design.Problem{Cluster: c, Purpose: design.Training},
		sweep.Settings{Seed: 1, Evaluations: 100})
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := decide(t.Context(), c, sweep, Setting{Seed: 1}, (*list).fill, untold)
	if err != nil {
		t.Fatal(err)
	}
	type simple struct {
		period  int
		special bool
	}
	want := map[string]simple{"one-peer-hypercube": {3, false}, "one-peer-hypercube, lazy": {3, false},
		"od-equidyn": {64, true}, "parameter averaging, ring": {0, false},
		"one-peer schedule over 8 links": {2, true}, "one-peer schedule over 8 links, lazy": {2, true}}
	for _, c := range a.All {
		if w, listed := want[c.process]; listed && w != (simple{c.period(), c.special}) {
			t.Errorf("%s: %d rounds, special %v; want %+v", c.Name, c.period(), c.special, w)
		}
		delete(want, c.process)
	}
	for _, f := range forms {
		if !f.special {
			t.Errorf("%s is not known elsewhere", f.name)
		}
	}
	if len(want) > 0 {
		t.Errorf("not compared: %v", want)
	}
}

// Two nodes have one pair, so whatever is drawn is the same round again and again.
func TestTwoNodesHaveNoSchedules(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(2, 1))
	if err != nil {
		t.Fatal(err)
	}
	swept, err := sweep.New(t.Context(), design.Problem{Cluster: c, Purpose: design.Training},
		sweep.Settings{Seed: 1, Evaluations: 10})
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := decide(t.Context(), c, swept, Setting{Seed: 1}, (*list).fill, untold)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range a.All {
		if c.Kind == Scheduled {
			t.Errorf("%s is compared as a schedule of %d rounds", c.Name, c.period())
		}
	}
	if !slices.ContainsFunc(a.Skipped, func(s sweep.Skipped) bool { return s.Name == "od-equidyn" }) {
		t.Errorf("nothing is said of od-equidyn: %+v", a.Skipped)
	}
}
