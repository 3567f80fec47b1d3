package matching

import (
	"math/rand/v2"
	"testing"
)

// bestMatching tries everything: the fewest vertices left alone.
func bestMatching(peers [][]int, matched []bool, from int) int {
	for from < len(matched) && matched[from] {
		from++
	}
	if from == len(matched) {
		return 0
	}
	matched[from] = true
	best := 1 + bestMatching(peers, matched, from+1)
	for _, u := range peers[from] {
		if !matched[u] {
			matched[u] = true
			best = min(best, bestMatching(peers, matched, from+1))
			matched[u] = false
		}
	}
	matched[from] = false
	return best
}

// Edmonds' algorithm against brute force on random graphs, odd cycles included.
func TestMaximumAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	for trial := range 300 {
		n := 2 + rng.IntN(9)
		peers, match := make([][]int, n), make([]int, n)
		for a := range n {
			match[a] = None
			for b := range a {
				if rng.IntN(3) == 0 {
					peers[a], peers[b] = append(peers[a], b), append(peers[b], a)
				}
			}
		}
		want := bestMatching(peers, make([]bool, n), 0)
		if got := Maximum(peers, match); got != want {
			t.Errorf("trial %d: %d vertices alone in %v, want %d", trial, got, peers, want)
		}
		for v, u := range match {
			if u != None && match[u] != v {
				t.Errorf("trial %d: %d is matched to %d, which is matched to %d", trial, v, u, match[u])
			}
		}
	}
}
