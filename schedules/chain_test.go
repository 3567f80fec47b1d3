package schedules

import (
	"fmt"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// No exact schedule is known for nodes in a chain, and none arrives in a few periods where one link is slow; one that
// arrives is found all the same, however few are looked at.
func TestNodesInAChainFindASchedule(t *testing.T) {
	spec := cluster.Spec{Format: cluster.Format, Nodes: 4}
	for k, gbs := range []float64{1, 1, 0.01} {
		name := fmt.Sprintf("link %d", k)
		spec.Resources = append(spec.Resources, cluster.ResourceSpec{Name: name, GBs: gbs})
		spec.Routes = append(spec.Routes, cluster.RouteSpec{Pair: []int{k, k + 1}, Over: []string{name}})
	}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, evaluations := range []int{300, 5000} {
		for _, positive := range []bool{false, true} {
			s := Settings{Seed: 1, Evaluations: evaluations}
			found, err := Search(t.Context(), Problem{Cluster: c, Positive: positive}, s)
			if err != nil {
				t.Errorf("%d evaluations, positive %v: %v", evaluations, positive, err)
				continue
			}
			plan, err := found.Plan(t.Context(), c, s)
			if err != nil || plan.Iterations == 0 {
				t.Errorf("%d evaluations, positive %v: %v; it never arrives", evaluations, positive, err)
			}
		}
	}
}
