package consensus

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/batopo/batopo/mixing"
)

// shifted is a round of 5 groups of 3 nodes: every node takes a third of the mean of the group that is so many places
// further, and the rest of the mean of its own.
func shifted(t *testing.T, places int) *mixing.Matrix {
	t.Helper()
	const groups, size = 5, 3
	w := mat.NewDense(groups*size, groups*size, nil)
	for i := range groups * size {
		for j := range groups * size {
			switch j % groups {
			case i % groups:
				w.Set(i, j, 2.0/3/size)
			case (i + places) % groups:
				w.Set(i, j, 1.0/3/size)
			}
		}
	}
	m, err := mixing.FromDense(w)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestNodesAlikeAreMerged(t *testing.T) {
	rounds := []*mixing.Matrix{shifted(t, 1), shifted(t, 2)}
	alike := Alike(rounds...)
	if alike.Count() != 5 {
		t.Fatalf("%d classes; want the 5 groups", alike.Count())
	}
	for _, every := range []int{1, 3} {
		const gamma, periods = 0.9, 40
		a, b := alike.variance(rounds, every, gamma, periods), plainVariance(rounds, every, gamma, periods)
		if math.Abs(a-b) > 1e-12*b {
			t.Errorf("H = %d: a variance of %v by classes, %v by nodes", every, a, b)
		}
	}
	var all mat.Eigen
	if !all.Factorize(rounds[0].Dense(), mat.EigenNone) {
		t.Fatal("no eigenvalues")
	}
	want := math.Inf(1)
	for _, v := range all.Values(nil) {
		want = min(want, real(v))
	}
	if got, err := LeastEigenvalue(t.Context(), rounds[0]); err != nil || math.Abs(got-want) > 1e-9 {
		t.Errorf("least real part %v, %v by classes, %v by nodes", got, err, want)
	}
}

// Nodes of which one round tells them apart are not alike.
func TestOtherRowsAreNotMerged(t *testing.T) {
	w, err := mixing.FromArcs(15, []mixing.Arc{{From: 0, To: 5, Weight: 0.5}, {From: 5, To: 0, Weight: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	if got := Alike(shifted(t, 1), w).Count(); got != 15-1 {
		t.Errorf("%d classes; want 14: only nodes 0 and 5 take the same", got)
	}
}
