package sweep_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// Whoever watches a sweep is told of every plan it takes, the recommended one included.
func TestSweepTellsWhatItFound(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(6, 9.76))
	if err != nil {
		t.Fatal(err)
	}
	told := map[*design.Plan]bool{}
	s := sweep.Settings{Seed: 1, Evaluations: 200, Found: func(p *design.Plan) { told[p] = true }}
	sweep, err := sweep.New(t.Context(), design.Problem{Cluster: c}, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range sweep.Outcomes {
		if o.Plan != nil && !told[o.Plan] {
			t.Errorf("nobody was told of the plan of at most %d edges", o.Budget.MaxEdges)
		}
	}
	if len(told) == 0 || !told[sweep.Best()] {
		t.Errorf("%d plans were told, the recommended one is not among them", len(told))
	}
}
