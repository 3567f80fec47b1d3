package sweep_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/verify"
)

// Every contender has a row or a reason; plans among them hold under verify; and the searched ones are as quick as the
// paper-and-pencil schedules of two fast and two slow nodes.
func TestContenders(t *testing.T) {
	s := cluster.Homogeneous(4, 1)
	s.Bandwidth = []float64{9.76, 9.76, 3.25, 3.25}
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	rows, skipped := sweep.Contenders(t.Context(), c, 1)
	if len(rows)+len(skipped) != 10 || len(skipped) > 0 {
		t.Fatalf("%d rows, skipped %v", len(rows), skipped)
	}
	times := map[string]float64{}
	for _, r := range rows {
		if r.TimeMS == nil {
			t.Errorf("%s never arrives", r.Name)
			continue
		}
		times[r.Name] = *r.TimeMS
		if r.Plan == nil {
			continue
		}
		report, err := verify.Check(t.Context(), r.Plan)
		if err != nil || report.Err() != nil {
			t.Errorf("%s: %v, %v", r.Name, err, report.Err())
		}
	}
	slow := 48.8976 / 3.25
	for name, want := range map[string]float64{
		"searched gossip":                  2 * slow,
		"searched average, whole messages": 2 * slow,
		"searched average, in parts":       slow * 33 / 32, // 32 chunks in two steps; more are not worth their messages
	} {
		if got := times[name]; got < want*(1-1e-9) || got > want*1.02 {
			t.Errorf("%s takes %v ms, by hand %v", name, got, want)
		}
	}
	got := times["SAPS and GossipFL matchings"]
	if rest := math.Mod(got, slow); rest > 1e-6 && slow-rest > 1e-6 {
		t.Errorf("threshold matchings take %v ms; slow nodes are in every round, so it is a multiple of %v", got, slow)
	}
}
