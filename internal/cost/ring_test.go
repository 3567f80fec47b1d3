package cost

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
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
	got, err := Of(collective.Ring(topology.InOrder(3)), c)
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
	if _, err := Of(collective.Ring(topology.InOrder(3)), c); err == nil {
		t.Error("a ring with two edges over a line of max_edges 1 has a price")
	}
}

// Steps of a ring that are alike are priced once, also between groups and in chunks: that is what they cost one by one.
func TestOneStepOfARingStandsForAll(t *testing.T) {
	c := paper(t, 0.5, 9.76, 3.25, 9.76, 1, 4, 2)
	groups := [][]int{{5, 0}, {3, 1}, {2, 4}}
	for _, a := range []*collective.Algorithm{collective.Ring([]int{3, 1, 4, 0, 5, 2}), collective.Levels(groups, collective.Direct, collective.Ring(topology.InOrder(3))),
		collective.Levels([][]int{{3}, {1}, {4}, {0}, {5}, {2}}, collective.Direct, collective.Ring(topology.InOrder(6)))} {
		for chunks := 1; chunks <= a.Steps+2; chunks++ {
			once := a.InChunks(chunks)
			steps := make([][]collective.Transfer, a.Steps)
			for k := range steps {
				steps[k] = a.At(k)
			}
			each := collective.Listed(a.Name, a.Nodes, steps).InChunks(chunks)
			got, err := Of(once, c)
			if err != nil {
				t.Fatal(err)
			}
			want, err := Of(each, c)
			if err != nil || math.Abs(got.MS-want.MS) > 1e-9 || math.Abs(got.MinGBs-want.MinGBs) > 1e-9 ||
				got.Slots != want.Slots || got.Bottleneck != want.Bottleneck {
				t.Errorf("%s in %d chunks: %+v, every slot priced %+v, %v", a.Name, chunks, got, want, err)
			}
		}
	}
}

// A ring between many groups has many steps, and in chunks many of them at once.
func BenchmarkRingBetweenLeaves(b *testing.B) {
	c, err := cluster.New(cluster.Spec{LeafSpine: &cluster.LeafSpine{Leaves: 256, Hosts: 2, Host: 12, Uplink: 24}})
	if err != nil {
		b.Fatal(err)
	}
	groups := make([][]int, 256)
	for i := range c.Nodes() {
		groups[i/2] = append(groups[i/2], i)
	}
	for b.Loop() {
		if _, _, err := BestChunks(collective.Levels(groups, collective.Direct, collective.Ring(topology.InOrder(256))), c, 64); err != nil {
			b.Fatal(err)
		}
	}
}
