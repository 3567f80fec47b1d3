package verify

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

// Cuts are the components of the graphs without the candidates of one resource, whatever batches they are found in.
func TestCutsAreComponentsWithoutAResource(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	found, connected := 0, 0
	for range 1000 {
		r := randomRoutes(rng)
		var want []cut
		for l, limit := range r.limits {
			var kept []topology.Edge
			for k, e := range r.candidates {
				if !slices.Contains(limit.Edges, k) {
					kept = append(kept, e)
				}
			}
			count, of := graphOf(t, r.nodes, kept).Components()
			if _, single := limit.AtNode(); single || count == 1 {
				connected++
				continue
			}
			size, inside := make([]int, count), 0
			for _, part := range of {
				size[part]++
			}
			for _, m := range size {
				if m*(r.nodes-m) > inside*(r.nodes-inside) {
					inside = m
				}
			}
			want = append(want, cut{inside, r.limits[l].Max})
		}
		if got := r.cuts(); !slices.Equal(got, want) {
			t.Fatalf("cuts %v, want %v; candidates %v, limits %v", got, want, r.candidates, r.limits)
		}
		found += len(want)
	}
	if found < 1000 || connected < 1000 {
		t.Errorf("%d resources cut and %d do not: too few of a kind", found, connected)
	}
}

// randomRoutes returns resources of single nodes and of ranges of nodes, or any, on some of all pairs.
func randomRoutes(rng *rand.Rand) *routes {
	r := &routes{nodes: 2 + rng.IntN(12), limits: make([]design.Limit, rng.IntN(20))}
	r.candidates = slices.DeleteFunc(topology.AllPairs(r.nodes), func(topology.Edge) bool { return rng.IntN(4) == 0 })
	r.counts = make([][]int32, len(r.candidates))
	for l := range r.limits {
		limit := &r.limits[l]
		limit.Max = rng.IntN(9)
		first, last := rng.IntN(r.nodes), rng.IntN(r.nodes)
		if first == last {
			limit.Kind, limit.Node = design.NodeResource, first
		}
		within := func(i int) bool { return first <= i && i <= last }
		for k, e := range r.candidates {
			if within(e.I) != within(e.J) || first > last && rng.IntN(2) == 0 {
				limit.Edges = append(limit.Edges, k)
				r.counts[k] = append(r.counts[k], int32(l))
			}
		}
	}
	return r
}

// What it costs to recheck limits where leaves share uplinks. The cuts should take some times as long as the degrees.
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
		r := newRoutes(c).within(a.Edges)
		run := func(name string, recheck func()) {
			b.Run(fmt.Sprintf("%dx%d/%s", size.Leaves, size.Hosts, name), func(b *testing.B) {
				for b.Loop() {
					recheck()
				}
			})
		}
		run("degrees", func() { r.degrees() })
		run("cuts", func() { r.cuts() })
	}
}
