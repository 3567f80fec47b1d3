package question

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// groupsOf divides nodes at random into groups of a size that fits, or names a single group of any size.
func groupsOf(rng *rand.Rand, n int) (groups [][]int, together int) {
	order, size := rng.Perm(n), 1+rng.IntN(n-1)
	if n%size != 0 || rng.IntN(3) == 0 {
		return [][]int{order[:size]}, 1
	}
	for first := 0; first < n; first += size {
		groups = append(groups, order[first:first+size])
	}
	return groups, 1 + rng.IntN(len(groups)-1)
}

// sharedBy returns the limits that a graph just keeps on the edges that leave each group, and on those between groups.
func sharedBy(g *topology.Graph, groups [][]int) *Routes {
	n := g.Nodes()
	of := make([]int, n) // 0: in no group
	for k, nodes := range groups {
		for _, i := range nodes {
			of[i] = k + 1
		}
	}
	r := Routes{Nodes: n, Candidates: topology.AllPairs(n), Limits: make([]design.Limit, len(groups)+1)}
	r.Counts = make([][]int32, len(r.Candidates))
	for k, e := range r.Candidates {
		if of[e.I] == of[e.J] {
			continue
		}
		shared := map[int]bool{0: true, of[e.I]: true, of[e.J]: true}
		for l := range r.Limits {
			if !shared[l] {
				continue
			}
			r.Counts[k] = append(r.Counts[k], int32(l))
			r.Limits[l].Edges = append(r.Limits[l].Edges, k)
			if _, ok := g.EdgeIndex(e.I, e.J); ok {
				r.Limits[l].Max++
			}
		}
	}
	return &r
}

// bridged is a graph of dense parts with few edges between them: where gateways decide.
func bridged(t *testing.T, rng *rand.Rand, n int, groups [][]int) *topology.Graph {
	t.Helper()
	of := make([]int, n)
	for k, nodes := range groups {
		for _, i := range nodes {
			of[i] = k + 1
		}
	}
	parts := topology.NewParts(n)
	var edges []topology.Edge
	pairs := topology.AllPairs(n)
	rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	for _, inside := range []bool{true, false} {
		for _, e := range pairs {
			if inside == (of[e.I] == of[e.J]) && (parts.JoinEnds(e) || inside || rng.IntN(3*n) == 0) {
				edges = append(edges, e)
			}
		}
	}
	return graphOf(t, n, edges)
}

// No matrix on a graph that keeps the limits between groups is better than what the gateways prove, whatever the steps.
func TestGatewaysProveNoMoreThanAMatrixReaches(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	applied, closest := 0, 0.0
	for range 1500 {
		n := 4 + rng.IntN(13)
		groups, together := groupsOf(rng, n)
		g := bridged(t, rng, n, groups)
		if rng.IntN(4) == 0 {
			g = randomGraph(t, rng, n)
		}
		b := design.Bound{Kind: design.GatewayBound, Groups: groups, Together: together}
		for _, w := range weighted(t, rng, g) {
			s, err := w.Spectrum(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, lowest := range []*float64{nil, &s.LambdaN} {
				value := s.RAsym
				if lowest != nil {
					value = s.Lambda2
				}
				l := Limits{Nodes: n, Edges: len(g.Edges()), Routes: sharedBy(g, groups), Signed: !w.Nonnegative(), Lowest: lowest}
				for range 4 {
					angle := rng.Float64() * math.Pi / 2
					b.Beta, b.Alpha = math.Sincos(angle)
					if rng.IntN(2) == 0 {
						b.Alpha, b.Beta = 2*rng.Float64(), 2*rng.Float64()
					}
					proved, err := l.gateway(&b)
					if err != nil {
						break // as many edges as nodes
					}
					applied++
					closest = max(closest, proved/value)
					if proved > value+1e-9 {
						t.Fatalf("%d nodes, %d of %v, edges %v: value %.12g, but α = %v, β = %v prove %.12g (signed %t, lowest %v)",
							n, together, groups, g.Edges(), value, b.Alpha, b.Beta, proved, l.Signed, lowest != nil)
					}
				}
			}
		}
	}
	if applied < 5000 || closest < 0.99 {
		t.Errorf("gateways proved something in %d cases, at most %.4f of what a matrix reaches: is the test idle?", applied,
			closest)
	}
}

// weighted puts weights on a graph: what is asked of gateways, much across and little elsewhere, and others.
func weighted(t *testing.T, rng *rand.Rand, g *topology.Graph) []*mixing.Matrix {
	t.Helper()
	heavy, mixed := make([]float64, len(g.Edges())), make([]float64, len(g.Edges()))
	for k, e := range g.Edges() {
		heavy[k] = rng.Float64() * 2 / float64(1+max(g.Degree(e.I), g.Degree(e.J)))
		mixed[k] = (rng.Float64() - 0.2) * 2 / float64(1+max(g.Degree(e.I), g.Degree(e.J)))
	}
	var all []*mixing.Matrix
	for _, weights := range [][]float64{heavy, mixed} {
		w, err := mixing.FromEdges(g, weights)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	for _, rule := range []func(*topology.Graph) (*mixing.Matrix, error){mixing.BestConstantUnlimited, mixing.Metropolis} {
		w, err := rule(g)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	return all
}

// Groups that are no partition, or fewer than are to be united, make no part of the cluster.
func TestUnitedNeedsAPartition(t *testing.T) {
	l := Limits{Nodes: 6}
	for _, c := range []struct {
		groups   [][]int
		together int
		want     int // 0: refused
	}{
		{[][]int{{4, 0}}, 1, 2},
		{[][]int{{0, 1}, {2, 3}, {4, 5}}, 2, 4},
		{[][]int{{0, 1}}, 2, 0},
		{[][]int{{0, 1}}, 0, 0},
		{[][]int{{0, 1, 2, 3, 4, 5}}, 1, 0},
		{[][]int{{0, 1}, {2, 3}}, 1, 0},
		{[][]int{{0, 1}, {2, 3}, {4, 4}}, 1, 0},
		{[][]int{{0, 1}, {2, 3}, {4, 6}}, 1, 0},
		{[][]int{{0, 1}, {2, 3}, {4, -1}}, 1, 0},
		{[][]int{{0, 1}, {2, 3, 4, 5}}, 1, 0},
		{[][]int{{0, 1, 2}, {3, 4, 5}, {}}, 1, 0},
		{[][]int{{}, {}}, 1, 0},
		{[][]int{{0, 1}, {2, 3}, {4, 5}}, 3, 0},
		{[][]int{{0, 1}, {2, 3}, {4, 5}}, -1, 0},
		{nil, 1, 0},
	} {
		got, err := l.united(&design.Bound{Kind: design.GatewayBound, Groups: c.groups, Together: c.together})
		if got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%d of %v: %d nodes, %v; want %d", c.together, c.groups, got, err, c.want)
		}
	}
}

// manyPorts is a cluster of two leaves with each edges at most at every host, and a bound that divides it in two.
func manyPorts(tb testing.TB, hosts, each int) (Limits, *design.Bound) {
	tb.Helper()
	c, err := cluster.New(cluster.Spec{LeafSpine: &cluster.LeafSpine{Leaves: 2, Hosts: hosts, Host: 1, Uplink: 1}})
	if err != nil {
		tb.Fatal(err)
	}
	all := c.CandidateCount()
	r := NewRoutes(c).Within(append(slices.Repeat([]int{each}, c.Nodes()), all, all))
	b := &design.Bound{Groups: [][]int{make([]int, hosts), make([]int, hosts)}, Together: 1}
	for i := range hosts {
		b.Groups[0][i], b.Groups[1][i] = i, hosts+i
	}
	return Limits{Nodes: c.Nodes(), Edges: all, Routes: r}, b
}

func TestManyPortsLimitGateways(t *testing.T) {
	l, b := manyPorts(t, 100, 4)
	if got := l.around(b); got != 400 {
		t.Errorf("%d edges can join 100 hosts with 4 each to as many; want 400", got)
	}
}

// Candidates that thousands of ports limit are closed one by one and not port by port: to recheck what a plan says
// about its groups takes about as long as the degrees of its nodes.
func BenchmarkManyPorts(b *testing.B) {
	l, bound := manyPorts(b, 600, 4)
	b.Run("degrees", func(b *testing.B) {
		for b.Loop() {
			l.Routes.Degrees()
		}
	})
	b.Run("gateway", func(b *testing.B) {
		for b.Loop() {
			l.around(bound)
		}
	})
}

// What most was asked before does not change what it says.
func TestMostForgetsWhatItWasAsked(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for range 200 {
		n := 4 + rng.IntN(6)
		groups, _ := groupsOf(rng, n)
		r := sharedBy(randomGraph(t, rng, n), groups)
		for range 8 {
			var edges []int
			for k := range r.Candidates {
				if rng.IntN(2) == 0 {
					edges = append(edges, k)
				}
			}
			fresh := Routes{Nodes: n, Candidates: r.Candidates, Limits: r.Limits, Counts: r.Counts}
			if got, want := r.most(edges), fresh.most(edges); got != want {
				t.Fatalf("at most %d of the candidates %v; asked for the first time %d", got, edges, want)
			}
		}
	}
}
