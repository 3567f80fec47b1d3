package mixing

import (
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/topology"
)

// TestMisraGriesAlone exercises the guaranteed method on graphs that the first
// attempt with Δ colours would usually have finished.
func TestMisraGriesAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for trial := range 200 {
		n := 2 + rng.IntN(30)
		var edges []topology.Edge
		density := rng.Float64()
		for _, e := range topology.AllPairs(n) {
			if rng.Float64() < density {
				edges = append(edges, e)
			}
		}
		rng.Shuffle(len(edges), func(a, b int) { edges[a], edges[b] = edges[b], edges[a] })
		degree := make([]int, n)
		most := 0
		for _, e := range edges {
			degree[e.I]++
			degree[e.J]++
			most = max(most, degree[e.I], degree[e.J])
		}
		c := newColoring(n, edges, most+1)
		for e := range edges {
			c.misraGries(e)
			for _, v := range []int{edges[e].I, edges[e].J} {
				for color := range c.count {
					seen := 0
					for _, f := range c.incident(v) {
						if c.color[f] == color {
							seen++
						}
					}
					if seen > 1 {
						t.Fatalf("trial %d: after edge %d (%v) colour %d meets itself in node %d; edges %v",
							trial, e, edges[e], color, v, edges)
					}
				}
			}
		}
		for e, color := range c.color {
			if color == none {
				t.Fatalf("trial %d: edge %v has no colour", trial, edges[e])
			}
		}
	}
}
