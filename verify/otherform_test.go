package verify_test

import (
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

// A plan that meets a bound about plans of another kind has not been shown to be best: messages cut into chunks are
// sooner everywhere than whole ones, and a rough average is sooner reached than an exact one.
func TestMeetingTheBoundOfAnotherFormIsRefused(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(8, 1))
	if err != nil {
		t.Fatal(err)
	}
	chain := &design.Collective{Algorithm: design.TreeForm, Parent: []int{-1, 0, 1, 2, 3, 4, 5, 6}, Chunks: 512}
	chunks, err := design.NewCollectivePlan(c, chain)
	if err != nil {
		t.Fatal(err)
	}
	chunks.TimeBound = &design.TimeBound{MS: chunks.TimeMS, Kind: design.SpreadBound, Whole: true}
	s := cluster.Homogeneous(8, 10)
	message, target := 10.0, 0.99
	s.LatencyMS, s.Model = 5, &cluster.ModelSpec{MessageMB: &message, TargetError: &target}
	if c, err = cluster.New(s); err != nil {
		t.Fatal(err)
	}
	g, err := topology.New(8, circulant(8, 1, 2, 3))
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(g, slices.Repeat([]float64{0.1}, 24)) // two edges less per node would do
	if err != nil {
		t.Fatal(err)
	}
	spectrum, err := w.Spectrum(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rough, err := design.NewPlan(t.Context(), c, w, spectrum)
	if err != nil {
		t.Fatal(err)
	}
	rough.TimeBound = schedules.LowerBound(c, false)
	rough.TimeBound.MS = min(rough.TimeBound.MS, rough.TimeMS)
	for name, p := range map[string]*design.Plan{"in chunks": chunks, "rough": rough} {
		p.Stop = design.BoundAttained
		if bound, s := statusOf(t, p, "time_bound"), statusOf(t, p, "stop"); bound != verify.OK || s != verify.False {
			t.Errorf("%s: the bound is %q, that it is attained %q", name, bound, s)
		}
	}
}
