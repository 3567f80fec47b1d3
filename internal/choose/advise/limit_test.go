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
		limit limit
		fits  bool
	}{{limit{edges: 2}, false}, {limit{edges: 3}, true}, {limit{degree: 1}, true}} {
		if err := tc.limit.check(p); (err == nil) != tc.fits || err != nil && !errors.Is(err, ErrLimit) {
			t.Errorf("%+v: %v, want that it fits: %t", tc.limit, err, tc.fits)
		}
	}
}
