package feasible_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/topology"

	"github.com/google/go-cmp/cmp"
)

func load(t *testing.T, example string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.ReadFile("../../../examples/" + example + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func repeat(counts ...int) []int { // (value, times) pairs
	var out []int
	for k := 0; k < len(counts); k += 2 {
		out = append(out, slices.Repeat(counts[k:k+1], counts[k+1])...)
	}
	return out
}

// The cases that the paper works out: section VI, heterogeneous scenarios.
func TestAlgorithm1GivesThePapersCapacities(t *testing.T) {
	for _, tc := range []struct {
		name, example string
		edges         int
		unit          float64
		want          []int
	}{
		{"node level r=16", "node-level-16", 16, 3.25, repeat(3, 8, 1, 8)},
		{"node level r=32", "node-level-16", 32, 1.625, repeat(6, 8, 2, 8)},
		{"node level r=48", "node-level-16", 48, 3.25 / 3, repeat(9, 8, 3, 8)},
		{"intra-server r=8", "intra-server-8", 8, 4.88, []int{1, 1, 1, 1, 1, 1, 2}},
		{"intra-server r=12", "intra-server-8", 12, 2.44, []int{1, 1, 1, 1, 2, 2, 4}},
		{"intra-server r=16", "intra-server-8", 16, 4.88 / 3, []int{1, 1, 1, 1, 3, 3, 6}},
		{"BCube 1:2 r=24", "bcube-16-1to2", 24, 4.88, repeat(1, 16, 2, 16)},
		{"BCube 1:2 r=48", "bcube-16-1to2", 48, 4.88 / 3, repeat(3, 16, 3, 16)},
		{"BCube 2:3 r=24", "bcube-16-2to3", 24, 4.88, repeat(1, 16, 2, 16)},
		{"homogeneous r=32", "homogeneous-16", 32, 2.44, repeat(4, 16)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := load(t, tc.example)
			printed, err := feasible.On(c).Algorithm1(tc.edges)
			if err != nil {
				t.Fatal(err)
			}
			general, err := feasible.On(c).Allocate(t.Context(), tc.edges)
			if err != nil {
				t.Fatal(err)
			}
			for form, got := range map[string]feasible.Allocation{"printed": printed, "general": general} {
				if diff := cmp.Diff(tc.want, got.Edges); diff != "" {
					t.Errorf("%s form: capacities (-want +got):\n%s", form, diff)
				}
				if math.Abs(got.UnitGBs-tc.unit) > 1e-3*tc.unit {
					t.Errorf("%s form: unit bandwidth %v, want %v", form, got.UnitGBs, tc.unit)
				}
			}
		})
	}
}

func TestAlgorithm1EndsWhenAResourceIsSaturated(t *testing.T) {
	// As printed the loop would pick the saturated third resource forever.
	got, err := feasible.Algorithm1([]float64{1, 1, 10}, []int{8, 8, 2}, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{4, 4, 2}; !slices.Equal(got.Edges, want) {
		t.Errorf("capacities %v, want %v", got.Edges, want)
	}
	_, err = feasible.Algorithm1([]float64{1, 1}, []int{2, 2}, 5, 1)
	if err == nil || !strings.Contains(err.Error(), "at most 4") {
		t.Errorf("5 edges on resources for 4: error %v, want one that says at most 4", err)
	}
}

func TestAlgorithm1TrimsTheBusiestAndRecomputesTheUnit(t *testing.T) {
	got, err := feasible.Algorithm1([]float64{3, 3, 3}, []int{9, 9, 9}, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 1, 2}; !slices.Equal(got.Edges, want) || got.UnitGBs != 1.5 {
		t.Errorf("got %v at %v, want %v at 1.5 (ties trimmed at the lowest index)", got.Edges, got.UnitGBs, want)
	}
}

func connected(t *testing.T, n int, edges []topology.Edge) bool {
	t.Helper()
	g, err := topology.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g.Connected()
}

// Brute force over all simple graphs on up to 6 nodes.
func TestCarriesIsExactForNodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		n := 2 + rng.IntN(5)
		e := make([]int, n)
		for i := range e {
			e[i] = rng.IntN(n + 1)
		}
		pairs := topology.AllPairs(n)
		best := 0
		for set := range 1 << len(pairs) {
			degree, count, ok := make([]int, n), 0, true
			var chosen []topology.Edge
			for k, p := range pairs {
				if set>>k&1 == 1 {
					degree[p.I]++
					degree[p.J]++
					count++
					ok = ok && degree[p.I] <= e[p.I] && degree[p.J] <= e[p.J]
					chosen = append(chosen, p)
				}
			}
			if ok && count > best && connected(t, n, chosen) {
				best = max(best, count)
			}
		}
		c, err := cluster.New(cluster.Homogeneous(n, 1))
		if err != nil {
			t.Fatal(err)
		}
		if got, proved, err := feasible.On(c).Carries(t.Context(), e); got != best || proved != best || err != nil {
			t.Fatalf("trial %d: degrees at most %v: got %d edges, brute force %d", trial, e, got, best)
		}
	}
}

func TestBudgetsOfTheScenarios(t *testing.T) {
	for _, tc := range []struct {
		example string
		want    []int
	}{
		{"homogeneous-16", []int{16, 24, 32}},
		{"intra-server-8", []int{8, 9, 12}},
		{"bcube-16-1to2", []int{24, 32, 40}},
	} {
		var got []int
		budgets, err := feasible.On(load(t, tc.example)).Budgets(t.Context(), 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range budgets {
			got = append(got, a.MaxEdges)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: budgets %v, want %v", tc.example, got, tc.want)
		}
	}
}

// 64 servers of 8 GPUs: 130 816 candidate pairs over 64 network cards. Every server pair is alike, so
// budgets are multiples that fill the cards evenly.
func TestManyServersAreAllocatedQuickly(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Servers: &cluster.Servers{Count: 64, GPUs: 8,
		Tree: cluster.TreeSpec{PIX: 20, Node: 20, Sys: 20}, NIC: 25}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := feasible.On(c).Allocate(t.Context(), 2048)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := feasible.On(c).Carries(t.Context(), a.Edges); got < 2048 || err != nil {
		t.Errorf("the allocation carries %d edges, 2048 were asked for", got)
	}
}

// 16 leaves of 16 hosts: every pair passes its own two host ports.
func TestManyHostsAreAllocated(t *testing.T) {
	c, err := cluster.New(cluster.Spec{LeafSpine: &cluster.LeafSpine{Leaves: 16, Hosts: 16, Host: 12, Uplink: 48}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := feasible.On(c).Allocate(t.Context(), 768)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := feasible.On(c).Carries(t.Context(), a.Edges); got < 768 || err != nil {
		t.Errorf("the allocation carries %d edges, 768 were asked for", got)
	}
}

// Hosts and uplinks allow two, three, … edges at every host: 18 hosts of 3.125 GB/s under three leaves.
func TestBudgetsOfAFabricUseEveryPort(t *testing.T) {
	c, err := cluster.New(cluster.Spec{LeafSpine: &cluster.LeafSpine{Leaves: 3, Hosts: 6, Host: 3.125, Uplink: 6.25}})
	if err != nil {
		t.Fatal(err)
	}
	budgets, err := feasible.On(c).Budgets(t.Context(), 6)
	if err != nil {
		t.Fatal(err)
	}
	for k, b := range budgets {
		if want := 9 * (k + 2); b.MaxEdges != want || math.Abs(b.UnitGBs-3.125/float64(k+2)) > 1e-9 {
			t.Errorf("budget %d: %d edges at %v GB/s, want %d at %v", k, b.MaxEdges, b.UnitGBs, want, 3.125/float64(k+2))
		}
		if _, proved, err := feasible.On(c).Carries(t.Context(), b.Edges); err != nil || proved != b.MaxEdges {
			t.Errorf("budget %d: at most %d edges are proved (%v), want %d", k, proved, err, b.MaxEdges)
		}
	}
}

// Bandwidths beyond what an int counts of each other.
func TestAllocationOfExtremeRatios(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Bandwidth: cluster.Numbers{1e-9, 1e9, 1e-9, 1e-9}})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := feasible.On(c).Allocate(t.Context(), 3); err != nil || a.UnitGBs != 1e-9 || !slices.Equal(a.Edges, []int{1, 3, 1, 1}) {
		t.Errorf("a star around the fast node: got %v and %v", a, err)
	}
	a, err := feasible.Algorithm1([]float64{1, 1e300, 1, 1}, []int{3, 3, 3, 3}, 3, 2)
	if err != nil || !slices.Equal(a.Edges, []int{1, 3, 1, 1}) {
		t.Errorf("Algorithm 1: got %v and %v", a, err)
	}
	for _, bad := range [][]float64{{math.NaN(), 1}, {math.Inf(1), 1}, {0, 1}, nil} {
		if _, err := feasible.Algorithm1(bad, make([]int, len(bad)), 1, 2); err == nil {
			t.Errorf("Algorithm 1 accepts bandwidths %v", bad)
		}
	}
}

// A hundred thousand nodes have 10¹⁰ units b/k; none of them may be listed.
func TestBudgetsOfManyNodesListNoUnits(t *testing.T) {
	many := make(cluster.Numbers, 100_000)
	for i := range many {
		many[i] = 1 + float64(i)/1000
	}
	specs := map[string]cluster.Spec{"equal": cluster.Homogeneous(100_000, 9.76), "all different": {Bandwidth: many}}
	for name, spec := range specs {
		c, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		budgets, err := feasible.On(c).Budgets(t.Context(), 16)
		runtime.ReadMemStats(&after)
		if err != nil || len(budgets) != 16 {
			t.Fatalf("%s: %d budgets, %v", name, len(budgets), err)
		}
		// Listing every unit took minutes and 80 GB.
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<30 {
			t.Errorf("%s: allocated %d MB in all", name, used>>20)
		} else {
			t.Logf("%s: %d MB", name, used>>20)
		}
	}
}

func TestAllocationSaysWhatIsProved(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Nodes: 3,
		Resources: []cluster.ResourceSpec{{Name: "a", GBs: 1, MaxEdges: 1}, {Name: "b", GBs: 1}},
		Routes: []cluster.RouteSpec{{Pair: []int{0, 1}, Over: []string{"a"}},
			{Pair: []int{1, 2}, Over: []string{"a", "b"}}, {Pair: []int{0, 2}, Over: []string{"b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for edges, want := range map[int]string{1: "1 edges cannot connect 3 nodes", 3: "at most 2 in a connected graph"} {
		_, err := feasible.On(c).Allocate(t.Context(), edges)
		if !errors.Is(err, feasible.ErrInfeasible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%d edges: error %v, want %q and ErrInfeasible", edges, err, want)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := feasible.On(c).Allocate(stopped, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	if _, err := feasible.On(c).Budgets(stopped, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

// Asking for as many edges as a budget has gives that budget, on every example.
func TestAllocationAgreesWithBudgets(t *testing.T) {
	for _, example := range []string{"bcube-16-2to3", "homogeneous-16", "intra-server-8", "leaf-spine-32",
		"node-level-16", "wan-general"} {
		c := load(t, example)
		budgets, err := feasible.On(c).Budgets(t.Context(), 16)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range budgets {
			a, err := feasible.On(c).Allocate(t.Context(), b.MaxEdges)
			if err != nil || !slices.Equal(a.Edges, b.Edges) || a.UnitGBs != b.UnitGBs {
				t.Errorf("%s: %d edges are allocated at %v GB/s (%v), as a budget at %v", example, b.MaxEdges, a.UnitGBs, err,
					b.UnitGBs)
			}
		}
	}
}

// Caps of nodes hold where every pair loads just its two nodes, as they do elsewhere.
func TestCapsOfNodesAreKept(t *testing.T) {
	capped := func(most ...int) *cluster.Cluster {
		tree := &cluster.Group{}
		for _, m := range most {
			tree.Groups = append(tree.Groups, cluster.Group{Nodes: 1, Link: &cluster.Link{GBs: 12, MaxEdges: m}})
		}
		c, err := cluster.New(cluster.Spec{Tree: tree})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, tc := range []struct {
		most  []int
		edges int // the most that a connected graph has
	}{
		{[]int{1, 1, 1, 1}, 0}, {[]int{2, 2, 2, 2}, 4}, {[]int{1, 1, 1, 0}, 3}, {[]int{1, 2, 2, 1}, 3},
		{[]int{3, 3, 1, 1, 0}, 5}, {[]int{0, 0, 0, 0}, 6},
	} {
		c := capped(tc.most...)
		if !c.PerNode() || c.Homogeneous() != (slices.Max(tc.most) == 0) {
			t.Errorf("caps %v: per node %v, homogeneous %v", tc.most, c.PerNode(), c.Homogeneous())
		}
		for r := c.Nodes() - 1; r <= tc.edges+1; r++ {
			a, err := feasible.On(c).Allocate(context.Background(), r)
			if r > tc.edges && !errors.Is(err, feasible.ErrInfeasible) || r <= tc.edges && err != nil {
				t.Errorf("caps %v, %d edges: %v", tc.most, r, err)
			}
			for i, m := range tc.most {
				if err == nil && m > 0 && a.Edges[i] > m {
					t.Errorf("caps %v, %d edges: allocated are %v", tc.most, r, a.Edges)
				}
			}
		}
	}
}
