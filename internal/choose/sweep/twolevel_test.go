package sweep_test

import (
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/verify"
)

// eightServers are 8 servers of 8 GPUs behind one network card each.
func eightServers(t testing.TB) *cluster.Cluster {
	return built(t, cluster.Spec{
		Servers: &cluster.Servers{Count: 8, GPUs: 8, GPUsPerSwitch: 8, Tree: cluster.TreeSpec{PIX: 450}, NIC: 12.5},
		Model:   &cluster.ModelSpec{MessageMB: new(500.)},
	})
}

func scheduleOn(t testing.TB, c *cluster.Cluster, name string) *design.Plan {
	t.Helper()
	f, err := mixing.FindSchedule(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Build(mixing.ScheduleParams{Nodes: c.Nodes()})
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewSchedulePlan(t.Context(), c, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A server sends one message per neighbour, in eight shards. What a round takes is the message over the network card
// and twice seven eighths of it inside, where 28 pairs share one switch.
func TestTwoLevelPlansOfServers(t *testing.T) {
	if testing.Short() {
		t.Skip("64 GPUs; TestTwoLevelPlanWithUplinks is the same with 8")
	}
	c := eightServers(t)
	groups, err := sweep.Groups(c)
	if err != nil || len(groups) != 8 || len(groups[0]) != 8 {
		t.Fatal(groups, err)
	}
	between, err := sweep.BetweenGroups(c, groups)
	if err != nil {
		t.Fatal(err)
	}
	inside := 2 * 28 * 500. / 8 / 450
	p, err := sweep.TwoLevelPlan(t.Context(), c, sweep.TwoLevel{
		Between: scheduleOn(t, between, "one-peer-hypercube")})
	if err != nil {
		t.Fatal(err)
	}
	if want := 3 * (inside + 500/12.5); math.Abs(p.TimeMS-want) > 1e-9*want || p.Iterations != 3 {
		t.Errorf("one-peer hypercube: %v ms in %d rounds; want %v in 3", p.TimeMS, p.Iterations, want)
	}
	checked(t, p)

	searched, err := sweep.TwoLevelPlan(t.Context(), c, sweep.TwoLevel{
		Settings: sweep.Settings{Seed: 1, Evaluations: 500}})
	if err != nil {
		t.Fatal(err)
	}
	if searched.Inside == nil || !searched.Static() || searched.TimeMS > 2000 {
		t.Errorf("searched for: %v ms", searched.TimeMS)
	}
	checked(t, searched)

	all, err := sweep.CollectivePlan(t.Context(), between, "halving-doubling", 1)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := sweep.TwoLevelPlan(t.Context(), c, sweep.TwoLevel{Between: all})
	if err != nil || exact.Kind != design.CollectiveKind || exact.TimeMS > 500/12.5*2+inside {
		t.Fatalf("%v, %v", exact, err)
	}
	checked(t, exact)
}

// Racks share uplinks, and the cluster between servers is not one of ports alone.
func TestTwoLevelPlanWithUplinks(t *testing.T) {
	c := built(t, cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{
		{Name: "rack", Count: 2, Uplink: &cluster.Link{GBs: 10}, Groups: []cluster.Group{
			{Name: "server", Count: 2, Nodes: 2, Link: &cluster.Link{GBs: 20}, Uplink: &cluster.Link{GBs: 10}}}}}}})
	groups := [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}}
	between, err := sweep.BetweenGroups(c, groups)
	if err != nil {
		t.Fatal(err)
	}
	if between.PerNode() {
		t.Error("the uplinks of racks are forgotten")
	}
	p, err := sweep.TwoLevelPlan(t.Context(), c, sweep.TwoLevel{
		Groups: groups, Between: scheduleOn(t, between, "one-peer-hypercube")})
	if err != nil {
		t.Fatal(err)
	}
	report, err := verify.Check(t.Context(), p)
	if err != nil || report.Err() != nil {
		t.Error(err, report.Err())
	}
	// Inside racks a message passes an uplink of 10 GB/s once, between racks two messages share it.
	if p.RoundMS[1] <= p.RoundMS[0] {
		t.Errorf("rounds take %v; between racks it is longer", p.RoundMS)
	}
}

func TestGroupsThatDoNotFit(t *testing.T) {
	uneven := built(t, cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{
		{Name: "a", Nodes: 2, Link: &cluster.Link{GBs: 20}, Uplink: &cluster.Link{GBs: 10}},
		{Name: "b", Nodes: 3, Link: &cluster.Link{GBs: 20}, Uplink: &cluster.Link{GBs: 10}}}}})
	flat := built(t, cluster.Homogeneous(4, 1))
	single := built(t, cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Between: &cluster.Link{GBs: 3},
		Groups: []cluster.Group{{Name: "host", Count: 4, Nodes: 1, Link: &cluster.Link{GBs: 1}}}}})
	for c, words := range map[*cluster.Cluster]string{uneven: "group 1 has 3 nodes, group 0 has 2", flat: "no groups",
		single: "group 0 has one node; hierarchical averaging needs groups of at least 2"} {
		if _, err := sweep.TwoLevelPlan(t.Context(), c, sweep.TwoLevel{}); err == nil ||
			!strings.Contains(err.Error(), words) {
			t.Errorf("error %v; want one that says %q", err, words)
		}
	}
	if _, err := sweep.TwoLevelPlan(t.Context(), eightServers(t), sweep.TwoLevel{
		Between: scheduleOn(t, flat, "one-peer-hypercube")}); err == nil || !strings.Contains(err.Error(), "8 groups") {
		t.Errorf("a plan for 4 nodes between 8 groups: %v", err)
	}
}

// Several network cards in a server have no single way out; its description says what a server is.
func TestGroupsOfTheDescription(t *testing.T) {
	c, err := cluster.ReadFile("../../../examples/nvswitch-4x8.yaml")
	if err != nil {
		t.Fatal(err)
	}
	groups, err := sweep.Groups(c)
	if err != nil || len(groups) != 4 || groups[3][7] != 31 {
		t.Errorf("%v, %v", groups, err)
	}
}

// Racks of hosts: both are levels, and hosts are the better one where racks average over network cards.
func TestGroupsOfEveryLevel(t *testing.T) {
	host := cluster.Group{Name: "host", Count: 2, Nodes: 2, NVSwitch: &cluster.Link{GBs: 300},
		NICs: &cluster.NICs{Count: 1, Link: cluster.Link{GBs: 12.5}}}
	rack := cluster.Group{Name: "rack", Count: 2, Uplink: &cluster.Link{GBs: 25}, Groups: []cluster.Group{host}}
	several := rack // two network cards: only the description says what a host is
	host.NICs = &cluster.NICs{Count: 2, Link: cluster.Link{GBs: 6.25}}
	several.Groups = []cluster.Group{host}
	for _, top := range []cluster.Group{rack, several} {
		c := built(t, cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{top}}})
		levels, err := cost.Divisions(c)
		if err != nil || len(levels) != 2 || len(levels[0]) != 2 || len(levels[1]) != 4 {
			t.Fatalf("levels %v, %v; want 2 racks and 4 hosts", levels, err)
		}
		groups, err := sweep.Groups(c)
		if err != nil || len(groups) != 4 || groups[3][1] != 7 {
			t.Errorf("groups %v, %v; want the hosts", groups, err)
		}
		between, err := sweep.BetweenGroups(c, levels[0])
		if err != nil {
			t.Fatal(err)
		}
		p, err := sweep.TwoLevelPlan(t.Context(), c, sweep.TwoLevel{
			Between: scheduleOn(t, between, "one-peer-hypercube")})
		if err != nil || len(p.Inside.Groups) != 2 {
			t.Errorf("a plan for two racks: %v", err)
		}
	}
}
