package verify_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/verify"
)

// A ring on two racks of three: every node has two neighbours, and two edges go from rack to rack. Caps on full-duplex
// links count the edges of a node once, not once for each direction, and what exceeds them is refused.
func TestCapsOfLinks(t *testing.T) {
	racks := func(link, uplink int) cluster.Spec {
		return cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{Name: "rack", Count: 2,
			Nodes: 3, Link: &cluster.Link{GBs: 10, MaxEdges: link}, Uplink: &cluster.Link{GBs: 20, MaxEdges: uplink}}}}}
	}
	for _, tc := range []struct {
		name         string
		link, uplink int
		want         verify.Status
	}{
		{"as many as there are", 2, 2, ""}, {"a node has too many", 1, 2, verify.False},
		{"a rack has too many", 2, 1, verify.False},
	} {
		p := familyPlan(t, "ring", 6)
		p.Cluster = racks(tc.link, tc.uplink)
		if got := statusOf(t, p, "routes"); got != tc.want {
			t.Errorf("%s: routes is %q, want %q", tc.name, got, tc.want)
		}
	}
	p := familyPlan(t, "ring", 6)
	p.Cluster = racks(2, 2)
	c, err := cluster.New(p.Cluster)
	if err != nil {
		t.Fatal(err)
	}
	p.ResourceEdges = make([]int, len(c.Resources()))
	for l := range p.ResourceEdges {
		p.ResourceEdges[l] = 2
	}
	if got := statusOf(t, p, "resource_edges"); got != verify.OK {
		t.Errorf("two edges on every link: resource_edges is %q", got)
	}
	p.ResourceEdges[0] = 4
	if got := statusOf(t, p, "resource_edges"); got != verify.False {
		t.Errorf("four edges on a link that carries two: resource_edges is %q", got)
	}
}
