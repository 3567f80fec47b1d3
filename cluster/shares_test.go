package cluster_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// On a star of equal nodes the hub's port is shared by all, and the round is as slow as the least share.
func TestSharesOfAStar(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(5, 8))
	if err != nil {
		t.Fatal(err)
	}
	g, err := topology.Star(5)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.Metropolis(g)
	if err != nil {
		t.Fatal(err)
	}
	load, err := c.Load(w)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < 5; i++ {
		for _, p := range []cluster.Passage{load.Passage(0, i), load.Passage(i, 0)} {
			if p.GBs != 2 || p.Bottleneck != "node 0" {
				t.Errorf("node %d: %+v; want a quarter of the hub's 8 GB/s", i, p)
			}
		}
	}
	if round, err := cost.Gossip(c, w); err != nil || round.MinEdgeGBs != 2 {
		t.Errorf("round %+v, %v", round, err)
	}
}
