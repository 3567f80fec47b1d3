package scenario_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/scenario"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The spaces written down by hand here are the ones that the examples' cluster files, Algorithm 1 and
// the routes of package cluster lead to.
func TestSpacesAgreeWithTheExamples(t *testing.T) {
	for _, tc := range []struct {
		example string
		edges   int
		want    design.Space
	}{
		{"homogeneous-16", 32, scenario.Homogeneous(16, 32)},
		{"node-level-16", 16, scenario.TwoClasses(3, 1)},
		{"node-level-16", 32, scenario.TwoClasses(6, 2)},
		{"node-level-16", 48, scenario.TwoClasses(9, 3)},
		{"intra-server-8", 8, scenario.Server([7]int{1, 1, 1, 1, 1, 1, 2})},
		{"intra-server-8", 12, scenario.Server([7]int{1, 1, 1, 1, 2, 2, 4})},
		{"intra-server-8", 16, scenario.Server([7]int{1, 1, 1, 1, 3, 3, 6})},
		{"bcube-16-1to2", 24, scenario.BCube([2]int{1, 2})},
		{"bcube-16-1to2", 48, scenario.BCube([2]int{3, 3})},
	} {
		c, err := cluster.ReadFile("../../../examples/" + tc.example + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		p := design.Problem{Cluster: c, MaxEdges: tc.edges, Objective: design.Rate, Purpose: design.Consensus,
			Sign: design.NonNegative}
		got, err := feasible.PrintedSpace(t.Context(), p)
		if err != nil {
			t.Fatalf("%s, r = %d: %v", tc.example, tc.edges, err)
		}
		if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(design.Limit{}, "Name")); diff != "" {
			t.Errorf("%s, r = %d (-by hand +by file):\n%s", tc.example, tc.edges, diff)
		}
	}
}
