package verify_test

import (
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

// Who meets a bound that could not be rechecked has not been shown to be best.
func TestMeetingAnUnprovedBoundProvesNothing(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(300, 1))
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewCollectivePlan(c, &design.Collective{Algorithm: design.RingForm, Order: topology.InOrder(300)})
	if err != nil {
		t.Fatal(err)
	}
	p.TimeBound = &design.TimeBound{MS: p.TimeMS, Kind: design.PricesBound, Groups: [][]int{topology.InOrder(300)}}
	for _, stop := range []design.Stop{design.BoundAttained, design.Exhausted} {
		p.Stop = stop
		if bound, s := statusOf(t, p, "time_bound"), statusOf(t, p, "stop"); bound != verify.Unproved || s != verify.Unproved {
			t.Errorf("%q: the bound is %q, that it is attained %q", stop, bound, s)
		}
	}
}

// A bound that repeats a certificate is worth what the certificate is: one too large to be rechecked proves nothing.
func TestBoundByAnUncheckedCertificateIsNotProved(t *testing.T) {
	const n = 256
	g, err := topology.New(n, topology.AllPairs(n))
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(g, slices.Repeat([]float64{1.0 / 512}, len(g.Edges()))) // 1/n would be best
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, w)
	column := design.Column{Re: make([]float64, n)}
	column.Re[0] = 1
	p.WeightsBound = &design.WeightBound{RAsym: p.RAsym, Certificate: &design.Certificate{Sign: p.Sign, Orbits: n, Size: 1,
		Upper: slices.Repeat([]design.Column{column}, 1<<32/(len(g.Edges())+n)+1), Prices: make([]float64, n)}}
	p.SetBound(&design.Bound{RAsym: p.RAsym, Kind: design.CertificateBound})
	p.Stop = design.BoundAttained
	for _, claim := range []string{"weights_bound", "bound", "stop"} {
		if s := statusOf(t, p, claim); s != verify.Unproved {
			t.Errorf("%s is %q", claim, s)
		}
	}
}

// No tree has a smaller r_asym than the star, but others reach the target sooner: a bound on r_asym that is attained
// says nothing about time.
func TestBoundOnTheOtherObjectiveProvesNothing(t *testing.T) {
	g, err := topology.New(8, topology.AllPairs(8)[:7])
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(g, slices.Repeat([]float64{1.0 / 7}, 7))
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, w)
	p.MaxEdges, p.Stop = 7, design.BoundAttained
	p.SetBound(&design.Bound{RAsym: 6.0 / 7, Kind: design.TreeBound})
	for objective, want := range map[design.Objective]verify.Status{design.Rate: verify.OK, design.Time: verify.Unproved} {
		p.Objective = objective
		if got := statusOf(t, p, "stop"); got != want {
			t.Errorf("asked for %s: stop is %q, want %q", objective, got, want)
		}
	}
}
