package schedules

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/verify"
)

// Rounds that are too much for a line run in parts, and end with the average all the same.
func TestRoundsAreDividedWhereCapsDemandIt(t *testing.T) {
	for _, c := range []struct{ nodes, most, rounds int }{{4, 1, 4}, {8, 1, 12}, {8, 2, 6}, {8, 3, 6}, {6, 1, 9}} {
		spec := cluster.Spec{Format: cluster.Format, Nodes: c.nodes,
			Resources: []cluster.ResourceSpec{{Name: "line", GBs: 1, MaxEdges: c.most}}}
		for i := range c.nodes {
			for j := range i {
				spec.Routes = append(spec.Routes, cluster.RouteSpec{Pair: []int{j, i}, Over: []string{"line"}})
			}
		}
		hub, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		s := Settings{Seed: 1, Evaluations: 500}
		found, err := Search(t.Context(), Problem{Cluster: hub, Exact: true}, s)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		plan, err := found.Plan(t.Context(), hub, s)
		if err != nil {
			t.Fatal(err)
		}
		if report, err := verify.Check(t.Context(), plan); err != nil || report.Err() != nil {
			t.Errorf("%+v: %v, %v", c, err, report.Err())
		}
		if len(plan.Rounds) != c.rounds || plan.Iterations > c.rounds {
			t.Errorf("%+v: %s, %d rounds, %d to the target", c, found.Name, len(plan.Rounds), plan.Iterations)
		}
	}
}
