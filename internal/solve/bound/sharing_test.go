package bound

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

func mustCluster(t *testing.T, s cluster.Spec) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func problem(c *cluster.Cluster, edges int) design.Problem {
	return design.Problem{Cluster: c, MaxEdges: edges, Objective: design.Rate, Purpose: design.Consensus,
		Sign: design.NonNegative}
}

// Every choice of edges within random limits must keep to the degrees and cuts derived from them.
func TestDegreesAndCutsAgainstEveryChoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	tight := 0
	for trial := range 200 {
		n := 4 + rng.IntN(2)
		candidates := topology.AllPairs(n)
		var limits []design.Limit
		for l := range 1 + rng.IntN(4) {
			limit := design.Limit{Name: fmt.Sprint(l), Max: rng.IntN(4)}
			for k, e := range candidates {
				if trial%2 == 0 && (e.I <= l) != (e.J <= l) || trial%2 == 1 && rng.Float64() < 0.5 {
					limit.Edges = append(limit.Edges, k)
				}
			}
			if len(limit.Edges) > 0 {
				limits = append(limits, limit)
			}
		}
		s := newSharing(n, candidates, limits)
		degrees, cuts := s.degrees(), s.cuts()
		most := make([]int, n)
		for mask := range 1 << len(candidates) {
			if !within(limits, mask) {
				continue
			}
			degree := make([]int, n)
			for k, e := range candidates {
				if mask>>k&1 == 1 {
					degree[e.I]++
					degree[e.J]++
				}
			}
			for i, d := range degree {
				most[i] = max(most[i], d)
			}
		}
		for i := range most {
			if most[i] > degrees[i] {
				t.Fatalf("trial %d: node %d can have %d neighbours, derived limit %d; limits %v",
					trial, i, most[i], degrees[i], limits)
			}
			if most[i] == degrees[i] {
				tight++
			}
		}
		for _, c := range cuts {
			if c.Inside < 1 || c.Inside >= n {
				t.Fatalf("trial %d: cut %+v of %d nodes", trial, c, n)
			}
		}
	}
	if tight < 300 {
		t.Errorf("only %d derived limits can be reached", tight)
	}
}

func within(limits []design.Limit, mask int) bool {
	for _, l := range limits {
		load := 0
		for _, k := range l.Edges {
			load += mask >> k & 1
		}
		if load > l.Max {
			return false
		}
	}
	return true
}

func TestLimitsOfClusters(t *testing.T) {
	half := append(slices.Repeat([]float64{9.76}, 8), slices.Repeat([]float64{3.25}, 8)...)
	tree := cluster.TreeSpec{PIX: 4.88, Node: 4.88, Sys: 9.76}
	for _, c := range []struct {
		name    string
		spec    cluster.Spec
		edges   int
		degrees []int // nil: none; one number: the same for all
		cuts    []Cut
	}{
		{"homogeneous", cluster.Spec{Nodes: 16, Bandwidth: cluster.Numbers{9.76}}, 32, nil, nil},
		{"two kinds of node", cluster.Spec{Nodes: 16, Bandwidth: half}, 32,
			append(slices.Repeat([]int{6}, 8), slices.Repeat([]int{2}, 8)...), nil},
		{"ports of two layers", cluster.Spec{BCube: &cluster.BCube{Ports: 4, Layers: 2, Bandwidth: []float64{4.88, 9.76}}},
			24, []int{3}, nil},
		// A GPU has one edge over its switch, one over its socket and at most two over the link between sockets.
		{"one server", cluster.Spec{Servers: &cluster.Servers{Count: 1, GPUs: 8, Tree: tree}}, 8, []int{4},
			[]Cut{{"SYS", 4, 2}}},
		{"leaf and spine", cluster.Spec{LeafSpine: &cluster.LeafSpine{Leaves: 4, Hosts: 8, Host: 12, Uplink: 24}}, 32, nil,
			nil},
	} {
		got, err := FromProblem(t.Context(), problem(mustCluster(t, c.spec), c.edges))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if c.name == "leaf and spine" {
			// Whatever the unit is, the uplinks admit twice as many edges as a host.
			if len(got.Cuts) != 4 || got.Cuts[0].Inside != 8 && got.Cuts[0].Inside != 24 ||
				got.Cuts[0].Edges != 2*got.Degrees[0] {
				t.Errorf("%s: cuts %+v and degrees %v", c.name, got.Cuts, got.Degrees)
			}
			continue
		}
		want := c.degrees
		if len(want) == 1 {
			want = slices.Repeat(want, got.Nodes)
		}
		if !slices.Equal(got.Degrees, want) || !slices.Equal(got.Cuts, c.cuts) {
			t.Errorf("%s: degrees %v, cuts %+v; want %v, %+v", c.name, got.Degrees, got.Cuts, want, c.cuts)
		}
	}
}

func TestProblemHasASecondLineOnlyWhereItSaysMore(t *testing.T) {
	c := mustCluster(t, cluster.Spec{Nodes: 1024, Bandwidth: cluster.Numbers{9.76}})
	posed, degree, err := Problem(t.Context(), problem(c, 3*512))
	if err != nil {
		t.Fatal(err)
	}
	if degree == nil || degree.RAsym <= posed.RAsym || degree.Kind != "ball" || degree.Order < 3 {
		t.Errorf("1024 nodes, 1536 edges: posed %+v, degree %+v; balls of degree 3 are small, "+
			"so the second line should say more", posed, degree)
	}
	p := problem(c, 3*512)
	p.MaxDegree = 3
	limited, none, err := Problem(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if none != nil || degree != nil && !reflect.DeepEqual(limited, *degree) {
		t.Errorf("with MaxDegree 3: posed %+v, degree %+v; want %+v and nothing", limited, none, degree)
	}
	p.MaxEdges = 100
	if _, _, err := Problem(t.Context(), p); err == nil {
		t.Error("100 edges for 1024 nodes gave no error")
	}
}

// Nodes of small capacity decide: one with two neighbours has an entry of at least 1/3 in its row.
func TestSmallNodesDecide(t *testing.T) {
	half := append(slices.Repeat([]float64{9.76}, 8), slices.Repeat([]float64{3.25}, 8)...)
	posed, _, err := Problem(t.Context(), problem(mustCluster(t, cluster.Spec{Nodes: 16, Bandwidth: half}), 32))
	if err != nil {
		t.Fatal(err)
	}
	const want = 0.5374838498865 // √((1/3 − 1/16)/(1 − 1/16))
	if posed.RAsym < want {
		t.Errorf("bound %+v, want at least %v", posed, want)
	}
}

// Where capacities differ, even degrees may not connect all nodes: 3 and 1 neighbours allow 16 edges, 2 and 1 only 12.
func TestUnevenCapacitiesHaveNoSecondLine(t *testing.T) {
	half := append(slices.Repeat([]float64{9.76}, 8), slices.Repeat([]float64{3.25}, 8)...)
	posed, degree, err := Problem(t.Context(), problem(mustCluster(t, cluster.Spec{Nodes: 16, Bandwidth: half}), 16))
	if err != nil {
		t.Fatal(err)
	}
	if posed.RAsym <= 0 || degree != nil {
		t.Errorf("16 edges: posed %+v, degree %+v; want a bound and no second one", posed, degree)
	}
}
