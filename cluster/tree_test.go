package cluster_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/mixing"
)

// v2 reads a description of version 2 without its first line.
func v2(t *testing.T, text string) *cluster.Cluster {
	return read(t, "format: batopo.cluster/v2\n"+text)
}

// closeTo complains unless two numbers are equal up to the rounding of a few operations.
func closeTo(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*math.Abs(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// randomRounds are directed and undirected matrices on all pairs.
func randomRounds(t *testing.T, nodes int) []*mixing.Matrix {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(nodes)))
	var rounds []*mixing.Matrix
	for range 20 {
		a, b := rng.Perm(nodes), rng.Perm(nodes)
		var arcs []mixing.Arc
		seen := map[[2]int]bool{}
		for k := range a {
			for _, p := range [][]int{a, b} {
				arc := [2]int{p[k], p[(k+1)%nodes]}
				if !seen[arc] {
					seen[arc] = true
					arcs = append(arcs, mixing.Arc{From: arc[0], To: arc[1], Weight: 0.01})
				}
			}
		}
		if w, err := mixing.FromArcs(nodes, arcs); err == nil {
			rounds = append(rounds, w)
		}
	}
	for _, name := range []string{"ring", "exponential", "complete", "torus"} {
		rounds = append(rounds, family(t, name, nodes))
	}
	return rounds
}

// The paper's clusters and the examples, and the same hardware written as a tree or a graph: one price.
func TestTreeFormsCostWhatShorthandsCost(t *testing.T) {
	for _, tc := range []struct{ example, text string }{
		{"homogeneous-16", "tree: {nodes: 16, link: 9.76}"},
		{"homogeneous-16", "tree:\n  groups: [{count: 4, nodes: 4, link: 9.76 GB/s}]"},
		{"node-level-16", "tree:\n  groups: [{nodes: 8, link: 9.76}, {nodes: 8, link: 26Gb/s}]"},
		{"intra-server-8", `
tree:
  between: 9.76
  groups:
    - {name: socket, count: 2, between: 4.88, groups: [{name: switch, count: 2, nodes: 2, between: 4.88}]}`},
		{"leaf-spine-32",
			"latency_ms: 20us\ntree: {groups: [{name: leaf, count: 4, nodes: 8, link: 96Gb/s, uplink: {gb_s: 24}}]}"},
		{"leaf-spine-32", "latency_ms: 0.02\nnodes: 32\nlinks:\n" + leafSpineLinks(4, 8, "12", "24")},
	} {
		short, long := load(t, tc.example), v2(t, tc.text)
		if short.Nodes() != long.Nodes() || len(short.Resources()) != len(long.Resources()) {
			t.Fatalf("%s: %d nodes and %d resources, as a tree %d and %d", tc.example, short.Nodes(), len(short.Resources()),
				long.Nodes(), len(long.Resources()))
		}
		for k, w := range randomRounds(t, short.Nodes()) {
			a, err := cost.Gossip(short, w)
			if err != nil {
				t.Fatal(err)
			}
			b, err := cost.Gossip(long, w)
			if err != nil {
				t.Fatal(err)
			}
			closeTo(t, tc.example, b.CommunicationMS, a.CommunicationMS)
			closeTo(t, tc.example, b.MinEdgeGBs, a.MinEdgeGBs)
			if t.Failed() {
				t.Fatalf("matrix %d of %s", k, tc.text)
			}
		}
		a, err := feasible.On(short).Budgets(t.Context(), 3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := feasible.On(long).Budgets(t.Context(), 3)
		if err != nil {
			t.Fatal(err)
		}
		for k := range a {
			closeTo(t, tc.example+" unit", b[k].UnitGBs, a[k].UnitGBs)
			if a[k].MaxEdges != b[k].MaxEdges {
				t.Errorf("%s: budget %d has %d edges, as a tree %d", tc.example, k, a[k].MaxEdges, b[k].MaxEdges)
			}
		}
	}
}

func leafSpineLinks(leaves, hosts int, host, uplink string) string {
	var b strings.Builder
	number := func(k int) string { return string(rune('0'+k/10)) + string(rune('0'+k%10)) }
	for leaf := range leaves {
		b.WriteString("  - {between: [leaf" + number(leaf) + ", spine], gb_s: " + uplink + "}\n")
		for h := range hosts {
			name := strings.TrimPrefix(number(leaf*hosts+h), "0")
			b.WriteString("  - {between: ['" + name + "', leaf" + number(leaf) + "], gb_s: " + host + "}\n")
		}
	}
	return b.String()
}

// cycles is a round in which every node of each cycle sends to the next.
func cycles(t *testing.T, nodes int, all ...[]int) *mixing.Matrix {
	t.Helper()
	var list []mixing.Arc
	for _, cycle := range all {
		for k, i := range cycle {
			list = append(list, mixing.Arc{From: i, To: cycle[(k+1)%len(cycle)], Weight: 0.1})
		}
	}
	w, err := mixing.FromArcs(nodes, list)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// By hand: what one round costs where the directions of a link differ, on a message of 10 MB.
func TestDirectionsHaveTheirOwnPrice(t *testing.T) {
	const message = "model: {message_mb: 10}\n"
	asymmetric := message + "tree: {nodes: 3, link: {up_gb_s: 1, down_gb_s: 5, latency_ms: 3}}"
	matrix := message + "matrix: {gb_s: [[0, 2, 4], [1, 0, 8], [5, 10, 0]]}"
	ports := message + "matrix: {gb_s: [[0, 2, 4], [1, 0, 8], [5, 10, 0]], port_gb_s: [1, 8, 4]}"
	links := message + "names: [a, b, c]\nlinks:\n  - {between: [a, hub], up_gb_s: 2, down_gb_s: 5}\n" +
		"  - {between: [hub, b], up_gb_s: 4, down_gb_s: 10, latency_ms: 7}\n" +
		"  - {between: [c, hub], up_gb_s: 20, down_gb_s: 1}\n"
	for _, tc := range []struct {
		name, text string
		cycles     [][]int
		ms         float64
	}{
		{"both ways: up 1, down 5, both latencies", asymmetric, [][]int{{0, 1}}, 6 + 10},
		{"two out of each: up 1/2", asymmetric, [][]int{{0, 1}, {1, 2}, {2, 0}}, 6 + 20},
		{"matrix, round and round: 2, 8, 5", matrix, [][]int{{0, 1, 2}}, 10. / 2},
		{"matrix, the other way: 4, 10, 1", matrix, [][]int{{0, 2, 1}}, 10. / 1},
		{"matrix, 1–2: the slower way decides", matrix, [][]int{{1, 2}}, 10. / 8},
		{"matrix, 0–2 and 1–2: the port of 0 sends 4, the port of 2 sends 10 and receives 8 in all", matrix,
			[][]int{{0, 2}, {1, 2}}, 10. / 4},
		{"matrix with ports: node 0 has 1 each way", ports, [][]int{{0, 1, 2}}, 10. / 1},
		{"matrix with ports: node 2 has 4 for two", ports, [][]int{{0, 2}, {1, 2}}, 10. / 1},
		{"links, a→b→c→a: min(2, 4), min(10, 1), min(20, 5); b is 7 ms away", links, [][]int{{0, 1, 2}}, 7 + 10},
		{"links, a→b, b→a", links, [][]int{{0, 1}}, 7 + 10./2},
		{"links, a→b→a and b→c→b: up of hub–b is 4/2, c receives 1", links, [][]int{{0, 1}, {1, 2}}, 7 + 10},
	} {
		c := v2(t, tc.text)
		r, err := cost.Gossip(c, cycles(t, c.Nodes(), tc.cycles...))
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, tc.name, r.CommunicationMS, tc.ms)
	}
}

const nvswitchServers = `
model: {message_mb: 100}
tree:
  groups:
    - name: server
      count: 2
      nvswitch: 400
      nics: {count: 2, gb_s: 200Gb/s, at: switch, latency_ms: 1}
      groups: [{name: switch, count: 2, nodes: 2, link: 32, uplink: 16}]`

// By hand: two servers of four GPUs, NVSwitch inside, a network card for each pair of GPUs on its PCIe switch.
func TestServersWithSwitchAndCards(t *testing.T) {
	c := v2(t, nvswitchServers)
	for _, tc := range []struct {
		name string
		pair [][]int
		ms   float64
	}{
		{"inside: NVSwitch ports, not PCIe", [][]int{{0, 3}}, 100. / 400},
		{"three at one port", [][]int{{0, 1}, {0, 2}, {0, 3}}, 100. / 400 * 3},
		{"between servers: PCIe 32, card 25, both latencies", [][]int{{0, 4}}, 2 + 100./25},
		{"two GPUs on one card", [][]int{{0, 4}, {1, 6}}, 2 + 100./12.5},
		{"two GPUs on two cards", [][]int{{0, 4}, {2, 6}}, 2 + 100./25},
	} {
		r, err := cost.Gossip(c, cycles(t, 8, tc.pair...))
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, tc.name, r.CommunicationMS, tc.ms)
	}
	// On the server itself the card is behind the switch's uplink of 16.
	far := v2(t, strings.Replace(nvswitchServers, ", at: switch", "", 1))
	r, err := cost.Gossip(far, cycles(t, 8, []int{0, 4}))
	if err != nil {
		t.Fatal(err)
	}
	closeTo(t, "card behind the uplink", r.CommunicationMS, 2+100./16)
	// Cards of the nodes' own, without PCIe.
	cards := strings.NewReplacer("count: 2, gb_s: 200Gb/s, at: switch", "count: 4, gb_s: 400Gb/s, at: node")
	near := v2(t, cards.Replace(nvswitchServers))
	if r, err = cost.Gossip(near, cycles(t, 8, []int{0, 4}, []int{1, 4})); err != nil {
		t.Fatal(err)
	}
	closeTo(t, "two into one card of 50", r.CommunicationMS, 2+100./25)
}

// Between servers PCIe counts since version 2; a plan of version 1 keeps its price.
func TestPCIeCountsBetweenServers(t *testing.T) {
	const text = "model: {message_mb: 100}\n" +
		"servers: {count: 2, gpus: 4, gpus_per_switch: 2, switches_per_socket: 1, " +
		"tree: {pix: 5, node: 10, sys: 8}, load: path, nic: 20}\n"
	w := cycles(t, 8, []int{0, 4}, []int{1, 5})
	v1, err := cluster.Read("v1", strings.NewReader("format: batopo.cluster/v1\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range map[float64]*cluster.Cluster{100 / 10.: v1, 100 / 2.5: v2(t, text)} {
		r, err := cost.Gossip(c, w)
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, c.Spec().Format, r.CommunicationMS, want)
	}
}

func TestNVLinkPairsAndSpeeds(t *testing.T) {
	c := v2(t, `
model: {message_mb: 100, compute_ms: 7}
tree:
  groups:
    - {nodes: 2, link: 10, nvlinks: [{pair: [0, 1], up_gb_s: 100, down_gb_s: 50}], compute_ms: 12, jitter_ms: 500us}
    - {nodes: 1, link: 20}`)
	for _, tc := range []struct {
		cycle []int
		ms    float64
	}{{[]int{0, 1}, 2}, {[]int{0, 1, 2}, 10}, {[]int{0, 2}, 10}} {
		r, err := cost.Gossip(c, cycles(t, 3, tc.cycle))
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, "NVLink", r.CommunicationMS, tc.ms)
	}
	if c.ComputeMS(0) != 12 || c.ComputeMS(2) != 7 || c.JitterMS(1) != 0.5 || c.JitterMS(2) != 0 ||
		c.Model().ComputeMS != 12 {
		t.Errorf("speeds %v %v %v %v, slowest %v", c.ComputeMS(0), c.ComputeMS(2), c.JitterMS(1), c.JitterMS(2),
			c.Model().ComputeMS)
	}
}

// A message passes a third site only where that is allowed, and takes the route of least latency.
func TestRoutesThroughAGraph(t *testing.T) {
	const text = "model: {message_mb: 10}\nnames: [a, b, c]\nlinks:\n" +
		"  - {between: [a, b], gb_s: 1, latency_ms: 1}\n" +
		"  - {between: [b, c], gb_s: 1, latency_ms: 1}\n" +
		"  - {between: [a, c], gb_s: 1, latency_ms: 9}\n"
	for via, ms := range map[string]float64{text: 9 + 10, text + "transit: true\n": 2 + 10} {
		r, err := cost.Gossip(v2(t, via), cycles(t, 3, []int{2, 0}))
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, via, r.CommunicationMS, ms)
	}
	c := v2(t, "names: [berlin, oslo, rome]\nresources: [{name: line, gb_s: 8Gb/s}]\n"+
		"routes: [{pair: [berlin, rome], over: [line]}, {pair: [1, 2], over: [line]}]\n")
	if got := c.Candidates(); len(got) != 2 || got[0].J != 2 || c.Resources()[0].GBs != 1 {
		t.Errorf("candidates %v", got)
	}
}

// A half-duplex channel carries every byte between two of its nodes twice, and those of both directions one after the
// other: a ring all-reduce of 100 MB among six nodes sends 1000 MB, which take 40 s at 50 MB/s; a wired peer's bytes pass
// once. An edge counts once for each of its nodes on the channel.
func TestAChannelCarriesEveryByteTwice(t *testing.T) {
	c := v2(t, "tree: {nodes: 6, channel: 50MB/s}\nmodel: {message_mb: 100}\n")
	price, err := cost.Of(collective.Ring([]int{0, 1, 2, 3, 4, 5}), c)
	if err != nil {
		t.Fatal(err)
	}
	closeTo(t, "a ring on a channel", price.MS, 40_000)

	mixed := v2(t, `tree:
  groups:
    - {name: wifi, nodes: 2, channel: {gb_s: 50MB/s, latency_ms: 3}}
    - {name: wired, nodes: 2, link: 1GB/s}
model: {message_mb: 100}
`)
	for _, tc := range []struct {
		i, j        int
		there, back cluster.Flow
		busy, wait  float64
		edges       int
	}{
		{0, 1, cluster.Whole, cluster.Whole, 8000, 6, 2},
		{0, 1, cluster.Whole, cluster.Flow{}, 4000, 6, 2},
		{1, 0, cluster.Flow{}, cluster.Whole, 4000, 6, 2},
		{0, 2, cluster.Whole, cluster.Whole, 4000, 3, 1},
		{2, 3, cluster.Whole, cluster.Whole, 100, 0, 0},
	} {
		l := mixed.NewLoad()
		if !l.Add(tc.i, tc.j, tc.there, tc.back) {
			t.Fatalf("%d–%d has no route", tc.i, tc.j)
		}
		from, to := tc.i, tc.j
		if tc.there.Share == 0 {
			from, to = to, from
		}
		got := l.Passage(from, to)
		closeTo(t, "busy", got.BusyMS, tc.busy)
		closeTo(t, "latency", got.LatencyMS, tc.wait)
		if l.Count[0] != tc.edges { // the channel
			t.Errorf("%d–%d: %d edges on %s", tc.i, tc.j, l.Count[0], mixed.Resources()[0].Name)
		}
	}
	for _, text := range []string{"channel: {up_gb_s: 1, down_gb_s: 2}", "channel: {gb_s: 1, max_edges: 3}"} {
		_, err := cluster.Read("c", strings.NewReader("format: batopo.cluster/v2\ntree: {nodes: 2, "+text+"}\n"))
		if err == nil || !strings.Contains(err.Error(), "tree.channel: is shared by the nodes right here, both ways") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
