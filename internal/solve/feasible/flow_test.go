package feasible

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/topology"
)

// The flow gives the best choice under the limits alone (connectedness comes later): the
// most edges, and among those the largest score, as found by trying everything.
func TestTransportIsOptimalUnderTheLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for trial := range 100 {
		space := bipartiteSpace(rng)
		ix := newIndex(space)
		tr := ix.transportOf()
		if tr == nil {
			t.Fatalf("trial %d: limits of a bipartite graph are not seen to be a transport problem", trial)
		}
		m := len(space.Candidates)
		score := make([]float64, m)
		for k := range score {
			score[k] = rng.NormFloat64()
		}
		s := ix.empty()
		tr.best(s, score)
		if s.violation() != 0 {
			t.Errorf("trial %d: the flow breaks a limit by %d", trial, s.violation())
		}
		edges, best := 0, 0.0
		for set := range 1 << m {
			count, sum := bits.OnesCount(uint(set)), 0.0
			if count > space.MaxEdges || count < edges {
				continue
			}
			try := ix.empty()
			for k := range m {
				if set>>k&1 == 1 {
					try.add(k)
					sum += score[k]
				}
			}
			if try.violation() == 0 && (count > edges || sum > best) {
				edges, best = count, sum
			}
		}
		if s.Count() != edges || s.Score(score) < best-1e-9 {
			t.Errorf("trial %d: %d edges of score %v, want %d of %v", trial, s.Count(), s.Score(score), edges, best)
		}
	}
}

func bipartiteSpace(rng *rand.Rand) design.Space {
	left, right := 2+rng.IntN(2), 2+rng.IntN(2)
	space := design.Space{Nodes: left + right}
	for i := range left {
		for j := range right {
			space.Candidates = append(space.Candidates, topology.Edge{I: i, J: left + j})
		}
	}
	space.MaxEdges = 1 + rng.IntN(len(space.Candidates))
	space.Limits = scenario.Ports(space.Nodes, space.Candidates, func(int) int { return 1 + rng.IntN(3) })
	return space
}

func TestOddCyclesOfLimitsAreNoTransportProblem(t *testing.T) {
	space := design.Space{Nodes: 3, Candidates: topology.AllPairs(3), MaxEdges: 3}
	space.Limits = scenario.Ports(3, space.Candidates, func(int) int { return 2 })
	if newIndex(space).transportOf() != nil {
		t.Error("a triangle was taken for a bipartite graph")
	}
}
