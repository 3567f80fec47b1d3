package advise

import (
	"errors"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// Two groups of three nodes that talk are three pairs of nodes, not one.
func TestPairsBetweenGroupsAreThoseOfTheirMembers(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(6, 1))
	if err != nil {
		t.Fatal(err)
	}
	s, err := mixing.OnePeerHypercube(2)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := design.NewTwoLevelPlan(t.Context(), c, [][]int{{0, 1, 2}, {3, 4, 5}}, s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProcess(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		setting Setting
		fits    bool
	}{{Setting{MaxEdges: 2}, false}, {Setting{MaxEdges: 3}, true}, {Setting{MaxDegree: 1}, true}} {
		if err := tc.setting.within(p); (err == nil) != tc.fits || err != nil && !errors.Is(err, ErrLimit) {
			t.Errorf("%+v: %v, want that it fits: %t", tc.setting, err, tc.fits)
		}
	}
}
