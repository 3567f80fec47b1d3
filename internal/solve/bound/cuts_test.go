package bound

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/topology"
)

// Cuts are those that are found when one limit after the other is taken out.
func TestCutsAreThoseOfOneLimitAtATime(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	some, none, halves := 0, 0, 0
	for trial := range 2000 {
		s := randomSharing(rng)
		got, want := s.cuts(), cutsOneByOne(s)
		if !slices.Equal(got, want) {
			t.Fatalf("trial %d: cuts %+v, one limit at a time %+v; candidates %v, limits %v", trial, got, want, s.candidates,
				s.limits)
		}
		some += len(want)
		none += len(s.limits) - len(want)
		for _, c := range want {
			if 2*c.Inside > s.n {
				halves++
			}
		}
	}
	if some < 1000 || none < 1000 || halves < 100 {
		t.Errorf("%d limits cut, %d with the larger part named, and %d do not: too few of a kind", some, halves, none)
	}
}

// randomSharing returns limits on some or all pairs: on what leaves groups of nodes, or on any candidates.
func randomSharing(rng *rand.Rand) *sharing {
	n := 2 + rng.IntN(12)
	candidates := slices.DeleteFunc(topology.AllPairs(n), func(topology.Edge) bool { return rng.IntN(4) == 0 })
	limits := make([]design.Limit, rng.IntN(20))
	for l := range limits {
		limits[l] = design.Limit{Name: fmt.Sprint(l), Max: rng.IntN(4)}
		if rng.IntN(5) == 0 {
			limits[l].Kind, limits[l].Node = design.NodeResource, rng.IntN(n)
		}
		first, last, loose := rng.IntN(n), rng.IntN(n), rng.IntN(3) == 0
		inside := func(i int) bool { return first <= i && i <= last || i == limits[l].Node }
		for k, e := range candidates {
			if loose && rng.IntN(2) == 0 || !loose && inside(e.I) != inside(e.J) {
				limits[l].Edges = append(limits[l].Edges, k)
			}
		}
	}
	return newSharing(n, candidates, limits)
}

func cutsOneByOne(s *sharing) (cuts []Cut) {
	for l, limit := range s.limits {
		if _, single := limit.AtNode(); single {
			continue
		}
		best := 0
		parts := s.without([]int{l})
		for _, nodes := range parts {
			if size := len(nodes); size*(s.n-size) > best*(s.n-best) {
				best = size
			}
		}
		if len(parts) > 1 {
			cuts = append(cuts, Cut{Name: limit.Name, Inside: best, Edges: limit.Max})
		}
	}
	return cuts
}

// What it costs to derive limits where leaves share uplinks: 512 hosts on few leaves and on many, and twice as many.
// The cuts should take a few times as long as the degrees.
func BenchmarkCuts(b *testing.B) {
	for _, size := range []cluster.LeafSpine{{Leaves: 16, Hosts: 32}, {Leaves: 256, Hosts: 2}, {Leaves: 512, Hosts: 2}} {
		size.Host, size.Uplink = 12, 24
		c, err := cluster.New(cluster.Spec{LeafSpine: &size})
		if err != nil {
			b.Fatal(err)
		}
		a, err := feasible.On(c).Allocate(b.Context(), 2*c.Nodes())
		if err != nil {
			b.Fatal(err)
		}
		s := newSharing(c.Nodes(), c.Candidates(), design.ResourceLimits(c, a.Edges))
		run := func(name string, derive func()) {
			b.Run(fmt.Sprintf("%dx%d/%s", size.Leaves, size.Hosts, name), func(b *testing.B) {
				for b.Loop() {
					derive()
				}
			})
		}
		run("degrees", func() { s.degrees() })
		run("cuts", func() { s.cuts() })
		run("gates", func() { s.gates(2 * s.n) })
	}
}
