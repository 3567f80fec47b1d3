package verify_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/verify"
)

// lopsided has nodes that send ten times as fast as they receive.
func lopsided(t *testing.T) *cluster.Cluster {
	t.Helper()
	s := cluster.Spec{Format: cluster.FormatV2, Names: []string{"a", "b", "c", "x", "y", "z"}}
	for k, name := range s.Names {
		up, down := 10.0, 10.0
		if k > 2 {
			up, down = 1, 0.1
		}
		s.Links = append(s.Links, cluster.Wire{Between: []string{name, "core"},
			Link: cluster.Link{UpGBs: up, DownGBs: down}})
	}
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A slow node that only sends in a round takes part in it, and is known of from then on: three messages up, an average
// among the quick, three messages down take little more than one of those.
func TestSpreadCountsSlowNodesThatOnlySend(t *testing.T) {
	c := lopsided(t)
	r, err := schedules.Search(t.Context(), schedules.Problem{Cluster: c, Form: schedules.Whole},
		schedules.Settings{Evaluations: 3000})
	if err != nil {
		t.Fatal(err)
	}
	if b := schedules.LowerBound(c, true); b.MS > r.MS {
		t.Errorf("%v ms are called impossible by %q, but a schedule takes %v", b.MS, b.Kind, r.MS)
	}
	p, err := r.Plan(t.Context(), c, schedules.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	p.TimeBound = &design.TimeBound{MS: r.MS * 1.5, Kind: design.SpreadBound, Whole: true}
	if s := statusOf(t, p, "time_bound"); s != verify.False {
		t.Errorf("a bound of %v ms is %q, but the plan takes %v", p.TimeBound.MS, s, r.MS)
	}
}
