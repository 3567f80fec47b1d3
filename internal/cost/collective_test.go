package cost

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/topology"
)

func paper(t *testing.T, latency float64, bandwidth ...float64) *cluster.Cluster {
	t.Helper()
	s := cluster.Homogeneous(len(bandwidth), 1)
	s.Bandwidth, s.LatencyMS = bandwidth, latency
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func repeated(k int, x float64) []float64 {
	list := make([]float64, k)
	for i := range list {
		list[i] = x
	}
	return list
}

// Hand-computed: 5.01 ms is one message over 9.76 GB/s, as in the paper.
func TestCostsOfEqualNodes(t *testing.T) {
	c := paper(t, 1, repeated(16, 9.76)...)
	first, second := collective.TwoTrees(topology.InOrder(16))
	for _, test := range []struct {
		a     *collective.Algorithm
		ms    float64
		slots int
	}{
		{collective.Ring(topology.InOrder(16)), 30 * (5.01/16 + 1), 30},
		{collective.Ring(topology.InOrder(16)).InChunks(2), 31*(5.01/16+1) - 2*5.01/32, 31},
		{collective.HalvingDoubling(topology.InOrder(16)), 2*5.01*15/16 + 8, 8},
		{collective.Shards(collective.EqualShares(16)), 2 * (5.01*15/16 + 1), 2},
		// One slot with the first step alone, seven with both, one with the second.
		{collective.Shards(collective.EqualShares(16)).InChunks(8), 2*(5.01*15/16/8+1) + 7*(5.01*30/16/8+1), 9},
		{collective.Trees(first), 8*1 + 5.01*8*2 - 5.01*2, 8},
	} {
		got, err := Of(test.a, c)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.MS-test.ms) > 1e-9 || got.Slots != test.slots {
			t.Errorf("%s: %.6f ms in %d slots, want %.6f in %d", test.a.Name, got.MS, got.Slots, test.ms, test.slots)
		}
	}
	two, err := Of(collective.Trees(first, second).InChunks(64), paper(t, 0, repeated(16, 9.76)...))
	if err != nil || two.MS > 2*5.01*1.2 {
		t.Errorf("two trees in 64 chunks: %v ms, %v; full ports would need %v", two.MS, err, 2*5.01)
	}
}

// 8 × 9.76 and 8 × 3.25 GB/s: slow nodes have to send and receive the message once, 15.05 ms, and collect nothing.
func TestBestSharesOfFastAndSlowNodes(t *testing.T) {
	c := paper(t, 0, append(repeated(8, 9.76), repeated(8, 3.25)...)...)
	shares, err := BestShares(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	a, cost, err := BestChunks(collective.Shards(shares), c, 64)
	if err != nil {
		t.Fatal(err)
	}
	bound := LowerBound(c)
	t.Logf("%d chunks: %.3f ms, bound %.3f at %s; shares %.3f", a.Chunks, cost.MS, bound.MS, bound.Why, shares)
	if want := 48.8976 / 3.25; math.Abs(bound.MS-want) > 1e-9 {
		t.Errorf("the bound is %v, want %v", bound.MS, want)
	}
	if want := 17. / 16 * bound.MS; math.Abs(cost.MS-want) > 1e-9 || a.Chunks != 16 {
		t.Errorf("%v ms in %d chunks; want %v in 16", cost.MS, a.Chunks, want)
	}
	// K chunks take K + 1 slots; in all but the first and the last node i sends (1 + (n − 2)·s_i)/K of the message.
	for _, chunks := range []int{1, 3, 64} {
		cost, err := Of(a.InChunks(chunks), c)
		if err != nil {
			t.Fatal(err)
		}
		busiest := 0.0
		for i, share := range shares {
			busiest = max(busiest, 48.8976*(1+14*share)/c.Resources()[i].GBs)
		}
		if want := float64(chunks+1) / float64(chunks) * busiest; math.Abs(cost.MS-want) > 1e-5*want {
			t.Errorf("in %d chunks: %v ms, want %v", chunks, cost.MS, want)
		}
	}
	if err := a.Exact(); err != nil {
		t.Error(err)
	}
}

// Whole messages: four fast nodes collect three messages each (15.05 ms), swap (10.02) and hand back (15.05).
func TestBestLeadersOfFastAndSlowNodes(t *testing.T) {
	c := paper(t, 0, append(repeated(8, 9.76), repeated(8, 3.25)...)...)
	a, cost, priced, err := BestLeaders(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.3f ms in %d steps, %d divisions priced", cost.MS, cost.Slots, priced)
	if want := 2*48.8976/3.25 + 2*48.8976/9.76; cost.MS > want+1e-9 {
		t.Errorf("%v ms; four leaders with three members each take %v", cost.MS, want)
	}
	if err := a.Exact(); err != nil {
		t.Error(err)
	}
}

// No algorithm may beat the bound, on any hardware.
func TestNothingBeatsTheBound(t *testing.T) {
	servers := cluster.Spec{Format: cluster.Format, Servers: &cluster.Servers{Count: 2, GPUs: 8, NIC: 12.5,
		Tree: cluster.TreeSpec{PIX: 9.76, Node: 9.76, Sys: 9.76}}}
	fabric := cluster.Spec{Format: cluster.Format,
		LeafSpine: &cluster.LeafSpine{Leaves: 4, Hosts: 4, Host: 12.5, Uplink: 25}}
	const message = cluster.PaperMessageMB
	for name, test := range map[string]struct {
		spec  cluster.Spec
		bound float64
	}{
		// Two servers with seven shared links inside, both ways, and the way out of their cards.
		"servers": {servers, 30 * message / (2*7*2*9.76 + 2*12.5)},
		"fabric":  {fabric, 30 * message / (16 * 12.5)},
		"equal":   {cluster.Homogeneous(16, 9.76), 30 * message / (16 * 9.76)},
	} {
		c, err := cluster.New(test.spec)
		if err != nil {
			t.Fatal(err)
		}
		bound := LowerBound(c)
		if math.Abs(bound.MS-test.bound) > 1e-9 {
			t.Errorf("%s: the bound is %v, want %v", name, bound.MS, test.bound)
		}
		order := topology.InOrder(16)
		first, second := collective.TwoTrees(order)
		groups := [][]int{order[:4], order[4:8], order[8:12], order[12:]}
		list := []*collective.Algorithm{collective.Ring(order), collective.HalvingDoubling(order), collective.Trees(first),
			collective.Trees(first, second), collective.Shards(collective.EqualShares(16)), collective.Doubling(order),
			collective.Leaders(groups), collective.Levels(groups, collective.Direct, collective.Ring(order[:4])),
			collective.Levels(groups, collective.Around, collective.HalvingDoubling(order[:4]))}
		if shares, err := BestShares(t.Context(), c); err != nil {
			t.Error(err)
		} else {
			list = append(list, collective.Shards(shares))
		}
		for _, a := range list {
			cut, cost, err := BestChunks(a, c, 64)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%-8s %-40s %3d chunks %8.3f ms  %s; bound %.3f (%s)", name, a.Name, cut.Chunks, cost.MS, cost.Bottleneck,
				bound.MS, bound.Why)
			if cost.MS < bound.MS*(1-1e-12) {
				t.Errorf("%s on %s costs %v, below the bound %v", a.Name, name, cost.MS, bound.MS)
			}
		}
	}
}

// Every chunk costs messages. Where the cluster says what they cost that decides, otherwise a guess: without it 64
// chunks would always be the most that is tried.
func TestChunksAreWorthTheirMessages(t *testing.T) {
	shares := append([]float64{0}, repeated(7, 1./7)...)
	shares = append(shares, repeated(8, 0)...)
	for _, test := range []struct {
		mb, messageMS float64
		chunks        int
	}{
		{48.8976, 0, 16}, {0.01, 0, 1}, {48.8976e3, 0, 64}, {48.8976, 1e-9, 64}, {48.8976, 0.1, 2}, {20, 10, 1},
		{80, 10, 4}, // no block has more than 25 MB
	} {
		c, err := cluster.New(cluster.Spec{Bandwidth: append(repeated(8, 9.76), repeated(8, 3.25)...),
			PerMessageMS: test.messageMS, Model: &cluster.ModelSpec{MessageMB: &test.mb}})
		if err != nil {
			t.Fatal(err)
		}
		a, price, err := BestChunks(collective.Shards(shares), c, 64)
		if err != nil || a.Chunks != test.chunks {
			t.Errorf("%v MB, %v ms a message: %d chunks, %v; want %d", test.mb, test.messageMS, a.Chunks, err, test.chunks)
		}
		if stated := test.messageMS > 0; stated != (price.RankMS == price.MS) {
			t.Errorf("%v ms a message: %v ms, ranked by %v", test.messageMS, price.MS, price.RankMS)
		}
	}
}
