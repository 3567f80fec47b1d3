package schedules

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

// ports is a cluster of nodes with their own bandwidths.
func ports(t *testing.T, latency float64, gbs ...float64) *cluster.Cluster {
	t.Helper()
	s := cluster.Homogeneous(len(gbs), 1)
	s.Bandwidth, s.LatencyMS = gbs, latency
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func fastAndSlow(fast, slow int) []float64 {
	var list []float64
	for range fast {
		list = append(list, 9.76)
	}
	for range slow {
		list = append(list, 3.25)
	}
	return list
}

func example(t *testing.T, name string, latency float64) *cluster.Cluster {
	t.Helper()
	given, err := cluster.ReadFile("../../../examples/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := given.Spec()
	s.LatencyMS = latency
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// freely is the same cluster with messages that cost next to nothing besides their bytes.
func freely(t *testing.T, c *cluster.Cluster) *cluster.Cluster {
	t.Helper()
	s := c.Spec()
	s.Format, s.PerMessageMS = cluster.FormatV2, 1e-9
	free, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return free
}

func found(t *testing.T, p Problem, evaluations int) *Result {
	t.Helper()
	r, err := Search(t.Context(), p, Settings{Seed: 1, Evaluations: evaluations})
	if err != nil {
		t.Fatal(err)
	}
	if r.Bound != nil && r.MS < r.Bound.MS*(1-1e-9) {
		t.Errorf("%s takes %v ms, less than the bound %v (%s)", r.Name, r.MS, r.Bound.MS, r.Bound.Kind)
	}
	if r.Algorithm != nil {
		if err := r.Algorithm.Exact(); err != nil {
			t.Error(err)
		}
	}
	return r
}

// By hand: slow nodes need 15.05 ms for a message, fast ones 5.01. In whole messages: in (15.05), two rounds among
// fast nodes (10.02), out (15.05). In parts nobody can do better than a slow node's own message.
func TestFastAndSlowNodes(t *testing.T) {
	c := ports(t, 0, fastAndSlow(8, 8)...)
	whole := found(t, Problem{Cluster: c, Form: Whole}, 0)
	if want := 2*48.8976/3.25 + 2*48.8976/9.76; math.Abs(whole.MS-want) > 1e-9 || whole.Stop != design.BoundAttained {
		t.Errorf("whole messages: %v ms, %s; want %v and the bound attained", whole.MS, whole.Stop, want)
	}
	parts := found(t, Problem{Cluster: freely(t, c), Form: Parts}, 0)
	if want := 48.8976 / 3.25; math.Abs(parts.Bound.MS-want) > 1e-9 || parts.MS > 1.002*want {
		t.Errorf("parts: %v ms, bound %v; want within 0.2 %% of %v", parts.MS, parts.Bound.MS, want)
	}
}

// Where nothing is said about messages they still cost something: 16 chunks, and not 1024 for the last 6 %. Trees of
// many steps and messages are not worth it either.
func TestPartsAreFewWhereNothingIsSaidAboutMessages(t *testing.T) {
	slow := 48.8976 / 3.25
	for name, mostMS := range map[string]float64{
		"node-level-16": 17. / 16 * slow, "racks-2to1": 25, "intra-server-8": 10.1, "bcube-16-1to2": 8.6,
	} {
		c := example(t, name, 0)
		if testing.Short() && c.Nodes() > 16 {
			continue // make deep searches there too
		}
		a := found(t, Problem{Cluster: c, Form: Parts}, 0)
		if a.MS > mostMS*(1+1e-9) || a.Algorithm.Chunks > 16 || a.Algorithm.Steps > mostStages {
			t.Errorf("%s: %v ms in %d chunks through %d steps; want at most %v in 16 through %d", name, a.MS,
				a.Algorithm.Chunks, a.Algorithm.Steps, mostMS, mostStages)
		}
	}
}

// The hypercube is the best of all on equal nodes: sixteen nodes hear of each other in four rounds of one message. In
// parts, two steps attain the bound. But messages of 49 MB travel in two blocks, so that latency counts three times.
func TestEqualNodesAttainTheirBound(t *testing.T) {
	for _, latency := range []float64{0, 1} {
		c := ports(t, latency, fastAndSlow(16, 0)...)
		for _, p := range []Problem{{Exact: true}, {Positive: true}, {Form: Whole}, {Form: Parts}} {
			p.Cluster = c
			r := found(t, p, 100)
			want, attained := 4*(5.01+latency), true
			if p.Form == Parts {
				want, attained = 30./16*5.01+3*latency, latency == 0
			}
			if math.Abs(want-r.MS) > 1e-9 || attained != (r.Stop == design.BoundAttained) {
				t.Errorf("latency %v, %+v: %v ms, %s; want %v", latency, p, r.MS, r.Stop, want)
			}
		}
	}
}

// Trees in shares come within a few percent of what no algorithm beats, where none of the known ones comes near.
func TestTreesComeNearTheBound(t *testing.T) {
	for name, known := range map[string]float64{"intra-server-8": 15.26, "bcube-16-1to2": 15.03} {
		r := found(t, Problem{Cluster: freely(t, example(t, name, 0)), Form: Parts}, 0)
		if r.MS > 1.01*r.Bound.MS || r.MS > 0.6*known {
			t.Errorf("%s: %v ms, bound %v; the best known collective takes %v", name, r.MS, r.Bound.MS, known)
		}
	}
}

// A whole message is one part, so parts never take longer: on long lines of their own, where a tree in few chunks beats
// packings, whose steps are more, and on mixed links, where leaders beat all that cut the message.
func TestPartsTakeNoLongerThanWholeMessages(t *testing.T) {
	for _, name := range []string{"../../../examples/wan-general.yaml", "testdata/leaders.yaml"} {
		c, err := cluster.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		whole := found(t, Problem{Cluster: c, Form: Whole}, 1000)
		if parts := found(t, Problem{Cluster: c, Form: Parts}, 1000); parts.MS > whole.MS {
			t.Errorf("%s: parts take %v ms (%s), whole messages %v (%s)", name, parts.MS, parts.Name, whole.MS, whole.Name)
		}
	}
}

// One slow node takes part in a single round: 97.8 ms, where a hypercube has it in all four.
func TestASlowNodeJoinsOnce(t *testing.T) {
	c := ports(t, 0, append(fastAndSlow(15, 0), 0.5)...)
	r := found(t, Problem{Cluster: c, Exact: true}, 40_000)
	slow := 48.8976 / 0.5
	if r.MS < slow || r.MS > 2*slow {
		t.Errorf("%s takes %v ms; one round of the slow node takes %v", r.Name, r.MS, slow)
	}
}

// Whatever the cluster, a gossip schedule is what it claims: exact, doubly stochastic, as quick as its plan says.
func TestGossipIsExact(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	for n := 2; n <= 13; n++ {
		gbs := make([]float64, n)
		for i := range gbs {
			gbs[i] = 1 + 9*draw.Float64()
		}
		c := ports(t, draw.Float64(), gbs...)
		r := found(t, Problem{Cluster: c, Exact: true}, 1000)
		rate, err := r.Schedule.Rate(t.Context())
		if err != nil || rate != 0 {
			t.Errorf("n = %d: %s leaves %v a round, %v; want 0, exactly", n, r.Name, rate, err)
		}
		p, err := design.NewSchedulePlan(t.Context(), c, r.Schedule)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(p.TimeMS-r.MS) > 1e-9*r.MS {
			t.Errorf("n = %d: %s takes %v ms, its plan says %v", n, r.Name, r.MS, p.TimeMS)
		}
	}
}

func TestPositiveRounds(t *testing.T) {
	for _, n := range []int{6, 7} {
		c := ports(t, 0.1, fastAndSlow(n/2, n-n/2)...)
		r := found(t, Problem{Cluster: c, Positive: true}, 30_000)
		for k, w := range r.Schedule.Rounds {
			s, err := w.Spectrum(t.Context())
			if err != nil || s.LambdaN < -1e-12 {
				t.Errorf("n = %d, %s: round %d has the eigenvalue %v, %v", n, r.Name, k, s.LambdaN, err)
			}
		}
		p, err := design.NewSchedulePlan(t.Context(), c, r.Schedule)
		if err != nil || math.Abs(p.TimeMS-r.MS) > 1e-9*r.MS {
			t.Errorf("n = %d: %s takes %v ms, its plan says %v, %v", n, r.Name, r.MS, p.TimeMS, err)
		}
	}
}

// Nothing in this package or in collective may beat a bound, on random hardware of several kinds.
func TestNothingBeatsTheBounds(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6))
	var list []*cluster.Cluster
	for n := 3; n <= 9; n += 2 {
		gbs, matrix := make([]float64, n), make([][]float64, n)
		for i := range gbs {
			gbs[i] = math.Exp(2 * draw.NormFloat64())
			matrix[i] = make([]float64, n)
			for j := range n {
				if i != j {
					matrix[i][j] = math.Exp(2 * draw.NormFloat64())
				}
			}
		}
		pairs, err := cluster.New(cluster.Spec{Matrix: &cluster.Matrix{GBs: matrix}, LatencyMS: draw.Float64()})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, ports(t, draw.Float64(), gbs...), pairs)
	}
	list = append(list, example(t, "wan-general", 0))
	if !testing.Short() { // more nodes than anything else here
		list = append(list, example(t, "racks-2to1", 0), example(t, "leaf-spine-32", 0))
	}
	list = append(list, example(t, "bcube-16-1to2", 1000)) // one step of all pairs is best, some of them relayed
	for k, c := range list {
		n := c.Nodes()
		whole, any := LowerBound(c, true), LowerBound(c, false)
		first, second := collective.TwoTrees(draw.Perm(n))
		inParts := []*collective.Algorithm{collective.Ring(draw.Perm(n)), collective.HalvingDoubling(draw.Perm(n)),
			collective.Trees(first, second), everybody(n)}
		if shares, err := cost.BestShares(t.Context(), c); err == nil {
			inParts = append(inParts, collective.Shards(shares))
		}
		for _, a := range inParts {
			if _, price, err := cost.BestChunks(a, c, 64); err == nil && price.MS < any.MS*(1-1e-9) {
				t.Errorf("cluster %d: %s takes %v ms, bound %v (%s)", k, a.Name, price.MS, any.MS, any.Kind)
			}
		}
		for _, a := range []*collective.Algorithm{collective.Doubling(draw.Perm(n)), collective.Trees(first), everybody(n)} {
			if price, err := cost.Of(a, c); err == nil && price.MS < whole.MS*(1-1e-9) {
				t.Errorf("cluster %d: %s takes %v ms, bound %v (%s)", k, a.Name, price.MS, whole.MS, whole.Kind)
			}
		}
		for _, p := range []Problem{{}, {Form: Whole}, {Form: Parts}} {
			p.Cluster = c
			if _, err := Search(t.Context(), p, Settings{Evaluations: 200}); err == nil {
				found(t, p, 200)
			} else if !errors.Is(err, ErrNone) || !errors.Is(err, feasible.ErrUndecided) {
				t.Error(err)
			}
		}
	}
}

func TestSameSeedSameSchedule(t *testing.T) {
	c := ports(t, 0.2, fastAndSlow(4, 3)...)
	for _, p := range []Problem{{Cluster: c}, {Cluster: c, Form: Whole}, {Cluster: c, Form: Parts}} {
		a, b := found(t, p, 20_000), found(t, p, 20_000)
		if !reflect.DeepEqual(a.Schedule, b.Schedule) || a.MS != b.MS || a.Evaluations != b.Evaluations {
			t.Errorf("%+v: two runs differ: %v and %v ms", p.Form, a.MS, b.MS)
		}
	}
}

// However little is looked at, there is a schedule in the end: the search for orders of the nodes alone looks at more.
func TestTheLeastSearchFindsSomething(t *testing.T) {
	c := ports(t, 0.2, fastAndSlow(8, 8)...)
	for _, form := range []Form{Gossip, Whole, Parts} {
		if r := found(t, Problem{Cluster: c, Form: form}, 1); math.IsInf(r.MS, 1) {
			t.Errorf("%s: nothing", form)
		}
	}
}

func TestSearchStopsWhenCancelled(t *testing.T) {
	c := ports(t, 0, fastAndSlow(20, 17)...)
	ctx, cancel := context.WithCancel(t.Context())
	reported := 0
	r, err := Search(ctx, Problem{Cluster: c}, Settings{Evaluations: 1 << 40, Progress: func(p design.Progress) {
		if reported++; p.Feasible && p.Done > 10 {
			cancel()
		}
	}})
	if err != nil || r.Stop != design.Interrupted || reported == 0 {
		t.Fatalf("%v, %+v after %d reports", err, r, reported)
	}
	if _, err := Search(ctx, Problem{Cluster: c, Form: Parts}, Settings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search without a result returns %v", err)
	}
}

func TestSearchRefuses(t *testing.T) {
	c, large := ports(t, 0, 1, 1), ports(t, 0, slices.Repeat([]float64{1}, mixing.DirectedLimit+1)...)
	for _, p := range []Problem{{}, {Cluster: c, Form: "odd"}, {Cluster: c, Form: Parts, Positive: true},
		{Cluster: large}, {Cluster: large, Form: Gossip, Exact: true}} {
		looked := false
		s := Settings{Progress: func(design.Progress) { looked = true }}
		if r, err := Search(t.Context(), p, s); err == nil || looked {
			t.Errorf("%q, exact: %v gives %+v, after a search: %v", p.Form, p.Exact, r, looked)
		}
	}
}

func ExampleSearch() {
	s := cluster.Homogeneous(16, 9.76)
	for i := range 16 {
		s.Bandwidth = append(s.Bandwidth[:i], []float64{9.76, 3.25}[i/8])
	}
	c, err := cluster.New(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, form := range []Form{Whole, Parts} {
		r, err := Search(context.Background(), Problem{Cluster: c, Form: form}, Settings{Seed: 1})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s, %.1f ms; none takes less than %.1f ms\n", form, r.Name, r.MS, r.Bound.MS)
	}
	// Output:
	// whole: leaders, 40.1 ms; none takes less than 40.1 ms
	// parts: shards, 16.0 ms; none takes less than 15.0 ms
}

// Beyond what is searched the cheap arguments still prove what is known by hand: 2(n − 1)/n messages pass every port of
// equal nodes, and in whole messages a node with one port needs log₂ n rounds.
func TestBoundsOfManyNodes(t *testing.T) {
	const n, message, port = 300, 48.8976, 9.76
	c, err := cluster.New(cluster.Homogeneous(n, port))
	if err != nil {
		t.Fatal(err)
	}
	once := message / port
	parts, whole := LowerBound(c, false), LowerBound(c, true)
	if parts == nil || math.Abs(parts.MS/(2*(n-1)/float64(n)*once)-1) > 1e-9 {
		t.Errorf("in parts: %+v, want %v ms", parts, 2*(n-1)/float64(n)*once)
	}
	if whole == nil || whole.MS < 8*once || whole.MS > 9*once*(1+1e-9) {
		t.Errorf("whole: %+v, 9 rounds take %v ms", whole, 9*once)
	}
}

// No collective beats the bound, which is what is known by hand.
func TestNoCollectiveBeatsTheBound(t *testing.T) {
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
		bound := LowerBound(c, false)
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
		if shares, err := cost.BestShares(t.Context(), c); err != nil {
			t.Error(err)
		} else {
			list = append(list, collective.Shards(shares))
		}
		for _, a := range list {
			cut, price, err := cost.BestChunks(a, c, 64)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%-8s %-40s %3d chunks %8.3f ms  %s; bound %.3f (%s)", name, a.Name, cut.Chunks, price.MS, price.Bottleneck,
				bound.MS, bound.Detail)
			if price.MS < bound.MS*(1-1e-12) {
				t.Errorf("%s on %s costs %v, below the bound %v", a.Name, name, price.MS, bound.MS)
			}
		}
	}
}

// Where links differ from level to level, hops of one level or of several prove what is known by hand.
func TestBoundsOfGroups(t *testing.T) {
	const message = cluster.PaperMessageMB
	for name, want := range map[string]float64{
		// Four servers behind one network card each, or four.
		"servers-4x4":  6 * 350 / (4 * 3.125),
		"nvswitch-4x8": 6 * message / (16 * 25),
		// Each of eight slow nodes sends a message and receives one, over its link and the uplink of its rack or the link
		// of another.
		"racks-2to1": 32 * message / (16*3.125 + 2*12.5),
		// One link between sockets, which a message has to pass.
		"nvlink-pairs-8": 20,
	} {
		if b := LowerBound(example(t, name, 0), false); b.MS < want*(1-1e-9) {
			t.Errorf("%s: %v ms (%s); %v can be proved", name, b.MS, b.Detail, want)
		}
	}
}

// Prices name resources; two racks of one name have two uplinks all the same.
func TestBoundsHoldWhereGroupsShareAName(t *testing.T) {
	link, uplink := &cluster.Link{GBs: 10}, &cluster.Link{GBs: 5}
	rack := cluster.Group{Name: "rack", Nodes: 4, Link: link, Uplink: uplink}
	c, err := cluster.New(cluster.Spec{Tree: &cluster.Group{Groups: []cluster.Group{rack, rack}}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := found(t, Problem{Cluster: c, Form: Parts}, 200).Plan(t.Context(), c, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if report, err := verify.Check(t.Context(), plan); err != nil || report.Err() != nil {
		t.Errorf("%v, %v", err, report.Err())
	}
}
