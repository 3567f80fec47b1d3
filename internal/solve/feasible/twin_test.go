package feasible_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/topology"
)

// bruteForce tries every subset of the candidates: the largest total score of a feasible
// one with the most edges, and whether there is any.
func bruteForce(space design.Space, score []float64) (best float64, edges int, ok bool) {
	m := len(space.Candidates)
	chosen := make([]bool, m)
	for set := range 1 << m {
		if count := bits.OnesCount(uint(set)); count > space.MaxEdges || count < space.Nodes-1 || count < edges {
			continue
		}
		sum := 0.0
		for k := range chosen {
			chosen[k] = set>>k&1 == 1
			if chosen[k] {
				sum += score[k]
			}
		}
		if count := bits.OnesCount(uint(set)); (!ok || count > edges || sum > best) && space.Check(chosen) == nil {
			best, edges, ok = sum, count, true
		}
	}
	return best, edges, ok
}

// randomSpace draws a small space: all pairs or some of them, and limits of a random shape.
func randomSpace(rng *rand.Rand) design.Space {
	n := 4 + rng.IntN(3)
	s := design.Space{Nodes: n, Exact: rng.IntN(2) == 0}
	for _, e := range topology.AllPairs(n) {
		if n < 6 && rng.IntN(4) > 0 || rng.IntN(3) > 0 {
			s.Candidates = append(s.Candidates, e)
		}
	}
	s.MaxEdges = min(len(s.Candidates), n-1+rng.IntN(4))
	switch rng.IntN(4) {
	case 0: // none
	case 1: // node degrees
		s.Limits = scenario.Ports(n, s.Candidates, func(int) int { return 1 + rng.IntN(3) })
	case 2: // a partition
		for range 3 {
			s.Limits = append(s.Limits, design.Limit{Name: fmt.Sprintf("class %d", len(s.Limits)), Max: 1 + rng.IntN(4)})
		}
		for k := range s.Candidates {
			l := &s.Limits[rng.IntN(3)]
			l.Edges = append(l.Edges, k)
		}
	case 3: // anything
		for range 1 + rng.IntN(4) {
			l := design.Limit{Name: fmt.Sprintf("resource %d", len(s.Limits)), Max: rng.IntN(5)}
			for k := range s.Candidates {
				if rng.IntN(3) == 0 {
					l.Edges = append(l.Edges, k)
				}
			}
			s.Limits = append(s.Limits, l)
		}
	}
	return s
}

// New must find a possible choice exactly when there is one, and Round must come close to
// the best: always when there are no limits, nearly always otherwise.
func TestAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	possible, refuted, optimal, lost := 0, 0, 0, 0.0
	for trial := range 400 {
		space := randomSpace(rng)
		if space.Validate() != nil {
			continue
		}
		score := make([]float64, len(space.Candidates))
		for k := range score {
			score[k] = rng.Float64()
		}
		want, edges, ok := bruteForce(space, score)
		r, err := feasible.New(context.Background(), space)
		if !ok {
			if !errors.Is(err, feasible.ErrInfeasible) {
				t.Errorf("trial %d: no choice is possible, but New says %v for %+v", trial, err, space)
			}
			refuted++
			continue
		}
		if err != nil {
			t.Errorf("trial %d: a choice of %d edges is possible, but New says %v for %+v", trial, edges, err, space)
			continue
		}
		possible++
		s := r.Round(score)
		if err := space.Check(s.Chosen()); err != nil {
			t.Errorf("trial %d: Round: %v", trial, err)
		}
		got := s.Score(score)
		switch {
		case s.Count() == edges && math.Abs(got-want) < 1e-9:
			optimal++
		case len(space.Limits) == 0:
			t.Errorf("trial %d: without limits greedy must be optimal: got %v with %d edges, want %v with %d",
				trial, got, s.Count(), want, edges)
		default:
			lost = max(lost, 1-got/want)
		}
	}
	t.Logf("%d possible spaces, %d refuted; best score reached in %d, at worst %.1f %% below",
		possible, refuted, optimal, 100*lost)
	if optimal*10 < possible*9 {
		t.Errorf("the best score was reached in only %d of %d spaces", optimal, possible)
	}
}
