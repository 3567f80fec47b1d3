package verify

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// smallHardware is random hardware of a few nodes: rates of one scale or of many, with and without latency.
func smallHardware(t *testing.T, rng *rand.Rand) *cluster.Cluster {
	t.Helper()
	n, spread, late := 2+rng.IntN(4), float64(rng.IntN(4)), float64(rng.IntN(2))*math.Exp(4*rng.Float64()-2)
	rate := func() float64 { return math.Exp(spread * rng.NormFloat64()) }
	link := func() *cluster.Link {
		if rng.IntN(2) == 0 {
			return &cluster.Link{GBs: rate(), LatencyMS: late * rng.Float64()}
		}
		return &cluster.Link{UpGBs: rate(), DownGBs: rate()}
	}
	s := cluster.Spec{Format: cluster.FormatV2, LatencyMS: late}
	switch rng.IntN(4) {
	case 0:
		s.Nodes = n
		for range n {
			s.Bandwidth = append(s.Bandwidth, rate())
		}
	case 1:
		s.Matrix = &cluster.Matrix{GBs: make([][]float64, n)}
		for i := range n {
			s.Matrix.GBs[i] = make([]float64, n)
			for j := range n {
				if i != j {
					s.Matrix.GBs[i][j] = rate()
				}
			}
		}
	case 2:
		s.Tree = &cluster.Group{}
		for left := n; left > 0; {
			g := cluster.Group{Nodes: 1 + rng.IntN(left), Link: link(), Uplink: link()}
			if rng.IntN(2) == 0 {
				g.Through = &cluster.Link{GBs: rate()}
			}
			s.Tree.Groups, left = append(s.Tree.Groups, g), left-g.Nodes
		}
	default: // one line that all share, and one for each pair
		s.Nodes, s.Resources = n, []cluster.ResourceSpec{{Name: "all", GBs: rate()}}
		for i := range n {
			for j := range i {
				own := fmt.Sprint(j, "–", i)
				s.Resources = append(s.Resources, cluster.ResourceSpec{Name: own, GBs: rate()})
				s.Routes = append(s.Routes, cluster.RouteSpec{Pair: []int{j, i}, Over: []string{own, "all"}[:1+rng.IntN(2)]})
			}
		}
		s.Routes[0].Over = []string{"0–1", "all"} // no resource may be idle
	}
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// averages are ways to average exactly: a ring, a tree, everybody with everybody, shares of unequal size.
func averages(n int, rng *rand.Rand) []*design.Collective {
	order, parent := rng.Perm(n), make([]int, n)
	parent[order[0]] = -1
	for k := 1; k < n; k++ {
		parent[order[k]] = order[rng.IntN(k)]
	}
	var shares, back, whole []design.Transfer
	begin := 0.0
	for k, owner := range order {
		end := begin + (1-begin)*rng.Float64()
		if k == n-1 {
			end = 1
		}
		for _, i := range order {
			if i != owner {
				shares = append(shares, design.Transfer{From: i, To: owner, Begin: begin, End: end, Add: true})
				back = append(back, design.Transfer{From: owner, To: i, Begin: begin, End: end})
				whole = append(whole, design.Transfer{From: i, To: owner, End: 1, Add: true})
			}
		}
		begin = end
	}
	return []*design.Collective{
		{Algorithm: design.RingForm, Order: order},
		{Algorithm: design.TreeForm, Parent: parent, Chunks: 1},
		{Algorithm: design.TreeForm, Parent: parent, Chunks: 1 + rng.IntN(20)},
		{Algorithm: design.StepsForm, Steps: [][]design.Transfer{whole}},
		{Algorithm: design.StepsForm, Steps: [][]design.Transfer{shares, back}},
		{Algorithm: design.StepsForm, Steps: [][]design.Transfer{shares, back}, Chunks: 1 + rng.IntN(20)},
	}
}

// anyPrices are prices and groups as they come: on all resources, on few, on one.
func anyPrices(l *lines, rng *rand.Rand) *design.TimeBound {
	b := &design.TimeBound{Kind: design.PricesBound, Groups: make([][]int, 2+rng.IntN(l.n-1))}
	for k, i := range rng.Perm(l.n) {
		g := k
		if k >= len(b.Groups) {
			g = rng.IntN(len(b.Groups))
		}
		b.Groups[g] = append(b.Groups[g], i)
	}
	sum, few := 0.0, rng.Float64()
	names := slices.SortedFunc(maps.Keys(l.named), func(a, b design.HopPrice) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Side, b.Side))
	})
	for _, name := range names {
		if name.Price = rng.ExpFloat64(); rng.Float64() < few {
			b.Prices = append(b.Prices, name)
			sum += name.Price
		}
	}
	for k := range b.Prices {
		b.Prices[k].Price /= sum
	}
	return b
}

// An average that takes some time refutes every bound above it. No prices and groups may prove one, nor may the spread
// of whole messages.
func TestNoTimeBoundIsAboveAnAverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	closest := map[design.TimeBoundKind]float64{}
	for range 400 {
		c := smallHardware(t, rng)
		l := newLines(c)
		for _, way := range averages(c.Nodes(), rng) {
			k := newCheck(&design.Plan{Nodes: c.Nodes(), Kind: design.CollectiveKind, Collective: way}, c)
			steps, again := k.steps()
			price, err := k.pipelined(steps, max(1, way.Chunks))
			if err != nil {
				t.Fatal(err)
			}
			takes := price.CommunicationMS * again
			for range 20 {
				b := anyPrices(l, rng)
				ms, ok := l.byPrices(b)
				if !ok {
					continue
				}
				proved := min(ms+2*l.least(), k.allAtOnce())
				if proved > takes*(1+1e-9) {
					t.Errorf("%+v takes %v ms on %+v, but %+v proves %v", way, takes, c.Spec(), b, proved)
				}
				closest[b.Kind] = max(closest[b.Kind], proved/takes)
			}
			b := design.TimeBound{Kind: design.SpreadBound, Whole: true}
			if b.SpeaksOf(k.plan) {
				proved := l.bySpread(c.Nodes())
				if proved > takes*(1+1e-9) {
					t.Errorf("%+v takes %v ms on %+v, but its spread proves %v", way, takes, c.Spec(), proved)
				}
				closest[b.Kind] = max(closest[b.Kind], proved/takes)
			}
		}
	}
	for _, kind := range []design.TimeBoundKind{design.PricesBound, design.SpreadBound} {
		if closest[kind] < 0.9 { // the test would be idle if nothing came near
			t.Errorf("%s proves at most %.3f of what an average takes", kind, closest[kind])
		}
	}
}
