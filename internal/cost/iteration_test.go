package cost_test

import (
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
)

func same(nodes int, ms, jitter float64) cost.Compute {
	c := cost.Compute{MS: make([]float64, nodes), JitterMS: make([]float64, nodes)}
	for i := range nodes {
		c.MS[i], c.JitterMS[i] = ms, jitter
	}
	return c
}

// pairs lists peers of rounds in which nodes 2k and 2k+1 meet.
func pairs(nodes int) [][]int {
	peers := make([][]int, nodes)
	for i := range nodes {
		peers[i] = []int{i ^ 1}
	}
	return peers
}

func meanMS(t *testing.T, p cost.Process, c cost.Compute) float64 {
	t.Helper()
	ms, err := p.MeanOver(c.Draws(1), 0)
	if err != nil {
		t.Fatal(err)
	}
	return ms
}

// Compute c = 12 ms, a round of t ms, worked out by hand.
func TestTimesWithoutJitter(t *testing.T) {
	round := func(ms float64) []cost.Exchange { return []cost.Exchange{{MS: ms, Peers: pairs(4)}} }
	uneven := []cost.Exchange{{MS: 5, Peers: pairs(4)}, {MS: 15, Peers: pairs(4)}}
	for _, tc := range []struct {
		name string
		p    cost.Process
		want float64
	}{
		{"one after the other: c + t", cost.Process{Rounds: round(10), Every: 1}, 22},
		{"a collective costs the same", cost.Process{Rounds: []cost.Exchange{{MS: 10}}, Every: 1}, 22},
		{"every fourth step: c + t/4", cost.Process{Rounds: round(10), Every: 4}, 14.5},
		{"hidden: max(c, t) = c", cost.Process{Rounds: round(10), Every: 1, Delay: 1}, 12},
		{"too long to hide: t", cost.Process{Rounds: round(20), Every: 1, Delay: 1}, 20},
		{"H = 4, hidden behind one gradient: c + (t − c)/4",
			cost.Process{Rounds: round(20), Every: 4, Delay: 1}, 14},
		{"H = 4, beside two gradients: c + (t − 2c)/4", cost.Process{Rounds: round(36), Every: 4, Delay: 2}, 15},
		{"H = 4, hidden behind all four", cost.Process{Rounds: round(47), Every: 4, Delay: 4}, 12},
		{"rounds of 5 and 15 ms: c + 10", cost.Process{Rounds: uneven, Every: 1}, 22},
		{"the same overlapped: (12 + 15)/2", cost.Process{Rounds: uneven, Every: 1, Delay: 1}, 13.5},
	} {
		tc.p.Nodes = 4
		if got := meanMS(t, tc.p, same(4, 12, 0)); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%s: %v ms, want %v", tc.name, got, tc.want)
		}
	}
}

// Forward 4 ms, backward 8 ms. The first half of the gradient is known after 8 ms, all of it after 12.
func TestDDPOverlapsBackwardOnly(t *testing.T) {
	for _, tc := range []struct {
		name  string
		first float64 // ms of both all-reduces
		want  float64
	}{
		{"quick: 12 and the last bucket", 3, 15},
		{"slow: the second waits for the first, 8 + 6 + 6", 6, 20},
	} {
		p := cost.Process{Nodes: 4, Buckets: []cost.Bucket{{Share: 0.5, MS: tc.first}, {Share: 0.5, MS: tc.first}}}
		if got := meanMS(t, p, same(4, 12, 0)); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%s: %v ms, want %v", tc.name, got, tc.want)
		}
	}
}

// 16 equal nodes of the paper, ring all-reduce of 9.39 ms in 25 MB buckets: 1 MB, then 47.9 MB, with the last bucket
// full. The first of them is known after 5.07 + 10.14·26/48.9 = 10.46 ms; they take 9.20 ms, until 19.66. The last has
// been ready since 15.21 and would take until 20.01.
func TestDDPOfThePapersMessage(t *testing.T) {
	perMB := 2 * 15. / 16 / cluster.PaperBandwidthGBs
	p, err := cost.DDP(16, cluster.PaperMessageMB, 25, func(mb float64) (float64, error) { return perMB * mb, nil })
	if err != nil {
		t.Fatal(err)
	}
	got := meanMS(t, *p, same(16, cluster.PaperComputeMS, 0))
	if want := cluster.PaperComputeMS + 25*perMB; len(p.Buckets) != 2 || math.Abs(got-want) > 1e-9 {
		t.Errorf("%d kinds of buckets, %v ms; want 2 and %v", len(p.Buckets), got, want)
	}
	if want := perMB * cluster.PaperMessageMB; math.Abs(p.AllMS()-want) > 1e-9 {
		t.Errorf("all buckets take %v ms, want %v", p.AllMS(), want)
	}
}

// A larger message never makes an iteration of DistributedDataParallel shorter, once there is more than its first
// bucket.
func TestDDPGrowsWithTheMessage(t *testing.T) {
	for _, bucketMB := range []float64{5, 25} {
		before := 0.0
		for mb := 2.0; mb < 120; mb *= 1.01 {
			p, err := cost.DDP(4, mb, bucketMB, func(mb float64) (float64, error) { return 0.01 + 0.2*mb, nil })
			if err != nil {
				t.Fatal(err)
			}
			ms := meanMS(t, *p, same(4, 12, 0))
			if ms < before-1e-9 {
				t.Errorf("buckets of %v MB: %v ms with messages of %v MB, %v with smaller ones", bucketMB, ms, mb, before)
			}
			before = ms
		}
	}
}

// In the long run a slow node slows a connected graph down as much as a collective.
func TestTheSlowestNodeDecides(t *testing.T) {
	compute := cost.Compute{MS: []float64{10, 30, 10, 10}, JitterMS: make([]float64, 4)}
	path := [][]int{{1}, {0, 2}, {1, 3}, {2}}
	gossip := cost.Process{Nodes: 4, Every: 1, Rounds: []cost.Exchange{{MS: 5, Peers: path}}}
	if got := meanMS(t, gossip, compute); math.Abs(got-35) > 1e-12 {
		t.Errorf("gossip beside a slow node: %v ms, want 35", got)
	}
	exact := cost.Process{Nodes: 4, Every: 1, Rounds: []cost.Exchange{{MS: 5}}}
	if got := meanMS(t, exact, compute); math.Abs(got-35) > 1e-12 {
		t.Errorf("a collective beside a slow node: %v ms, want 35", got)
	}
}

// A node that is left out of a round neither waits nor pays: 0 and 1 meet for 8 ms in every round, 2 and 3 in every
// second one.
func TestNodesOutsideARoundGoOn(t *testing.T) {
	busy := [][]int{{1}, {0}, {}, {}}
	p := cost.Process{Nodes: 4, Every: 1,
		Rounds: []cost.Exchange{{MS: 8, Peers: busy}, {MS: 8, Peers: pairs(4)}}}
	// 0 and 1 take 10 + 8 per iteration, 2 and 3 take 10 + 4; the parts never meet, and the slower one ends the training.
	if got := meanMS(t, p, same(4, 10, 0)); math.Abs(got-18) > 1e-12 {
		t.Errorf("%v ms, want 18", got)
	}
}

// A delay travels one hop per round: with a round in every 16th iteration it takes many iterations until a ring of 16
// has the pace of its slowest node.
func TestRareRoundsComeToThePaceOfTheSlowest(t *testing.T) {
	compute := same(16, 15, 0)
	compute.MS[3] = 30
	ring := make([][]int, 16)
	for i := range ring {
		ring[i] = []int{(i + 1) % 16, (i + 15) % 16}
	}
	for _, overlap := range []bool{false, true} {
		p := cost.Process{Nodes: 16, Every: 16, Delay: cost.DelayOf(overlap), Rounds: []cost.Exchange{{MS: 10, Peers: ring}}}
		want := 30.
		if !overlap {
			want += 10. / 16
		}
		if got := meanMS(t, p, compute); math.Abs(got-want) > 1e-9 {
			t.Errorf("overlap %v: %v ms, want %v", overlap, got, want)
		}
	}
}

// Equal buckets are counted, not listed: the same time, and a gradient of a terabyte takes no memory.
func TestEqualBucketsAreCounted(t *testing.T) {
	for _, ms := range []float64{0.1, 2, 5} {
		listed := cost.Process{Nodes: 4}
		for range 8 {
			listed.Buckets = append(listed.Buckets, cost.Bucket{Share: 0.125, MS: ms})
		}
		counted := cost.Process{Nodes: 4, Buckets: []cost.Bucket{{Share: 0.125, MS: ms, Count: 8}}}
		compute := cost.Compute{MS: []float64{12, 9, 15, 12}, JitterMS: make([]float64, 4)}
		if a, b := meanMS(t, listed, compute), meanMS(t, counted, compute); math.Abs(a-b) > 1e-9 {
			t.Errorf("buckets of %v ms: %v listed, %v counted", ms, a, b)
		}
	}
	p, err := cost.DDP(4, 1e6, 5, func(mb float64) (float64, error) { return mb, nil })
	if err != nil || len(p.Buckets) > 3 {
		t.Errorf("%d buckets, %v", len(p.Buckets), err)
	}
}

// Gossip with two neighbours waits less for late nodes than a collective does, a pair less than that, and nobody waits
// when there is no jitter.
func TestGossipWaitsLess(t *testing.T) {
	ring := make([][]int, 16)
	for i := range ring {
		ring[i] = []int{(i + 15) % 16, (i + 1) % 16}
	}
	process := func(peers [][]int) cost.Process {
		return cost.Process{Nodes: 16, Every: 1, Rounds: []cost.Exchange{{MS: 1, Peers: peers}}}
	}
	jitter := same(16, 10, 3)
	pair, two, all := meanMS(t, process(pairs(16)), jitter), meanMS(t, process(ring), jitter),
		meanMS(t, process(nil), jitter)
	if !(11 < pair && pair < two && two < all) {
		t.Errorf("pairs %v, ring %v, all %v ms; want them in this order and above 11", pair, two, all)
	}
	// The largest of 16 normal times lies 1.77 deviations above the mean; log-normal ones reach a little further.
	if want := 11 + 1.77*3; math.Abs(all-want) > 0.1*want {
		t.Errorf("a collective takes %v ms; want about %v", all, want)
	}
}

func TestSameSeedSameTime(t *testing.T) {
	p := cost.Process{Nodes: 4, Every: 2, Rounds: []cost.Exchange{{MS: 1, Peers: pairs(4)}}}
	if a, b := meanMS(t, p, same(4, 10, 3)), meanMS(t, p, same(4, 10, 3)); a != b {
		t.Errorf("the same seed gives %v and %v ms", a, b)
	}
}

func TestAPlansProcessReadsRoundsAndGroups(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(8, 1))
	if err != nil {
		t.Fatal(err)
	}
	schedule, err := mixing.OnePeerHypercube(8)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := design.NewSchedulePlan(t.Context(), c, schedule)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Process(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Rounds) != 3 || p.Rounds[2].Peers[0][0] != 4 || p.Rounds[0].MS != plan.RoundMS[0] {
		t.Errorf("three rounds of a hypercube became %+v", p.Rounds)
	}
	// Two groups of four that talk to each other: everybody waits for all eight.
	plan.Rounds = []design.Round{{Part: 1, Edges: []design.PlanEdge{{I: 0, J: 1, Weight: 0.5}},
		SelfWeights: []float64{0.5, 0.5}}}
	plan.RoundMS = []float64{7}
	plan.Inside = &design.Inside{Groups: [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}}}
	p, err = plan.Process(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Rounds[0].Peers[5]) != 8 {
		t.Errorf("node 5 waits for %v, want all of both groups", p.Rounds[0].Peers[5])
	}
}

func TestWhatCannotBeSimulated(t *testing.T) {
	good := cost.Process{Nodes: 2, Every: 1, Rounds: []cost.Exchange{{MS: 1}}}
	for _, tc := range []struct {
		name   string
		change func(*cost.Process, *cost.Compute)
		want   string
	}{
		{"no rounds", func(p *cost.Process, _ *cost.Compute) { p.Rounds = nil }, "at least one round"},
		{"H = 0", func(p *cost.Process, _ *cost.Compute) { p.Every = 0 }, "every 1 or more"},
		{"a round of −1 ms", func(p *cost.Process, _ *cost.Compute) {
			p.Rounds = []cost.Exchange{{MS: -1}}
		}, "0 or more"},
		{"a stranger", func(p *cost.Process, _ *cost.Compute) {
			p.Rounds = []cost.Exchange{{MS: 1, Peers: [][]int{{1}, {2}}}}
		}, "node 1 has peer 2"},
		{"half a gradient", func(p *cost.Process, _ *cost.Compute) {
			p.Rounds, p.Buckets = nil, []cost.Bucket{{Share: 0.5, MS: 1}}
		}, "must be all of it"},
		{"no time that varies", func(_ *cost.Process, c *cost.Compute) {
			c.MS, c.JitterMS = []float64{0, 1}, []float64{1, 0}
		}, "0 does not vary"},
		{"too few times", func(_ *cost.Process, c *cost.Compute) { c.MS = c.MS[:1] }, "there are 2"},
	} {
		p, c := good, same(2, 1, 0)
		tc.change(&p, &c)
		if _, err := p.MeanOver(c.Draws(0), 0); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}

// With a delay of τ gradients an iteration takes max(c, c + (t − τ c)/H), whatever t and H.
func TestADelayHidesRoundsBehindGradients(t *testing.T) {
	for every := 1; every <= 5; every++ {
		for delay := 0; delay <= every; delay++ {
			for _, ms := range []float64{0, 3, 10, 25, 47, 100} {
				const c = 10.0
				p := cost.Process{Nodes: 4, Every: every, Delay: delay, Rounds: []cost.Exchange{{MS: ms, Peers: pairs(4)}}}
				want := max(c, c+(ms-float64(delay)*c)/float64(every))
				if got := meanMS(t, p, same(4, c, 0)); math.Abs(got-want) > 1e-12 {
					t.Errorf("%v ms every %d with delay %d: %v ms, want %v", ms, every, delay, got, want)
				}
			}
		}
	}
	p := cost.Process{Nodes: 4, Every: 2, Delay: 3, Rounds: []cost.Exchange{{MS: 1}}}
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "3 gradients of every 2") {
		t.Errorf("a round that is longer under way than until the next one: %v", err)
	}
}

// A clock knows which iterations have a round, and in the long run keeps the mean time.
func TestAClockCountsRounds(t *testing.T) {
	spec := cluster.Homogeneous(4, 1)
	compute := 12.0
	spec.Model = &cluster.ModelSpec{ComputeMS: &compute}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := cost.Process{Nodes: 4, Every: 2, Rounds: []cost.Exchange{{MS: 5}, {MS: 9}}}
	k, err := p.Clock(c)
	if err != nil {
		t.Fatal(err)
	}
	for iterations, want := range []float64{0, 12, 29, 41, 62, 74, 91} {
		if got := k.At(iterations); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d iterations: %v ms, want %v", iterations, got, want)
		}
	}
	if want := 62.0 / 4; math.Abs(k.IterationMS-want) > 1e-12 || math.Abs(k.At(4000)-4000*want) > 1e-6 {
		t.Errorf("%v ms an iteration, %v ms for 4000; want %v each", k.IterationMS, k.At(4000), want)
	}
}
