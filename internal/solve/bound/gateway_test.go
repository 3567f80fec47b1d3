package bound

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// behindCards are equal servers with one network card each, which carries as many edges as are said.
func behindCards(t *testing.T, servers, nodes, edges int) *cluster.Cluster {
	t.Helper()
	return mustCluster(t, cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{
		Name: "server", Count: servers, Nodes: nodes, NVSwitch: &cluster.Link{GBs: 1000},
		NICs: &cluster.NICs{Link: cluster.Link{GBs: 1, MaxEdges: edges}}}}}})
}

// With as many nodes behind m gateways on either side, docs/research/bounds.md has closed forms.
func TestGatewaysOfEqualSides(t *testing.T) {
	zero := 0.0
	for _, c := range []struct {
		servers, nodes, card, edges int
		sign                        design.Sign
		mu                          *float64
		want                        float64
	}{
		// m = 3 nodes inside for each of two gateways: λ₂(L) ≤ 2/(1 + m(1 + √2)²), λ₂(L)/λ_max(L) ≤ (√(m+1) − √m)².
		{2, 8, 2, 58, design.NonNegative, nil, 1 - 2/(1+3*(3+2*math.Sqrt2))},
		{2, 8, 2, 58, design.Free, nil, math.Sqrt(3) / 2},
		{2, 8, 2, 58, design.NonNegative, &zero, 1 - (2-math.Sqrt(3))*(2-math.Sqrt(3))},
		// One edge: m = 7.
		{2, 8, 1, 57, design.NonNegative, nil, 1 - 2/(1+7*(3+2*math.Sqrt2))},
		// m = 1: both say the same.
		{2, 4, 2, 14, design.NonNegative, nil, math.Sqrt2 / 2},
		{2, 4, 2, 14, design.Free, nil, math.Sqrt2 / 2},
		// A ring of servers has two halves with two edges between them.
		{4, 4, 2, 28, design.NonNegative, nil, 1 - 2/(1+3*(3+2*math.Sqrt2))},
		{8, 8, 2, 232, design.NonNegative, nil, 1 - 2/(1+15*(3+2*math.Sqrt2))},
	} {
		p := problem(behindCards(t, c.servers, c.nodes, c.card), c.edges)
		p.Sign, p.MinEigenvalue = c.sign, c.mu
		b, _, err := Problem(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if b.Kind != design.GatewayBound || math.Abs(b.RAsym-c.want) > 1e-12 {
			t.Errorf("%d servers of %d, %d edges a card, %s: %+v; want %v", c.servers, c.nodes, c.card, c.sign, b, c.want)
		}
	}
}

// The steps that are found prove about as much as the best of a fine grid.
func TestStepsOfGatewaysAreTheBest(t *testing.T) {
	for _, r := range []chain{{6, 2, 2, 14}, {1, 3, 3, 40}, {0, 4, 4, 8}, {5, 1, 1, 1}, {100, 1, 1, 1000}} {
		for _, fmmc := range []bool{true, false} {
			q := question{n: int(r[0] + r[1] + r[2] + r[3]), fmmc: fmmc}
			got, alpha, beta := q.through(r)
			best := 0.0
			for x := 0.0; x < 4; x += 0.01 {
				for y := 0.0; y < 4; y += 0.01 {
					best = max(best, q.fromRatio(r.ratio(x, y)))
					if fmmc {
						best = max(best, 1-r.spectralGap(x, y))
					}
				}
			}
			if got < best-1e-6 {
				t.Errorf("%v, not negative %t: α = %v, β = %v prove %v, others %v", r, fmmc, alpha, beta, got, best)
			}
		}
	}
}

// Every connected choice of edges within random limits has the set that a gate promises.
func TestGatesAgainstEveryChoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	const n = 6
	candidates := topology.AllPairs(n)
	tight, promised := 0, 0
	for trial := range 60 {
		size := 2 + rng.IntN(2)
		limits := make([]design.Limit, n/size, n/size+1)
		for g := range limits {
			limits[g] = design.Limit{Name: fmt.Sprint(g), Max: 1 + rng.IntN(4)}
			for k, e := range candidates {
				if (e.I/size == g) != (e.J/size == g) {
					limits[g].Edges = append(limits[g].Edges, k)
				}
			}
		}
		if trial%3 == 0 { // one more that some of the edges inside and between share
			more := design.Limit{Name: "more", Max: 2 + rng.IntN(3)}
			for k := range candidates {
				if rng.IntN(2) == 0 {
					more.Edges = append(more.Edges, k)
				}
			}
			limits = append(limits, more)
		}
		budget := n - 1 + rng.IntN(4)
		gates := newSharing(n, candidates, limits).gates(budget)
		promised += len(gates)
		worst := make([]int, len(gates)) // of all graphs, the edges around the best set of the gate
		for mask := range 1 << len(candidates) {
			edges := chosen(candidates, mask)
			if len(edges) > budget || len(edges) < n-1 || !within(limits, mask) || !connected(n, edges) {
				continue
			}
			for k, g := range gates {
				worst[k] = max(worst[k], fewestAround(g, edges))
			}
		}
		for k, g := range gates {
			if worst[k] > g.Edges {
				t.Fatalf("trial %d: gate %+v, but some graph has at least %d edges around every such set; limits %v", trial, g,
					worst[k], limits)
			}
			if worst[k] == g.Edges {
				tight++
			}
		}
	}
	if promised < 150 || tight < promised/3 {
		t.Errorf("%d of %d gates can be reached", tight, promised)
	}
}

// Every connected way to join a few groups, with several edges between two, has a union with as few edges around it.
func TestUnionsAgainstEveryMultigraph(t *testing.T) {
	tight := 0
	for _, c := range []struct {
		leaving []int
		across  int
	}{
		{[]int{2, 2, 2, 2}, 9}, {[]int{3, 3, 3, 3}, 9}, {[]int{4, 4, 4, 4}, 9}, {[]int{4, 4, 4, 4}, 7}, {[]int{4, 4, 4, 3}, 9},
		{[]int{5, 5, 5, 5}, 10}, {[]int{2, 2, 2, 2, 2}, 9}, {[]int{3, 3, 3, 3, 3}, 9}, {[]int{3, 3, 1, 3, 2}, 9},
		{[]int{4, 4, 4, 4, 4}, 10},
	} {
		d := division{groups: make([][]int, len(c.leaving)), leaving: c.leaving, across: c.across}
		p := len(c.leaving)
		for g := range d.groups {
			d.groups[g] = []int{g}
		}
		pairs, worst := topology.AllPairs(p), make([]int, p/2+1)
		left := slices.Clone(c.leaving)
		var edges []topology.Edge
		var join func(k int)
		join = func(k int) {
			if k == len(pairs) {
				if connected(p, edges) {
					for h := 1; h <= p/2; h++ {
						worst[h] = max(worst[h], fewestAround(Gate{Groups: d.groups, Together: h}, edges))
					}
				}
				return
			}
			join(k + 1)
			if e := pairs[k]; left[e.I] > 0 && left[e.J] > 0 && len(edges) < c.across {
				left[e.I]--
				left[e.J]--
				edges = append(edges, e)
				join(k) // again between the same two
				edges = edges[:len(edges)-1]
				left[e.I]++
				left[e.J]++
			}
		}
		join(0)
		for h := 1; h <= p/2; h++ {
			if few := d.around(h); worst[h] > few {
				t.Errorf("%v, %d in all: %d edges around some %d groups are promised, but %d can be the fewest", c.leaving,
					c.across, few, h, worst[h])
			} else if worst[h] == few {
				tight++
			}
		}
	}
	if tight < 12 {
		t.Errorf("%d promises can be reached", tight)
	}
}

func chosen(candidates []topology.Edge, mask int) (edges []topology.Edge) {
	for k, e := range candidates {
		if mask>>k&1 == 1 {
			edges = append(edges, e)
		}
	}
	return edges
}

func connected(n int, edges []topology.Edge) bool {
	parts := topology.NewParts(n)
	for _, e := range edges {
		parts.JoinEnds(e)
	}
	return parts.Count() == 1
}

// fewestAround returns the fewest edges around any set that a gate speaks of.
func fewestAround(g Gate, edges []topology.Edge) int {
	fewest := len(edges)
	for union := range 1 << len(g.Groups) {
		var inside []int
		groups := 0
		for k, nodes := range g.Groups {
			if union>>k&1 == 1 {
				groups++
				inside = append(inside, nodes...)
			}
		}
		if groups != g.Together {
			continue
		}
		around := 0
		for _, e := range edges {
			if slices.Contains(inside, e.I) != slices.Contains(inside, e.J) {
				around++
			}
		}
		fewest = min(fewest, around)
	}
	return fewest
}

// Servers whose nodes have cards of their own, and racks of different uplinks, are groups as well.
func TestGroupsOfHardware(t *testing.T) {
	link := func(gbs float64) *cluster.Link { return &cluster.Link{GBs: gbs} }
	for _, c := range []struct {
		name   string
		groups []cluster.Group
		count  int
		size   int
	}{
		{"a card for every two nodes", []cluster.Group{{Name: "server", Count: 4, Nodes: 8, NVSwitch: link(300),
			NICs: &cluster.NICs{Count: 4, Link: *link(3)}}}, 4, 8},
		{"racks", []cluster.Group{{Name: "rack", Count: 3, Nodes: 8, Link: link(12), Uplink: link(50)},
			{Name: "old rack", Nodes: 8, Link: link(3), Uplink: link(12)}}, 4, 8},
	} {
		p := problem(mustCluster(t, cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: c.groups}}), 64)
		l, err := FromProblem(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(l.Gates, func(g Gate) bool {
			return len(g.Groups) == c.count && g.Together == c.count/2 && g.Inside == c.count/2*c.size
		})
		if !found {
			t.Errorf("%s: no gate between halves of %d groups of %d nodes: %+v", c.name, c.count, c.size, l.Gates)
		}
	}
}
