package admm_test

import (
	"testing"

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
	first := func(share float64) admm.Sample {
		r, err := admm.Solve(t.Context(), space, admm.Settings{Start: admm.Given, Graph: g, Share: share, Starts: 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return r.Runs[0].History[0]
	}
	if byDefault, all := first(0), first(1); byDefault != all {
		t.Errorf("share 1 begins with %+v, the default of the first run with %+v", all, byDefault)
	}
	if half, all := first(0.5), first(1); half == all {
		t.Errorf("share 0.5 and share 1 begin alike: %+v", half)
	}
}
