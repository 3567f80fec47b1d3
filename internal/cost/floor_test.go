package cost_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/internal/cost"
)

// No simulated iteration is shorter than the floor, with any H, delay and links; where nobody waits, none is longer.
func TestFloorIsBelowTheMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 6
	for range 200 {
		ring := cost.Exchange{Peers: make([][]int, n), PairMS: make([][]float64, n)}
		compute := cost.Compute{MS: make([]float64, n), JitterMS: make([]float64, n)}
		for i := range n {
			compute.MS[i] = 1 + 9*rng.Float64()
			ring.Peers[i] = []int{(i + 1) % n, (i + n - 1) % n}
			ring.PairMS[i] = []float64{20 * rng.Float64(), 20 * rng.Float64()}
			ring.MS = max(ring.MS, ring.PairMS[i][0], ring.PairMS[i][1])
		}
		rounds := [][]cost.Exchange{{ring}, {{MS: 20 * rng.Float64()}}, {ring, {MS: 3}}}
		p := cost.Process{Nodes: n, Rounds: rounds[rng.IntN(3)], Every: 1 + rng.IntN(4)}
		p.Delay = rng.IntN(p.Every + 1)
		if p.Delay == 0 && rng.IntN(2) == 0 {
			p.Groups = [][]int{{0, 1, 2}, {3, 4, 5}}
			p.Buckets = []cost.Bucket{{Share: 0.25, MS: 4 * rng.Float64(), Count: 2}, {Share: 0.5, MS: 1}}
		}
		mean, err := p.MeanOver(compute.Draws(0), 0)
		if err != nil {
			t.Fatal(err)
		}
		if floor := p.Floor(compute); floor > mean*(1+1e-9) {
			t.Errorf("%+v with %v: %v ms, below the floor of %v", p, compute.MS, mean, floor)
		}
	}
	for _, deviation := range []float64{0.3, 1} { // one slow node that varies, among many that wait for it
		for slow := range 12 {
			const n = 640
			compute := cost.Compute{MS: slices.Repeat([]float64{10}, n), JitterMS: make([]float64, n)}
			compute.MS[slow], compute.JitterMS[slow] = 100, 100*deviation
			p := cost.Process{Nodes: n, Every: 1, Rounds: []cost.Exchange{{MS: 5}}}
			mean, err := p.MeanOver(compute.Draws(1), 0)
			if floor := p.Floor(compute); err != nil || floor > mean {
				t.Errorf("node %d varies by %v: %v ms (%v), below the floor of %v", slow, deviation, mean, err, floor)
			}
		}
	}
	still := cost.Compute{MS: []float64{10}, JitterMS: []float64{0}}
	alone := cost.Process{Nodes: 1, Every: 3, Delay: 2, Rounds: []cost.Exchange{{MS: 50}}}
	if mean, err := alone.MeanOver(still.Draws(0), 0); err != nil ||
		mean != alone.Floor(still) {
		t.Errorf("one node takes %v ms (%v), its floor is %v", mean, err, alone.Floor(still))
	}
}
