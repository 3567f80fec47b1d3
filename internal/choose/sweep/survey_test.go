package sweep_test

import (
	"reflect"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// A survey for training finds the same graphs for every message, compute time and speed of links. So they can be
// compared for other numbers without another survey. New, which solves only what may win, does not.
func TestSurveysFindTheSameGraphsAtAnySpeed(t *testing.T) {
	for _, spec := range []cluster.Spec{cluster.Homogeneous(7, 10),
		{Format: cluster.Format, Nodes: 6, Bandwidth: cluster.Numbers{9, 9, 9, 3, 3, 3}}} {
		graphs := func(messageMB, computeMS, latencyMS float64) (out [][]design.PlanEdge) {
			spec.LatencyMS, spec.Model = latencyMS, &cluster.ModelSpec{MessageMB: &messageMB, ComputeMS: &computeMS}
			c, err := cluster.New(spec)
			if err != nil {
				t.Fatal(err)
			}
			s, err := sweep.Unsearched(c, 1, "").Survey(t.Context(), design.Problem{Cluster: c, Purpose: design.Training},
				sweep.Settings{Seed: 1, Evaluations: 300})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range s.Outcomes {
				if o.Plan != nil {
					out = append(out, o.Plan.Edges())
				}
			}
			return out
		}
		want := graphs(50, 15, 0)
		if len(want) < 3 {
			t.Fatalf("only %d graphs", len(want))
		}
		for _, other := range [][3]float64{{500, 15, 0}, {1, 200, 0}, {50, 0.1, 3}} {
			if got := graphs(other[0], other[1], other[2]); !reflect.DeepEqual(got, want) {
				t.Errorf("%d nodes, %v: %d graphs; want the same %d", spec.Nodes, other, len(got), len(want))
			}
		}
	}
}
