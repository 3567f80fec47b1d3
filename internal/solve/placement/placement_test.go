package placement

import (
	"github.com/batopo/batopo/internal/cost"
	"math"
	"math/rand/v2"
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
		everyOrder(topology.InOrder(6), 0, func(order []int) {
			p, _ := b.within(order, worst)
			lowest = min(lowest, p.rounds)
		})
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

// Where pricing an order stops at a limit, the order is worse than the limit; elsewhere the price is the same as without.
func TestALimitOnlySavesWork(t *testing.T) {
	caps := cluster.Spec{Tree: &cluster.Group{Groups: []cluster.Group{
		{Name: "fast", Count: 2, Nodes: 3, Link: &cluster.Link{GBs: 10, PerMessageMS: 0.1}, Uplink: &cluster.Link{GBs: 12}},
		{Name: "slow", Nodes: 3, Link: &cluster.Link{GBs: 2, MaxEdges: 3, LatencyMS: 1}, Uplink: &cluster.Link{GBs: 3}}}}}
	rng := rand.New(rand.NewPCG(3, 4))
	stopped, missed := 0, 0
	for _, c := range []*cluster.Cluster{built(t, uneven), built(t, caps)} {
		n := c.Nodes()
		b := newBill(c, []*mixing.Matrix{family(t, "ring", n), family(t, "star", n), family(t, "exponential", n)})
		for range 300 {
			limit, _ := b.within(rng.Perm(n), worst)
			order := rng.Perm(n)
			whole, _ := b.within(order, worst)
			p, ok := b.within(order, limit)
			if ok && p != whole {
				t.Fatalf("%v: %v with a limit of %v, %v without", order, p, limit, whole)
			}
			if !ok && !limit.less(whole) {
				t.Fatalf("%v: given up, but %v is no worse than %v", order, whole, limit)
			}
			if !ok {
				stopped++
			}
			missed += whole.missing
		}
	}
	if stopped < 100 || missed == 0 {
		t.Errorf("%d orders were given up, %d arcs missing; so this test shows little", stopped, missed)
	}
}
