package sweep_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// Found is called with every plan that a sweep takes, the recommended one included.
func TestSweepTellsWhatItFound(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(6, 9.76))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[*design.Plan]bool{}
	s := sweep.Settings{Seed: 1, Evaluations: 200, Found: func(p *design.Plan) { seen[p] = true }}
	sweep, err := sweep.New(t.Context(), design.Problem{Cluster: c}, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range sweep.Outcomes {
		if o.Plan != nil && !seen[o.Plan] {
			t.Errorf("Found was not called with the plan of at most %d edges", o.Budget.MaxEdges)
		}
	}
	if len(seen) == 0 || !seen[sweep.Best()] {
		t.Errorf("%d plans were found, the recommended one is not among them", len(seen))
	}
}
