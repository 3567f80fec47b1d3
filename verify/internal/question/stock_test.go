package question

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/topology"
)

// Degrees alone decide without a search: the count from above and the graph from below meet.
func TestJudgedDegrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 22))
	for range 3000 {
		n := 2 + rng.IntN(40)
		degrees := make([]int, n)
		largest := 1 + rng.IntN(n-1)
		for i := range degrees {
			degrees[i] = 1 + rng.IntN(largest)
		}
		if above, below := mostByParts(degrees), pairedUp(degrees); above != below {
			t.Fatalf("%v: no graph has more than %d edges, one of %d was found", degrees, above, below)
		}
	}
	for range 300 { // against every graph
		n := 2 + rng.IntN(4)
		degrees, pairs := make([]int, n), topology.AllPairs(n)
		for i := range degrees {
			degrees[i] = 1 + rng.IntN(n-1)
		}
		most := 0
		for set := range 1 << len(pairs) {
			left, count, ok := slices.Clone(degrees), 0, true
			for k, e := range pairs {
				if set>>k&1 == 1 {
					left[e.I]--
					left[e.J]--
					ok = ok && left[e.I] >= 0 && left[e.J] >= 0
					count++
				}
			}
			if ok {
				most = max(most, count)
			}
		}
		if got := mostByParts(degrees); got != most {
			t.Fatalf("%v: %d edges, the most is %d", degrees, got, most)
		}
	}
}
