package question

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
		var want []Cut
		for l, limit := range r.Limits {
			var kept []topology.Edge
			for k, e := range r.Candidates {
				if !slices.Contains(limit.Edges, k) {
					kept = append(kept, e)
				}
			}
			count, of := graphOf(t, r.Nodes, kept).Components()
			if _, single := limit.AtNode(); single || count == 1 {
				connected++
				continue
			}
			size, inside := make([]int, count), 0
			for _, part := range of {
				size[part]++
			}
			for _, m := range size {
				if m*(r.Nodes-m) > inside*(r.Nodes-inside) {
					inside = m
				}
			}
			want = append(want, Cut{inside, r.Limits[l].Max})
		}
		if got := r.Cuts(); !slices.Equal(got, want) {
			t.Fatalf("cuts %v, want %v; candidates %v, limits %v", got, want, r.Candidates, r.Limits)
		}
		found += len(want)
	}
	if found < 1000 || connected < 1000 {
		t.Errorf("%d resources cut and %d do not: too few of a kind", found, connected)
	}
}

// randomRoutes returns resources of single nodes and of ranges of nodes, or any, on some of all pairs.
func randomRoutes(rng *rand.Rand) *Routes {
	r := &Routes{Nodes: 2 + rng.IntN(12), Limits: make([]design.Limit, rng.IntN(20))}
	r.Candidates = slices.DeleteFunc(topology.AllPairs(r.Nodes), func(topology.Edge) bool { return rng.IntN(4) == 0 })
	r.Counts = make([][]int32, len(r.Candidates))
	for l := range r.Limits {
		limit := &r.Limits[l]
		limit.Max = rng.IntN(9)
		first, last := rng.IntN(r.Nodes), rng.IntN(r.Nodes)
		if first == last {
			limit.Kind, limit.Node = design.NodeResource, first
		}
		within := func(i int) bool { return first <= i && i <= last }
		for k, e := range r.Candidates {
			if within(e.I) != within(e.J) || first > last && rng.IntN(2) == 0 {
				limit.Edges = append(limit.Edges, k)
				r.Counts[k] = append(r.Counts[k], int32(l))
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
		r := NewRoutes(c).Within(a.Edges)
		run := func(name string, recheck func()) {
			b.Run(fmt.Sprintf("%dx%d/%s", size.Leaves, size.Hosts, name), func(b *testing.B) {
				for b.Loop() {
					recheck()
				}
			})
		}
		run("degrees", func() { r.Degrees() })
		run("cuts", func() { r.Cuts() })
	}
}
