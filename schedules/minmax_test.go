package schedules

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/cluster"
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
		shares, _ := divide(t.Context(), loads)
		if got := largest(loads, shares); math.Abs(got*rate-1) > 1e-9 || shares[n] != 0 {
			t.Errorf("%d rows: the busiest carries %v, want %v; shares %v", n, got, 1/rate, shares)
		}
	}
}

// racks are hosts of 4 GPUs behind one network card each, in two racks: nearly all hops are equal, and a simplex method
// that does not mind goes in circles.
func racks(t *testing.T, hosts int) *network {
	t.Helper()
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Model: &cluster.ModelSpec{MessageMB: new(1400.)},
		Tree: &cluster.Group{Groups: []cluster.Group{
			{Name: "rack", Count: 2, Uplink: &cluster.Link{GBs: 50}, Groups: []cluster.Group{
				{Name: "host", Count: hosts, Nodes: 4, NVSwitch: &cluster.Link{GBs: 300},
					NICs: &cluster.NICs{Count: 1, Link: cluster.Link{GBs: 12.5, LatencyMS: 0.01}}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := newNetwork(c, mostListed)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The program ends, and the busiest hop is less busy than by prices alone.
func TestTreesOfEqualHopsAreRefined(t *testing.T) {
	w := racks(t, 8)
	for _, shallow := range []float64{0, 0.5, 2, 8} {
		for _, steps := range []int{60, packSteps} {
			p, ok := w.pack(steps, shallow)
			if !ok {
				t.Fatal("no trees")
			}
			if got, before := w.busiest(w.refined(t.Context(), p)), w.busiest(p); got > before*0.999 {
				t.Errorf("penalty %v, %d steps: the busiest hop takes %v ms, before %v", shallow, steps, got, before)
			}
		}
	}
}

// Who is told to stop takes no further step and has shares all the same.
func TestDivideStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	shares, pivots := divide(ctx, [][]float64{{1, 0}, {0, 2}})
	if pivots != 0 || shares[0]+shares[1] != 1 {
		t.Errorf("%d steps, shares %v; want none, and shares of 1 in all", pivots, shares)
	}
	if _, pivots = divide(t.Context(), [][]float64{{1, 0}, {0, 2}}); pivots != 2 {
		t.Errorf("%d steps; want 2", pivots)
	}
}
