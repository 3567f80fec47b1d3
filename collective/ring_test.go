package collective

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// lines is three nodes: the first two over one resource, the others over another.
func lines(t *testing.T, near, far cluster.ResourceSpec) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Spec{Nodes: 3, Resources: []cluster.ResourceSpec{near, far},
		Routes: []cluster.RouteSpec{{Pair: []int{0, 1}, Over: []string{near.Name}},
			{Pair: []int{1, 2}, Over: []string{far.Name}}, {Pair: []int{0, 2}, Over: []string{far.Name}}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Of two unlike lines the narrow one decides whole messages and the distant one their parts.
func TestRingWaitsForTheSlowestPart(t *testing.T) {
	c := lines(t, cluster.ResourceSpec{Name: "narrow", GBs: 1},
		cluster.ResourceSpec{Name: "distant", GBs: 10, LatencyMS: 40})
	got, err := Ring(topology.InOrder(3)).Cost(c)
	if err != nil {
		t.Fatal(err)
	}
	// Two arcs share the distant line.
	if want := 4 * (40 + cluster.PaperMessageMB/3/(10./2)); math.Abs(got.MS-want) > 1e-9 || got.Bottleneck != "distant" {
		t.Errorf("%v ms at the %s line, want 4 steps over the distant line: %v ms", got.MS, got.Bottleneck, want)
	}
}

func TestRingKeepsToMaxEdges(t *testing.T) {
	c := lines(t, cluster.ResourceSpec{Name: "near", GBs: 1}, cluster.ResourceSpec{Name: "far", GBs: 1, MaxEdges: 1})
	if _, err := Ring(topology.InOrder(3)).Cost(c); err == nil {
		t.Error("a ring with two edges over a line of max_edges 1 has a price")
	}
}

// A ring prices one step for all; steps one by one, and chunks of a ring, cost what that says.
func TestOneStepOfARingStandsForAll(t *testing.T) {
	c := paper(t, 0.5, 9.76, 3.25, 9.76, 1, 4)
	once, each := Ring([]int{3, 1, 4, 0, 2}), Ring([]int{3, 1, 4, 0, 2})
	each.alike = false
	a, err := once.Cost(c)
	if err != nil {
		t.Fatal(err)
	}
	b, err := each.Cost(c)
	if err != nil || math.Abs(a.MS-b.MS) > 1e-9 || a.Slots != b.Slots || a.Bottleneck != b.Bottleneck {
		t.Errorf("one step for all: %+v, each step: %+v, %v", a, b, err)
	}
}
