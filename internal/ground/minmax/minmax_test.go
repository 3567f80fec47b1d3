package minmax

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// largest is the load of the busiest row.
func largest(loads [][]float64, shares []float64) float64 {
	most := 0.0
	for _, row := range loads {
		sum := 0.0
		for c, s := range shares {
			sum += s * row[c]
		}
		most = max(most, sum)
	}
	return most
}

// Columns that load one row each are divided in proportion to 1/load, so that all rows are equally busy.
func TestDivideEvensOutWhatRowsCarry(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		n, rate := 2+rng.IntN(12), 0.0
		loads := make([][]float64, n)
		for r := range loads {
			loads[r] = make([]float64, n+1)
			loads[r][r] = 1 + rng.Float64()
			loads[r][n] = 5 // a column that is worse than any
			rate += 1 / loads[r][r]
		}
		shares, _ := Divide(t.Context(), loads)
		if got := largest(loads, shares); math.Abs(got*rate-1) > 1e-9 || shares[n] != 0 {
			t.Errorf("%d rows: the busiest carries %v, want %v; shares %v", n, got, 1/rate, shares)
		}
	}
}

// After a cancellation no further step is taken, and there are shares all the same.
func TestDivideStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	shares, pivots := Divide(ctx, [][]float64{{1, 0}, {0, 2}})
	if pivots != 0 || shares[0]+shares[1] != 1 {
		t.Errorf("%d steps, shares %v; want none, and shares of 1 in all", pivots, shares)
	}
	if _, pivots = Divide(t.Context(), [][]float64{{1, 0}, {0, 2}}); pivots != 2 {
		t.Errorf("%d steps; want 2", pivots)
	}
}
