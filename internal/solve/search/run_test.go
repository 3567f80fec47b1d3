package search

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// checkCandidate recomputes everything a candidate claims from its graph and weights alone.
func checkCandidate(t *testing.T, name string, p Problem, c *Solution) {
	t.Helper()
	if err := p.Check(c.Graph); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	m, err := mixing.FromEdges(c.Graph, c.Weights)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if p.Sign != design.Free && !m.Nonnegative() {
		t.Errorf("%s: a weight is negative", name)
	}
	s, err := m.Spectrum(context.Background())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	// Eigenvalues of the dense matrix and of the blocks differ by rounding.
	if math.Abs(s.Lambda2-c.Lambda2) > 1e-10 || math.Abs(s.LambdaN-c.LambdaN) > 1e-10 {
		t.Errorf("%s: λ₂ = %v and λₙ = %v claimed, the matrix has %v and %v",
			name, c.Lambda2, c.LambdaN, s.Lambda2, s.LambdaN)
	}
	if c.Lift == nil {
		return
	}
	edges := make([]topology.Edge, 0, len(c.Graph.Edges()))
	c.Lift.EachEdge(func(e topology.Edge, _ int) {
		if c.Labels != nil {
			i, j := c.Labels[e.I], c.Labels[e.J]
			e = topology.Edge{I: min(i, j), J: max(i, j)}
		}
		edges = append(edges, e)
	})
	slices.SortFunc(edges, topology.Edge.Compare)
	if !slices.Equal(edges, c.Graph.Edges()) {
		t.Errorf("%s: the lift %v is not the graph", name, *c.Lift)
	}
}

// Values that a short search must reach: closed forms of well-known graphs, and what a prototype of
// this search had found for the edge budgets of the exponential graph.
func TestRunReachesKnownValues(t *testing.T) {
	for _, c := range []struct {
		name                 string
		nodes, edges, degree int
		want                 float64
	}{
		{"square", 4, 4, 2, 1.0 / 3},
		{"K3,3", 6, 9, 3, 1.0 / 3},
		{"octahedron", 6, 12, 4, 1.0 / 5},
		{"Wagner graph", 8, 12, 3, math.Sqrt2 - 1},
		{"Petersen graph", 10, 15, 3, 3.0 / 7},
		{"twelve nodes", 12, 24, 4, 0.4},
		{"sixteen nodes", 16, 32, 4, 0.4581},
		{"Clebsch graph", 16, 40, 5, 1.0 / 3},
		{"24 nodes", 24, 60, 5, 0.42705},
		{"32 nodes", 32, 80, 5, 0.4912},
	} {
		if testing.Short() && c.nodes > 16 {
			continue // the same at larger size
		}
		p := Problem{Nodes: c.nodes, MaxEdges: c.edges, MaxDegree: c.degree}
		s := Settings{Seed: 1, Evaluations: 2e5}
		switch {
		case c.nodes > 24:
			s.Evaluations = 4e6 // still less than a third of the default
		case c.nodes > 16:
			s.Evaluations = 1e6
		}
		got, err := Run(context.Background(), p, s)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got.RAsym > c.want+1e-4 {
			t.Errorf("%s: r_asym = %.6f, want at most %.6f", c.name, got.RAsym, c.want+1e-4)
		}
		if got.RAsym < got.Bound-1e-9 || got.RAsym-got.Bound > 1e-7 {
			t.Errorf("%s: r_asym = %.9f, but the bound for its weights is %.9f", c.name, got.RAsym, got.Bound)
		}
		checkCandidate(t, c.name, p, got)
	}
}

// problems with limits of every kind.
func limited() map[string]Problem {
	zero, low := 0.0, -0.2
	return map[string]Problem{
		"odd budget":      {Nodes: 16, MaxEdges: 27, MaxDegree: 4},
		"prime":           {Nodes: 13, MaxEdges: 30, MaxDegree: 5},
		"no degree limit": {Nodes: 12, MaxEdges: 20},
		"all pairs":       {Nodes: 9, MaxEdges: 50},
		"ring":            {Nodes: 10, MaxEdges: 10, MaxDegree: 2},
		"two classes":     {Nodes: 16, MaxEdges: 32, Degrees: []int{2, 6, 2, 6, 2, 6, 2, 6, 2, 6, 2, 6, 2, 6, 2, 6}},
		"server":          {Nodes: 8, MaxEdges: 12, Space: server(12, [7]int{1, 1, 1, 1, 2, 2, 4}, false)},
		"server, exact":   {Nodes: 8, MaxEdges: 16, Space: server(16, [7]int{1, 1, 1, 1, 3, 3, 6}, true)},
		"bcube":           {Nodes: 16, MaxEdges: 24, Space: bcube(24, [2]int{1, 2}, false)},
		"bcube, exact":    {Nodes: 16, MaxEdges: 24, Space: bcube(24, [2]int{1, 2}, true)},
		"training":        {Nodes: 16, MaxEdges: 32, MaxDegree: 4, MinEigenvalue: &zero},
		"floor at −0.2":   {Nodes: 12, MaxEdges: 24, MaxDegree: 4, MinEigenvalue: &low},
		"free weights":    {Nodes: 12, MaxEdges: 18, MaxDegree: 3, Sign: design.Free},
	}
}

func TestRunKeepsEveryLimit(t *testing.T) {
	for name, p := range limited() {
		c, err := Run(context.Background(), p, Settings{Seed: 1, Evaluations: 5e4})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkCandidate(t, name, p, c)
		if m := p.MinEigenvalue; m != nil && c.LambdaN < *m-1e-7 {
			t.Errorf("%s: λₙ = %v is below the limit %v", name, c.LambdaN, *m)
		}
	}
}

func same(a, b *Solution) bool {
	return slices.Equal(a.Graph.Edges(), b.Graph.Edges()) && slices.Equal(a.Weights, b.Weights) &&
		a.Evaluations == b.Evaluations && a.Method == b.Method
}

func TestRunIsDeterministic(t *testing.T) {
	for _, p := range []Problem{
		{Nodes: 20, MaxEdges: 50, MaxDegree: 5},
		{Nodes: 13, MaxEdges: 30, MaxDegree: 5},
		{Nodes: 16, MaxEdges: 24, Space: bcube(24, [2]int{1, 2}, false)},
	} {
		s := Settings{Seed: 7, Evaluations: 1e5}
		one, err := Run(context.Background(), p, s)
		if err != nil {
			t.Fatal(err)
		}
		s.Workers = 3
		reports, best := 0, math.Inf(1)
		s.Progress = func(p design.Progress) {
			reports++
			if p.Feasible && p.Best > best {
				t.Errorf("the best value rose from %v to %v", best, p.Best)
			}
			if p.Feasible {
				best = p.Best
			}
		}
		three, err := Run(context.Background(), p, s)
		if err != nil {
			t.Fatal(err)
		}
		if !same(one, three) {
			t.Errorf("%d nodes: one worker found %.9f, three workers and a listener %.9f", p.Nodes, one.RAsym, three.RAsym)
		}
		if reports == 0 {
			t.Errorf("%d nodes: no progress was reported", p.Nodes)
		}
		s.Seed, s.Progress = 8, nil
		if other, err := Run(context.Background(), p, s); err != nil || p.Space == nil && same(one, other) {
			t.Errorf("%d nodes: another seed gave the same candidate (error %v)", p.Nodes, err)
		}
	}
}

// The same seed without a degree limit is never worse, since it does the same work first.
func TestRunWithoutDegreeLimitIsNotWorse(t *testing.T) {
	if testing.Short() {
		t.Skip("long searches; make deep does")
	}
	for _, c := range [][2]int{{12, 24}, {18, 40}, {20, 33}, {24, 60}} {
		n, r := c[0], c[1]
		s := Settings{Seed: 1, Evaluations: 3e5}
		tight, err := Run(context.Background(), Problem{Nodes: n, MaxEdges: r, MaxDegree: (2*r + n - 1) / n}, s)
		if err != nil {
			t.Fatal(err)
		}
		loose, err := Run(context.Background(), Problem{Nodes: n, MaxEdges: r}, s)
		if err != nil {
			t.Fatal(err)
		}
		if loose.RAsym > tight.RAsym+1e-9 {
			t.Errorf("n = %d, r = %d: %.6f without a degree limit, %.6f with", n, r, loose.RAsym, tight.RAsym)
		}
	}
}

func TestRunCancelled(t *testing.T) {
	p := Problem{Nodes: 24, MaxEdges: 60, MaxDegree: 5}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, p, Settings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before it began: error %v, want %v", err, context.Canceled)
	}
	ctx, cancel = context.WithCancel(context.Background())
	s := Settings{Seed: 1, Progress: func(p design.Progress) {
		if p.Done > 2e5 {
			cancel()
		}
	}}
	c, err := Run(ctx, p, s)
	if err != nil {
		t.Fatalf("cancelled on the way: %v", err)
	}
	if c.Stop != design.Interrupted {
		t.Errorf("stop is %q, want %q", c.Stop, design.Interrupted)
	}
	checkCandidate(t, "cancelled", p, c)
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	nan := math.NaN()
	for name, p := range map[string]Problem{
		"no nodes":           {},
		"one node":           {Nodes: 1},
		"too few edges":      {Nodes: 5, MaxEdges: 3},
		"degree 1":           {Nodes: 5, MaxEdges: 8, MaxDegree: 1},
		"negative degree":    {Nodes: 5, MaxEdges: 8, MaxDegree: -1},
		"wrong length":       {Nodes: 5, MaxEdges: 8, Degrees: []int{2, 2}},
		"isolated node":      {Nodes: 3, MaxEdges: 3, Degrees: []int{2, 2, 0}},
		"degrees too low":    {Nodes: 4, MaxEdges: 4, Degrees: []int{1, 1, 1, 1}},
		"space does not fit": {Nodes: 9, MaxEdges: 12, Space: server(12, [7]int{1, 1, 1, 1, 2, 2, 4}, false)},
		"unknown setting":    {Nodes: 5, MaxEdges: 8, Sign: "best"},
		"NaN":                {Nodes: 5, MaxEdges: 8, MinEigenvalue: &nan},
	} {
		if _, err := Run(context.Background(), p, Settings{Evaluations: 1000}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := newPortfolio(context.Background(), Problem{Nodes: 9, MaxEdges: 12}, 1, -1, nil); err == nil {
		t.Error("a negative number of evaluations: no error")
	}
}

// A search can be limited to symmetric graphs, or at those without symmetry.
func TestSymmetryIsObeyed(t *testing.T) {
	for symmetry, lift := range map[Symmetry]bool{OnlyLifts: true, OnlyFree: false} {
		for _, r := range []int{15, 30} {
			c, err := Run(context.Background(), Problem{Nodes: 15, MaxEdges: r, Symmetry: symmetry},
				Settings{Seed: 1, Evaluations: 200_000})
			if err != nil {
				t.Fatal(err)
			}
			if (c.Lift != nil) != lift {
				t.Errorf("symmetry %d, %d edges: found as %s", symmetry, r, c.Method)
			}
		}
	}
}

// The 5-regular Clebsch graph meets its bound 1/3, so the search for it ends in the first rounds.
func TestGoalEndsASearch(t *testing.T) {
	spent := 0
	s := Settings{Seed: 1, Evaluations: 3_000_000, Goal: 1. / 3, Progress: func(p design.Progress) { spent = p.Done }}
	c, err := Run(context.Background(), Problem{Nodes: 16, MaxEdges: 40, MaxDegree: 5}, s)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(c.RAsym-1./3) > 1e-7 || spent > 2_000_000 {
		t.Errorf("r_asym %v after %d of %d evaluations; want 1/3 before two thirds of them", c.RAsym, spent, s.Evaluations)
	}
}

// While relatives of other sizes are searched there is no graph of the size asked for; a search that is stopped then
// still has an answer, also where rounds are asked for.
func TestStoppedSearchHasAnAnswer(t *testing.T) {
	for _, p := range []Problem{
		{Nodes: 13, MaxEdges: 26, MaxDegree: 4, Sign: design.NonNegative},
		{Nodes: 13, MaxEdges: 26, MaxDegree: 4, Sign: design.NonNegative, Symmetry: OnlyFree},
		{Nodes: 13, MaxEdges: 12, MaxDegree: 3, Sign: design.NonNegative},
		{Nodes: 13, MaxEdges: 26, MaxDegree: 4, Sign: design.NonNegative},
		{Nodes: 211, MaxEdges: 844, MaxDegree: 8, Sign: design.NonNegative},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		c, err := Run(ctx, p, Settings{Seed: 1, Progress: func(design.Progress) { cancel() }})
		if err != nil {
			t.Errorf("%d nodes, %d edges: %v", p.Nodes, p.MaxEdges, err)
			continue
		}
		checkCandidate(t, "stopped", p, c)
		if c.Stop != design.Interrupted {
			t.Errorf("%d nodes: stop is %q", p.Nodes, c.Stop)
		}
	}
}
