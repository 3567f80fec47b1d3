package advise_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/subset"
)

// computing is a cluster of nodes that compute that long.
func computing(t *testing.T, ms ...float64) *cluster.Cluster {
	t.Helper()
	spec := cluster.Homogeneous(len(ms), 0.5)
	spec.Format = cluster.FormatV2
	spec.Model = &cluster.ModelSpec{MessageMB: ptr(100.0), NodeComputeMS: ms}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Shares sum to 1, are whole parts of a batch, and make all nodes compute nearly as long.
func TestSharesAreInProportionToSpeed(t *testing.T) {
	for _, ms := range [][]float64{{100, 200}, {100, 100, 300}, {90, 100, 110, 4000}, {1, 1e6, 1e6}, {7, 5, 3, 2, 11, 13}} {
		shares, sum, longest, speeds := subset.Shares(computing(t, ms...)), 0.0, 0.0, 0.0
		for i, share := range shares {
			units := share * subset.SharesPerNode * float64(len(ms))
			if units != math.Round(units) || units < 1 {
				t.Errorf("%v: share %v is %v parts", ms, share, units)
			}
			sum += share
			speeds += 1 / ms[i]
			if units > 1 {
				longest = max(longest, share*float64(len(ms))*ms[i])
			}
		}
		// A part of a share more than exact is at most that much longer.
		if even := float64(len(ms)) / speeds; sum != 1 || longest > even+slices.Max(ms)/subset.SharesPerNode {
			t.Errorf("%v: shares %v sum to %v and take %v ms; %v would be even", ms, shares, sum, longest, even)
		}
	}
	if shares := subset.Shares(computing(t, 100, 100, 101)); shares != nil {
		t.Errorf("nodes that are equally fast have shares %v", shares)
	}
}

// With Balance every plan weights nodes by their batches and passes the checker, gossip is refused with the reason,
// and iterations take as long as the balanced nodes compute.
func TestBalancedPlansWeightNodes(t *testing.T) {
	c := computing(t, 100, 100, 100, 300)
	for _, o := range []batopo.Options{{Balance: true}, {Balance: true, Wire: design.BF16}, {Balance: true, Every: 4},
		{Balance: true, Optimizer: advise.SGD}} {
		a, err := batopo.Advise(t.Context(), c, o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		if !slices.Equal(a.Plan.BatchWeights, subset.Shares(c)) {
			t.Errorf("%s: weights %v, want %v", a.Advice.Recommended.Name, a.Plan.BatchWeights, subset.Shares(c))
		}
		if _, err := batopo.Check(t.Context(), a.Plan); err != nil {
			t.Errorf("%s: %v", a.Advice.Recommended.Name, err)
		}
		if a.Advice.ComputeMS >= 200 {
			t.Errorf("a balanced node computes %v ms", a.Advice.ComputeMS)
		}
		for _, k := range a.Advice.All {
			if k.Plan != nil && k.Plan.Kind == design.GossipKind {
				t.Errorf("%s is compared", k.Name)
			}
		}
		if !slices.ContainsFunc(a.Advice.Skipped, func(s batopo.Skipped) bool {
			return strings.Contains(s.Err.Error(), "average all nodes with equal weight")
		}) {
			t.Errorf("nothing says why graphs are not compared: %v", a.Advice.Skipped)
		}
	}
}
