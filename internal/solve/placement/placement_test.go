package placement

import (
	"github.com/batopo/batopo/internal/cost"
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

func built(t *testing.T, s cluster.Spec) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func family(t *testing.T, name string, n int) *mixing.Matrix {
	t.Helper()
	f, err := mixing.FindFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Build(mixing.Params{Nodes: n})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// everyOrder calls visit with all orders of that many nodes.
func everyOrder(order []int, k int, visit func([]int)) {
	if k == len(order) {
		visit(order)
		return
	}
	for i := k; i < len(order); i++ {
		order[k], order[i] = order[i], order[k]
		everyOrder(order, k+1, visit)
		order[k], order[i] = order[i], order[k]
	}
}

var uneven = cluster.Spec{Matrix: &cluster.Matrix{GBs: [][]float64{
	{0, 1, 9, 2, 3, 1}, {2, 0, 1, 8, 1, 2}, {9, 2, 0, 1, 7, 1}, {1, 8, 2, 0, 1, 6}, {4, 1, 7, 2, 0, 3}, {1, 3, 1, 6, 2, 0},
}}}

// On six nodes every order can be tried; the price found is the best one, and what a round costs in that order.
func TestBestIsTheBestOfAllOrders(t *testing.T) {
	for _, name := range []string{"ring", "exponential", "path", "star"} {
		c, w := built(t, uneven), family(t, name, 6)
		b := newBill(c, []*mixing.Matrix{w})
		lowest := math.Inf(1)
		everyOrder(topology.InOrder(6), 0, func(order []int) { lowest = min(lowest, b.of(order).rounds) })
		best := Best(t.Context(), c, []*mixing.Matrix{w}, 1)
		placed, err := Placed(w, best.Order)
		if err != nil {
			t.Fatal(err)
		}
		r, err := cost.Gossip(c, placed)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.CommunicationMS-lowest) > 1e-12*lowest || best.Missing != 0 {
			t.Errorf("%s: %v ms in the order %v, the best of all takes %v", name, r.CommunicationMS, best.Order, lowest)
		}
		again := Best(t.Context(), c, []*mixing.Matrix{w}, 1)
		for k := range again.Order {
			if again.Order[k] != best.Order[k] {
				t.Fatalf("%s: two runs give %v and %v", name, best.Order, again.Order)
			}
		}
	}
}

// A network that is a ring, numbered at random: there is one order, and it is found.
func TestRingThroughARing(t *testing.T) {
	s := cluster.Spec{Nodes: 12, Resources: []cluster.ResourceSpec{{Name: "line", GBs: 1}}}
	at := []int{7, 2, 9, 0, 4, 11, 5, 1, 8, 3, 10, 6}
	for k, i := range at {
		s.Routes = append(s.Routes, cluster.RouteSpec{Pair: []int{i, at[(k+1)%12]}, Over: []string{"line"}})
	}
	c := built(t, s)
	ring := family(t, "ring", 12)
	if _, err := cost.Gossip(c, ring); err == nil {
		t.Fatal("the ring fits as numbered, so this test shows nothing")
	}
	if best := Best(t.Context(), c, []*mixing.Matrix{ring}, 1); best.Missing != 0 {
		t.Errorf("%d arcs have no route after %d orders", best.Missing, best.Evaluations)
	}
	if tree := SpanningTree(c); len(tree) != 11 {
		t.Errorf("the spanning tree has %d edges", len(tree))
	}
}
