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
	shares, err := c.Shares(w)
	if err != nil || len(shares) != 8 {
		t.Fatalf("%d shares, %v", len(shares), err)
	}
	for _, s := range shares {
		if s.GBs != 2 || s.Bottleneck != "node 0" || s.From == s.To {
			t.Errorf("share %+v; want a quarter of the hub's 8 GB/s", s)
		}
	}
	if round, err := cost.Gossip(c, w); err != nil || round.MinEdgeGBs != 2 {
		t.Errorf("round %+v, %v", round, err)
	}
}
