package mixing_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/mat"
)

// periodError multiplies the dense matrices of one period: the slow twin of Rate. It
// returns the largest entry of |product − J|.
func periodError(s *mixing.Schedule) float64 {
	n := s.Nodes()
	product := mat.NewDense(n, n, nil)
	for i := range n {
		product.Set(i, i, 1)
	}
	for _, w := range s.Rounds {
		var next mat.Dense
		next.Mul(w.Dense(), product)
		product = &next
	}
	worst := 0.0
	for i := range n {
		for j := range n {
			worst = max(worst, math.Abs(product.At(i, j)-1/float64(n)))
		}
	}
	return worst
}

// smooth reports whether no prime factor of n exceeds limit.
func smooth(n, limit int) bool {
	for f := 2; f <= limit; f++ {
		for n%f == 0 {
			n /= f
		}
	}
	return n == 1
}

// TestExactSchedules holds for n = 2 … 128 what the definitions promise: the
// product of a period is J, no round has more than k peers, no weight is negative.
func TestExactSchedules(t *testing.T) {
	check := func(n, k int, s *mixing.Schedule, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("n = %d, k = %d: %v", n, k, err)
			return
		}
		if e := periodError(s); e > 1e-12 {
			t.Errorf("%s, n = %d, k = %d: product of %d rounds differs from J by %g", s.Name, n, k, len(s.Rounds), e)
		}
		if d := s.MaxDegree(); d > k {
			t.Errorf("%s, n = %d, k = %d: a round has degree %d", s.Name, n, k, d)
		}
		for r, w := range s.Rounds {
			if !w.Nonnegative() {
				t.Errorf("%s, n = %d, k = %d: round %d has a negative weight", s.Name, n, k, r)
			}
		}
		if rate, err := s.Rate(context.Background()); rate != 0 || err != nil {
			t.Errorf("%s, n = %d, k = %d: rate %v, error %v; want 0", s.Name, n, k, rate, err)
		}
	}
	for n := 2; n <= 128; n++ {
		for _, k := range []int{1, 2, 3, 4, 7} {
			if k > n-1 {
				continue
			}
			s, err := mixing.Base(n, k)
			check(n, k, s, err)
			if smooth(n, k+1) {
				s, err = mixing.HyperHypercube(n, k)
				check(n, k, s, err)
			} else if s, err := mixing.HyperHypercube(n, k); err == nil {
				t.Errorf("hyper-hypercube on %d nodes, k = %d: %d rounds; want an error", n, k, len(s.Rounds))
			}
		}
		exponential, err := mixing.OnePeerExponential(n)
		if err != nil {
			t.Fatal(err)
		}
		if bits.OnesCount(uint(n)) == 1 {
			check(n, 1, exponential, nil)
			s, err := mixing.OnePeerHypercube(n)
			check(n, 1, s, err)
			if len(s.Rounds) != bits.Len(uint(n))-1 || len(exponential.Rounds) != len(s.Rounds) {
				t.Errorf("n = %d: %d hypercube and %d exponential rounds, want log₂ n", n, len(s.Rounds), len(exponential.Rounds))
			}
		} else {
			if rate, err := exponential.Rate(context.Background()); rate == 0 || err != nil {
				t.Errorf("one-peer exponential, n = %d: rate %v, error %v; it is exact for powers of 2 only", n, rate, err)
			}
			if s, err := mixing.OnePeerHypercube(n); err == nil {
				t.Errorf("one-peer hypercube on %d nodes: %d rounds; want an error", n, len(s.Rounds))
			}
		}
	}
}

// TestBaseLengths holds the lengths that the published Base-(k+1) graphs have
// (Takezawa et al. 2023, and their program).
func TestBaseLengths(t *testing.T) {
	want := map[int]map[int]int{ // k → n → rounds
		1: {2: 1, 3: 3, 4: 2, 5: 5, 6: 4, 7: 5, 8: 3, 10: 6, 12: 5, 16: 4, 17: 9, 22: 8, 25: 9, 32: 5, 33: 11, 48: 7, 64: 6,
			100: 11},
		2: {5: 3, 6: 2, 25: 6, 32: 5, 100: 8},
		4: {25: 2, 100: 3},
	}
	for k, lengths := range want {
		for n, length := range lengths {
			s, err := mixing.Base(n, k)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Rounds) != length {
				t.Errorf("Base-%d on %d nodes: %d rounds, want %d", k+1, n, len(s.Rounds), length)
			}
		}
	}
	// The paper's upper limit, 2 log_{k+1} n + 2.
	for _, k := range []int{1, 2, 3, 5} {
		for n := k + 1; n <= 160; n++ {
			s, err := mixing.Base(n, k)
			if err != nil {
				t.Fatal(err)
			}
			if limit := 2*math.Log(float64(n))/math.Log(float64(k+1)) + 2; float64(len(s.Rounds)) > limit {
				t.Errorf("Base-%d on %d nodes: %d rounds, more than 2 log n + 2 = %.2f", k+1, n, len(s.Rounds), limit)
			}
		}
	}
}

func TestHyperHypercubeUsesFewestFactors(t *testing.T) {
	for _, c := range []struct{ n, k, rounds int }{{6, 2, 2}, {12, 3, 2}, {24, 5, 2}, {36, 5, 2}, {16, 2, 4}, {128, 7, 3},
		{100, 9, 2}, {90, 9, 2}} {
		s, err := mixing.HyperHypercube(c.n, c.k)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Rounds) != c.rounds {
			t.Errorf("hyper-hypercube on %d nodes, k = %d: %d rounds, want %d", c.n, c.k, len(s.Rounds), c.rounds)
		}
	}
}

func ExampleBase() {
	s, err := mixing.Base(6, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for t, w := range s.Rounds {
		edges, weights := w.Edges()
		fmt.Printf("round %d:", t)
		for k, e := range edges {
			fmt.Printf(" %d–%d %.3g", e.I, e.J, weights[k])
		}
		fmt.Println()
	}
	rate, err := s.Rate(context.Background())
	fmt.Println("exact:", rate == 0, err)
	// Output:
	// round 0: 0–1 0.5 3–4 0.5
	// round 1: 0–2 0.667 3–5 0.667
	// round 2: 0–1 0.5 3–4 0.5
	// round 3: 0–3 0.5 1–4 0.5 2–5 0.5
	// exact: true <nil>
}
