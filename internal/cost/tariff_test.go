package cost

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/topology"
)

// A tariff that was found on one cluster says what others cost that have the same links: any size of the message, any
// latency between all nodes, in one chunk or in as many as are best.
func TestTariffsAreTheCostsOfAllMessages(t *testing.T) {
	with := func(mb, latency float64) *cluster.Cluster {
		c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, LatencyMS: latency,
			PerMessageMS: 0.05, PerCollectiveMS: 0.4,
			Model: &cluster.ModelSpec{MessageMB: &mb}, Tree: &cluster.Group{Groups: []cluster.Group{
				{Name: "near", Nodes: 4, Link: &cluster.Link{GBs: 10}, Uplink: &cluster.Link{GBs: 6, PerMessageMS: 0.3}},
				{Name: "slow", Nodes: 4, Link: &cluster.Link{GBs: 10}, Uplink: &cluster.Link{GBs: 5}},
				{Name: "far", Nodes: 4, Link: &cluster.Link{GBs: 20}, Uplink: &cluster.Link{GBs: 15, LatencyMS: 3}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	here, order := with(50, 0.2), topology.InOrder(12)
	for _, a := range []*collective.Algorithm{
		collective.Ring(order), collective.HalvingDoubling(order), collective.Trees(collective.TwoTrees(order)),
	} {
		const most = 8
		tariff, err := newTariff(a, here)
		if err != nil {
			t.Fatal(err)
		}
		tariffs, err := newTariffs(a, here, most)
		if err != nil {
			t.Fatal(err)
		}
		for _, mb := range []float64{1e-3, 1, 50, 4000} {
			for _, latency := range []float64{0, 0.2, 7} {
				there := with(mb, latency)
				want, err := Of(a, there)
				if err != nil {
					t.Fatal(err)
				}
				samePrice(t, a.Name, tariff.Price(mb, latency), want)
				for k := 2; k <= most; k *= 2 {
					cut, err := Of(a.InChunks(k), there)
					if err != nil {
						t.Fatal(err)
					}
					if cut.MS < want.MS*(1-1e-3) {
						want = cut
					}
				}
				samePrice(t, a.Name+" in chunks", tariffs.Price(mb, latency), want)
			}
		}
	}
}

func samePrice(t *testing.T, name string, got, want Price) {
	t.Helper()
	const rounding = 1e-12 // sums are added in another order
	if math.Abs(got.MS/want.MS-1) > rounding || math.Abs(got.MinGBs/want.MinGBs-1) > rounding ||
		got.Slots != want.Slots || got.Bottleneck != want.Bottleneck {
		t.Errorf("%s: %+v, want %+v", name, got, want)
	}
}
