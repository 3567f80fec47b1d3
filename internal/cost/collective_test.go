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
	if want := 17. / 16 * 48.8976 / 3.25; math.Abs(cost.MS-want) > 1e-9 || a.Chunks != 16 {
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
