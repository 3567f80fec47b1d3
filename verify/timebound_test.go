package verify_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/verify"
)

// uneven has fast and slow nodes, with a latency.
func uneven(t *testing.T) *cluster.Cluster {
	t.Helper()
	s := cluster.Homogeneous(6, 1)
	s.Bandwidth, s.LatencyMS = []float64{9, 9, 8, 3, 3, 2}, 0.5
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// oneStepBest lists clusters on which latency is nearly all that counts, so that one step of everybody with everybody is
// the quickest average. Caps that are above what it needs do not forbid it, nor do pairs that only a relay joins.
func oneStepBest(t *testing.T) []*cluster.Cluster {
	t.Helper()
	capped := cluster.Spec{Nodes: 3, LatencyMS: 1}
	for _, name := range []string{"a", "b", "c"} {
		capped.Resources = append(capped.Resources, cluster.ResourceSpec{Name: name, GBs: 1000, MaxEdges: 2})
	}
	capped.Routes = []cluster.RouteSpec{{Pair: []int{0, 1}, Over: []string{"a", "b"}},
		{Pair: []int{0, 2}, Over: []string{"a", "c"}}, {Pair: []int{1, 2}, Over: []string{"b", "c"}}}
	relayed := cluster.Spec{BCube: &cluster.BCube{Ports: 2, Layers: 2, Bandwidth: []float64{1000, 1000}}, LatencyMS: 1}
	var list []*cluster.Cluster
	for _, s := range []cluster.Spec{capped, relayed} {
		c, err := cluster.New(s)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func timed(t *testing.T, c *cluster.Cluster, b *design.TimeBound) *design.Plan {
	t.Helper()
	problem := schedules.Problem{Cluster: c, Exact: true}
	r, err := schedules.Search(t.Context(), problem, schedules.Settings{Evaluations: 500})
	if err != nil {
		t.Fatal(err)
	}
	if b != nil {
		r.Bound = b
	}
	p, err := r.Plan(t.Context(), c, schedules.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The checker's own code proves what the search proves, on hardware of several kinds, and nothing more.
func TestTimeBoundsAreRechecked(t *testing.T) {
	list := append(oneStepBest(t), uneven(t))
	for _, name := range []string{"bcube-16-1to2", "intra-server-8", "leaf-spine-32", "wan-general", "racks-2to1"} {
		c, err := cluster.ReadFile("../examples/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	kinds := map[design.TimeBoundKind]int{}
	for k, c := range list {
		for _, whole := range []bool{true, false} {
			b := schedules.LowerBound(c, whole)
			kinds[b.Kind]++
			p := timed(t, c, b)
			if s := statusOf(t, p, "time_bound"); s != verify.OK {
				t.Errorf("cluster %d, whole %v: %q is %s", k, whole, b.Kind, s)
			}
			more := *b
			more.MS *= 1.001
			p.TimeBound = &more
			if s := statusOf(t, p, "time_bound"); s != verify.False {
				t.Errorf("cluster %d, whole %v: %q raised by a thousandth is %s", k, whole, b.Kind, s)
			}
		}
	}
	if kinds[design.SpreadBound] == 0 || kinds[design.PricesBound] == 0 {
		t.Errorf("only %v were seen", kinds)
	}
}

func TestFalsePricesProveNothing(t *testing.T) {
	c := uneven(t)
	for name, change := range map[string]func(b *design.TimeBound){
		"twice as much":      func(b *design.TimeBound) { b.Prices = append(b.Prices, b.Prices[0]) },
		"no such resource":   func(b *design.TimeBound) { b.Prices[0].Resource = "moon" },
		"shares above one":   func(b *design.TimeBound) { b.Prices = append(b.Prices, anotherPrice(b)) },
		"everybody together": func(b *design.TimeBound) { b.Groups = [][]int{{0, 1, 2, 3, 4, 5}} },
	} {
		b := schedules.LowerBound(c, false)
		change(b)
		if s := statusOf(t, timed(t, c, b), "time_bound"); s != verify.False {
			t.Errorf("%s: %s", name, s)
		}
	}
}

func anotherPrice(b *design.TimeBound) design.HopPrice {
	p := b.Prices[0]
	p.Resource, p.Price = "node 0", 1
	return p
}

// A plan that is quicker than what it calls impossible is refused.
func TestPlanBelowItsTimeBound(t *testing.T) {
	p := timed(t, uneven(t), nil)
	b := *p.TimeBound
	b.MS = 2 * p.TimeMS
	p.TimeBound = &b
	if s := statusOf(t, p, "time_ms is not below time_bound"); s != verify.False {
		t.Errorf("a bound above the plan's own time is %s", s)
	}
}

// Averages that collect are plans as well: exact, priced and bounded by the checker's own code.
func TestSearchedAveragesHold(t *testing.T) {
	c := uneven(t)
	for _, form := range []schedules.Form{schedules.Whole, schedules.Parts} {
		r, err := schedules.Search(t.Context(), schedules.Problem{Cluster: c, Form: form}, schedules.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Plan(t.Context(), c, schedules.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := verify.Check(t.Context(), p)
		if err != nil || report.Err() != nil {
			t.Errorf("%s: %v, %v", form, err, report.Err())
		}
		if s := statusOf(t, p, "time_bound"); s != verify.OK || p.TimeMS != r.MS {
			t.Errorf("%s: time_bound is %q; %v ms, the search says %v", form, s, p.TimeMS, r.MS)
		}
		b := *p.TimeBound
		b.MS *= 1.001
		p.TimeBound = &b
		if s := statusOf(t, p, "time_bound"); s != verify.False {
			t.Errorf("%s: a bound raised by a thousandth is %q", form, s)
		}
	}
}
