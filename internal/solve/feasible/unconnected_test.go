package feasible_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// Two racks of four nodes whose links carry one edge at a time: four pairs, and no connected graph. Any link
// without its cap could be the middle of a star, so all eight are to blame; the line between the racks is not.
func TestUnconnectedNamesTheCapsToBlame(t *testing.T) {
	spec := func(link, uplink int) cluster.Spec {
		return cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{Name: "rack", Count: 2,
			Nodes: 4, Link: &cluster.Link{GBs: 12, MaxEdges: link}, Uplink: &cluster.Link{GBs: 12, MaxEdges: uplink}}}}}
	}
	c, err := cluster.New(spec(1, 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, edges := range []int{7, 8} { // asking for more must not hide that none is connected
		_, err = feasible.On(c).Allocate(t.Context(), edges)
		var u *feasible.Unconnected
		if !errors.As(err, &u) || !errors.Is(err, feasible.ErrInfeasible) {
			t.Fatalf("%d edges: error %v, want Unconnected", edges, err)
		}
		if len(u.Caps) != 1 || u.Caps[0].MaxEdges != 1 || len(u.Caps[0].Resources) != 8 {
			t.Errorf("to blame: %v", u.Caps)
		}
		want := "since max_edges is 1 for link of node 0, link of node 1, link of node 2 and 5 more"
		if !strings.HasSuffix(u.Why(), want) || !strings.Contains(err.Error(), "an all-reduce may still fit") {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if c, err = cluster.New(spec(2, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := feasible.On(c).Allocate(t.Context(), 7); err != nil { // a path
		t.Errorf("two edges at every link: %v", err)
	}
}

// Of several caps only those are named that matter.
func TestOneCapToBlame(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Format: cluster.Format, Nodes: 4,
		Resources: []cluster.ResourceSpec{{Name: "hub", GBs: 1, MaxEdges: 2}, {Name: "side", GBs: 1, MaxEdges: 1}},
		Routes: []cluster.RouteSpec{{Pair: []int{0, 1}, Over: []string{"hub"}}, {Pair: []int{1, 2}, Over: []string{"hub"}},
			{Pair: []int{2, 3}, Over: []string{"hub"}}, {Pair: []int{0, 3}, Over: []string{"hub", "side"}},
			{Pair: []int{1, 3}, Over: []string{"hub", "side"}}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = feasible.On(c).Allocate(t.Context(), 3)
	var u *feasible.Unconnected
	if !errors.As(err, &u) || len(u.Caps) != 1 || u.Caps[0].MaxEdges != 2 || u.Caps[0].Resources[0] != "hub" {
		t.Errorf("error %v; want the hub alone to be blamed", err)
	}
}
