package cost_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// Pairs 0–1 and 2–3 are slow in turn, then all exchange quickly across. Nobody has two slow rounds, so a period takes
// 10 + 2 + 2 ms; if all waited for the slowest pair of every round it would take 10 + 10 + 2.
func TestNodesWaitOnlyForTheirOwnPairs(t *testing.T) {
	across := [][]int{{2}, {3}, {0}, {1}}
	p := cost.Process{Nodes: 4, Every: 1, Rounds: []cost.Exchange{
		{MS: 10, Peers: pairs(4), PairMS: [][]float64{{10}, {10}, {2}, {2}}},
		{MS: 10, Peers: pairs(4), PairMS: [][]float64{{2}, {2}, {10}, {10}}},
		{MS: 2, Peers: across, PairMS: [][]float64{{2}, {2}, {2}, {2}}},
	}}
	for _, tc := range []struct {
		name            string
		compute, period float64
		overlap         bool
	}{
		{"rounds alone", 0, 14, false},
		{"after gradients of 5 ms", 5, 29, false},
		{"beside gradients of 5 ms: the slow round, and two gradients", 5, 20, true},
	} {
		p.Delay = cost.DelayOf(tc.overlap)
		if got := 3 * meanMS(t, p, same(4, tc.compute, 0)); math.Abs(got-tc.period) > 1e-9 {
			t.Errorf("%s: a period takes %v ms, want %v", tc.name, got, tc.period)
		}
	}
}

// twoRacks is eight nodes of 1 GB/s in two racks, whose uplinks carry as much as one node.
func twoRacks(t *testing.T) *cluster.Cluster {
	t.Helper()
	messageMB := 10.0
	c, err := cluster.New(cluster.Spec{Format: cluster.Format, Model: &cluster.ModelSpec{MessageMB: &messageMB},
		LeafSpine: &cluster.LeafSpine{Leaves: 2, Hosts: 4, Host: 1, Uplink: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// meeting is a schedule in which pairs average by halves, some in every round.
func meeting(t *testing.T, c *cluster.Cluster, rounds [][][2]int) *design.Plan {
	t.Helper()
	s := &mixing.Schedule{}
	for _, edges := range rounds {
		var arcs []mixing.Arc
		for _, e := range edges {
			arcs = append(arcs, mixing.Arc{From: e[0], To: e[1], Weight: 0.5}, mixing.Arc{From: e[1], To: e[0], Weight: 0.5})
		}
		w, err := mixing.FromArcs(c.Nodes(), arcs)
		if err != nil {
			t.Fatal(err)
		}
		s.Rounds = append(s.Rounds, w)
	}
	plan, err := design.NewSchedulePlan(t.Context(), c, s)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// Half of the nodes cross the uplink in the first round, the others in the second, and both times the rest exchange
// inside. Crossing takes 20 ms, and 10 ms inside: a node is done after 30. But the uplink carries four messages, which
// takes 40 ms, whichever node is ahead.
func TestAPeriodTakesNoLessThanItsBusiestLink(t *testing.T) {
	c := twoRacks(t)
	plan := meeting(t, c, [][][2]int{{{0, 4}, {1, 5}, {2, 3}, {6, 7}}, {{2, 6}, {3, 7}, {0, 1}, {4, 5}}})
	p, err := plan.Process(c)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Rounds[0].PairMS; got[0][0] != 20 || got[2][0] != 10 {
		t.Errorf("the first round's pairs take %v ms; want 20 across and 10 inside", got)
	}
	if got := meanMS(t, *p, same(8, 0, 0)); math.Abs(got-20) > 1e-9 || p.BusyMS != 40 {
		t.Errorf("%v ms a round, the uplink busy for %v; want 20 and 40", got, p.BusyMS)
	}
	if got := meanMS(t, *p.Slower(2), same(8, 0, 0)); math.Abs(got-40) > 1e-9 {
		t.Errorf("twice as slow: %v ms a round; want 40", got)
	}
}

// The pace found by looking for a repetition equals the pace of a long simulation, for pairs and times drawn at random.
func TestThePaceIsThatOfALongRun(t *testing.T) {
	const nodes = 6
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		p := cost.Process{Nodes: nodes, Every: 1}
		for range 2 + random.IntN(4) {
			e := cost.Exchange{Peers: make([][]int, nodes), PairMS: make([][]float64, nodes)}
			order := random.Perm(nodes)
			for k := 0; k+1 < nodes-random.IntN(3); k += 2 {
				i, j, ms := order[k], order[k+1], float64(1+random.IntN(20))
				e.Peers[i], e.PairMS[i] = []int{j}, []float64{ms}
				e.Peers[j], e.PairMS[j] = []int{i}, []float64{ms}
				e.MS = max(e.MS, ms)
			}
			p.Rounds = append(p.Rounds, e)
		}
		got, want := meanMS(t, p, same(nodes, 0, 0))*float64(len(p.Rounds)), period(p)
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("a period takes %v ms; in a long run %v: %+v", got, want, p.Rounds)
		}
	}
}

// period is the mean time of a period of the slowest node, without those at the beginning. The number of periods is a
// multiple of all up to 8, after which things may repeat.
func period(p cost.Process) float64 {
	const periods = 840
	at, before := make([]float64, p.Nodes), make([]float64, p.Nodes)
	for k := range 2 * periods {
		for _, e := range p.Rounds {
			next := slices.Clone(at)
			for i, peers := range e.Peers {
				for m, j := range peers {
					next[i] = max(next[i], max(at[i], at[j])+e.PairMS[i][m])
				}
			}
			at = next
		}
		if k == periods-1 {
			copy(before, at)
		}
	}
	slowest := 0.0
	for i := range at {
		slowest = max(slowest, at[i]-before[i])
	}
	return slowest / periods
}

// carrying is a cluster with the same links for other messages and another latency.
func carrying(t *testing.T, c *cluster.Cluster, messageMB, latencyMS float64) *cluster.Cluster {
	t.Helper()
	spec := c.Spec()
	spec.Model, spec.LatencyMS = &cluster.ModelSpec{MessageMB: &messageMB}, latencyMS
	other, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return other
}

// For other messages and latencies a tariff says what a cluster that has them says.
func TestATariffPricesOtherMessagesAndLatencies(t *testing.T) {
	c := twoRacks(t)
	plan := meeting(t, c, [][][2]int{{{0, 4}, {1, 5}}, {{2, 3}}})
	tariff, err := plan.Period(c)
	if err != nil {
		t.Fatal(err)
	}
	const messageMB, latencyMS = 3.5, 0.25
	other := carrying(t, c, messageMB, latencyMS)
	got, err := tariff.At(messageMB, latencyMS)
	if err != nil {
		t.Fatal(err)
	}
	rounds, err := plan.RoundCosts(other)
	if err != nil {
		t.Fatal(err)
	}
	for k, e := range got.Rounds {
		want := rounds[k]
		if math.Abs(e.MS-want.CommunicationMS) > 1e-12 || e.Bottleneck != want.Bottleneck {
			t.Errorf("round %d: %v ms because of %s, want %v because of %s", k, e.MS, e.Bottleneck,
				want.CommunicationMS, want.Bottleneck)
		}
	}
	if want := 2 * messageMB; math.Abs(got.BusyMS-want) > 1e-12 {
		t.Errorf("the uplink is busy for %v ms, want %v", got.BusyMS, want)
	}
}

// The same for rounds of steps: an all-reduce, and groups that average inside and exchange between.
func TestATariffPricesRoundsOfSteps(t *testing.T) {
	c := twoRacks(t)
	pair, err := mixing.FromArcs(2, []mixing.Arc{{From: 0, To: 1, Weight: 0.5}, {From: 1, To: 0, Weight: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	groups := [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}}
	levels, err := design.NewTwoLevelPlan(t.Context(), c, groups, &mixing.Schedule{Rounds: []*mixing.Matrix{pair}})
	if err != nil {
		t.Fatal(err)
	}
	reduce, err := design.NewCollectivePlan(c, &design.Collective{Algorithm: design.RingForm, Order: topology.InOrder(8)})
	if err != nil {
		t.Fatal(err)
	}
	const messageMB, latencyMS = 3.5, 0.25
	other := carrying(t, c, messageMB, latencyMS)
	for _, plan := range []*design.Plan{levels, reduce} {
		tariff, err := plan.Period(c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tariff.At(messageMB, latencyMS)
		if err != nil {
			t.Fatal(err)
		}
		want, err := plan.Process(other)
		if err != nil {
			t.Fatal(err)
		}
		a, b := got.Rounds[0], want.Rounds[0]
		if math.Abs(a.MS-b.MS) > 1e-12 || a.Bottleneck != b.Bottleneck || !reflect.DeepEqual(a.Peers, b.Peers) {
			t.Errorf("%s: %+v, want %+v", plan.Method, a, b)
		}
	}
}
