package planner_test

import (
	"fmt"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
)

// On servers of a few nodes all graphs with their best weights are tried: none is below the bound, and two cliques
// joined by a bridge attain it, whatever the weights may be.
func TestGatewaysAgainstBruteForce(t *testing.T) {
	half, gateways := 0.5, 0
	lowest := map[string]*float64{"": nil, ", W ⪰ 0": new(float64), ", W ⪰ ½": &half}
	for _, s := range []struct {
		servers, nodes, card, edges int
		attained                    bool
	}{{2, 3, 1, 7, true}, {2, 3, 2, 8, false}, {2, 3, 3, 7, false}, {3, 2, 2, 6, false}} {
		c := built(t, cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{
			Name: "server", Count: s.servers, Nodes: s.nodes, NVSwitch: &cluster.Link{GBs: 1000},
			NICs: &cluster.NICs{Link: cluster.Link{GBs: 1, MaxEdges: s.card}}}}}})
		for _, sign := range []design.Sign{design.NonNegative, design.Free} {
			for name, mu := range lowest {
				p := design.Problem{Cluster: c, MaxEdges: s.edges, Sign: sign, MinEigenvalue: mu}
				what := fmt.Sprintf("%d servers of %d nodes, %d edges, %s%s", s.servers, s.nodes, s.edges, sign, name)
				plan, err := planner.Optimize(t.Context(), p, planner.Settings{Evaluations: 2_000})
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				againstBruteForce(t, what, p, plan)
				checked(t, plan)
				if plan.Bound.Kind == design.GatewayBound {
					gateways++
				}
				if s.attained && (plan.Bound.Kind != design.GatewayBound || !plan.MeetsBound()) {
					t.Errorf("%s: bound %+v, gap %v; want it attained by the gateways", what, plan.Bound, *plan.Gap)
				}
			}
		}
	}
	if gateways < 12 {
		t.Errorf("gateways decided %d bounds of 24", gateways)
	}
}
