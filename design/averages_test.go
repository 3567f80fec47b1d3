package design_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// Hierarchical averaging averages inside groups first: W ⊗ J between nodes, in the order of the groups.
func TestAveragesOfTwoLevels(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromArcs(2, []mixing.Arc{{From: 0, To: 1, Weight: 0.25}, {From: 1, To: 0, Weight: 0.25}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewTwoLevelPlan(t.Context(), c, [][]int{{0, 2}, {1, 3}}, mixing.Static(w))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Averages()
	if err != nil {
		t.Fatal(err)
	}
	x, y := []float64{1, 10, 3, 30}, make([]float64, 4)
	s.Rounds[0].Apply(y, x)
	for i, want := range []float64{6.5, 15.5, 6.5, 15.5} { // ¾·2 + ¼·20 and the reverse
		if math.Abs(y[i]-want) > 1e-12 {
			t.Errorf("node %d: %v, want %v", i, y[i], want)
		}
	}
	// Half a message to the other of the group, twice, and half of one to the counterpart in between.
	traffic, err := p.Traffic()
	if err != nil {
		t.Fatal(err)
	}
	inside, _ := traffic.At(0, 2)
	between, _ := traffic.At(0, 1)
	if none, _ := traffic.At(0, 3); math.Abs(inside-2*between) > 1e-12 || none != 0 {
		t.Errorf("inside %v, between %v, across %v", inside, between, none)
	}
}
