package admm_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/topology"
)

// All first weights on a given graph is what the first run does anyway; half of them is another start.
func TestShareOfTheFirstWeights(t *testing.T) {
	space := scenario.Homogeneous(8, 12)
	var ring []topology.Edge
	for i := range 8 {
		ring = append(ring, topology.Edge{I: min(i, (i+1)%8), J: max(i, (i+1)%8)})
	}
	g, err := topology.New(8, ring)
	if err != nil {
		t.Fatal(err)
	}
	first := func(share float64) (step design.Step) {
		keep := func(p design.Progress) {
			if p.Step != nil && p.Step.Number == 1 {
				step = *p.Step
			}
		}
		if _, err := admm.Solve(t.Context(), space, admm.Settings{Start: admm.Given, Graph: g, Share: share, Starts: 1,
			Seed: 1, Trace: true, Progress: keep}); err != nil {
			t.Fatal(err)
		}
		return step
	}
	if byDefault, all := first(0), first(1); byDefault != all {
		t.Errorf("share 1 begins with %+v, the default of the first run with %+v", all, byDefault)
	}
	if half, all := first(0.5), first(1); half == all {
		t.Errorf("share 0.5 and share 1 begin alike: %+v", half)
	}
}

// The paper prints degree 2 for 16 edges on 16 nodes and 4 for 24. From a start with an even share of the edges at
// every node Algorithm 2 settles there or one above; from a free one it keeps the hubs that annealing makes.
func TestBoundedStartsKeepDegreesLow(t *testing.T) {
	for _, tc := range []struct {
		r, bounded, free int // largest degrees
		rAsym            float64
	}{{16, 2, 12, 0.927}, {24, 3, 6, 0.66}, {32, 4, 5, 0.459}} {
		space := scenario.Homogeneous(16, tc.r)
		run := func(start admm.Start) *admm.Result {
			r, err := admm.Solve(t.Context(), space,
				admm.Settings{Literal: true, Start: start, Rho: 5, Seed: 1, Iterations: 500})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := run(admm.Bounded)
		if d := r.Graph.MaxDegree(); d > tc.bounded+1 || r.RAsym > tc.rAsym+0.01 || r.Stop != design.Converged {
			t.Errorf("r = %d: degree %d, r_asym %.4f after %d steps (%s)", tc.r, d, r.RAsym, r.Runs[0].Iterations, r.Stop)
		}
		if d := run(admm.Annealed).Graph.MaxDegree(); d < tc.free {
			t.Errorf("r = %d: from a free start the largest degree is %d; want at least %d", tc.r, d, tc.free)
		}
	}
}

// A limit of the space that no even start can keep is an error that says so.
func TestABoundedStartThatIsNotThere(t *testing.T) {
	_, err := admm.Solve(t.Context(), scenario.TwoClasses(6, 2), admm.Settings{Literal: true, Start: admm.Bounded})
	if err == nil || !strings.Contains(err.Error(), "even share") {
		t.Errorf("degrees 6 and 2 have no start with 4 edges at every node; error %v", err)
	}
}
