package search

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/batopo/batopo/design"
)

// One search with more evaluations is another walk: with seed 1 this one ends at 0.5745 with 30,000 of them and at
// 0.5919 with 200,000. A series does what the shorter one does, and keeps the best.
func TestALongerSeriesIsNotWorse(t *testing.T) {
	if testing.Short() {
		t.Skip("long searches; make deep does")
	}
	p := Problem{Nodes: 20, MaxEdges: 37}
	for seed := range uint64(4) {
		before := math.Inf(1)
		for _, evaluations := range []int{4500, 30_000, 200_000} { // 0.15 apart
			c, err := Run(context.Background(), p, Settings{Seed: seed, Evaluations: evaluations, Shorter: true})
			if err != nil {
				t.Fatal(err)
			}
			checkCandidate(t, "series", p, c)
			if c.RAsym > before+1e-8 { // equal ones may differ by the accuracy of weights
				t.Errorf("seed %d: r_asym %.6f with %d evaluations, %.6f with fewer", seed, c.RAsym, evaluations, before)
			}
			before = c.RAsym
			alone, err := Run(context.Background(), p, Settings{Seed: seed, Evaluations: evaluations})
			if err != nil {
				t.Fatal(err)
			}
			if c.RAsym > alone.RAsym+1e-8 {
				t.Errorf("seed %d, %d evaluations: r_asym %.6f, but %.6f without shorter searches", seed, evaluations,
					c.RAsym, alone.RAsym)
			}
		}
	}
}

// Nodes with room for more are no reason for a worse graph than those in which all have three neighbours: in a search
// for both at once hubs win, with 0.61.
func TestRoomAtSomeNodesIsNoReasonForHubs(t *testing.T) {
	p := Problem{Nodes: 12, MaxEdges: 30, Degrees: []int{11, 11, 11, 3, 3, 3, 3, 3, 3, 3, 3, 3}}
	c, err := Run(t.Context(), p, Settings{Seed: 201, Evaluations: 50_000, Shorter: true})
	if err != nil {
		t.Fatal(err)
	}
	checkCandidate(t, "series", p, c)
	if c.RAsym > 0.565 {
		t.Errorf("r_asym %.6f; a random graph of degree 3 has 0.5649", c.RAsym)
	}
}

// What is reported on the way counts all searches of a series, and the result depends on neither listener nor workers.
func TestASeriesIsOneSearchToWhoWatches(t *testing.T) {
	p := Problem{Nodes: 13, MaxEdges: 30, MaxDegree: 5}
	s := Settings{Seed: 7, Evaluations: 1e5, Shorter: true}
	one, err := Run(context.Background(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	s.Workers = 3
	last, best := design.Progress{}, math.Inf(1)
	s.Progress = func(p design.Progress) {
		if p.Feasible && p.Best > best {
			t.Errorf("the best value rose from %v to %v", best, p.Best)
		}
		if p.Feasible {
			best = p.Best
		}
		last = p
	}
	three, err := Run(context.Background(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	if !same(one, three) {
		t.Errorf("one worker found %.9f, three workers and a listener %.9f", one.RAsym, three.RAsym)
	}
	if last.Total <= s.Evaluations || last.Done < last.Total/2 {
		t.Errorf("%d of %d evaluations are reported at the end of a series of %d", last.Done, last.Total, s.Evaluations)
	}
}

func TestASeriesCancelled(t *testing.T) {
	p := Problem{Nodes: 24, MaxEdges: 60, MaxDegree: 5}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, p, Settings{Shorter: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before it began: error %v, want %v", err, context.Canceled)
	}
	for _, at := range []int{1, 20_000, 500_000} { // in the first search, a later one, and one more
		ctx, cancel := context.WithCancel(context.Background())
		c, err := Run(ctx, p, Settings{Seed: 1, Shorter: true, Progress: func(p design.Progress) {
			if p.Done > at {
				cancel()
			}
		}})
		if err != nil {
			t.Fatalf("cancelled on the way: %v", err)
		}
		if c.Stop != design.Interrupted {
			t.Errorf("stop is %q, want %q", c.Stop, design.Interrupted)
		}
		checkCandidate(t, "cancelled", p, c)
	}
}
