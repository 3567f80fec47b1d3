package work

import (
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// For hierarchical averaging the rounds between groups are drawn, with who averages inside each.
func TestSketchOfTwoLevels(t *testing.T) {
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
	s := sketch(c, p)
	if s == nil || s.Nodes != 2 || len(s.Rounds) != 1 || len(s.Rounds[0].Edges) == 0 || s.Rounds[0].Self[0] != 0.75 ||
		!slices.Equal(s.Inside[1], []string{"1", "3"}) {
		t.Errorf("the sketch is %+v", s)
	}
}
