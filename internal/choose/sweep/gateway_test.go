package sweep_test

import (
	"fmt"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/bound"
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
				plan, err := sweep.Optimize(t.Context(), p, sweep.Settings{Evaluations: 2_000})
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

// What gateways add on ordinary hardware, at the budgets of the table in docs/research/bounds.md: the bound is nowhere
// smaller than without them, and where it is attained the search ends there.
func TestGapsOfOrdinaryServers(t *testing.T) {
	card := &cluster.NICs{Link: cluster.Link{GBs: 3.125}}
	servers := func(count, nodes int) cluster.Spec {
		return cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{Name: "server",
			Count: count, Nodes: nodes, NVSwitch: &cluster.Link{GBs: 300}, NICs: card}}}}
	}
	attained := 0
	for _, row := range []struct {
		name  string
		spec  cluster.Spec // empty: the example of that name
		edges int
	}{
		{"2 servers of 8", servers(2, 8), 30}, {"2 servers of 8", servers(2, 8), 58},
		{"4 servers of 8", servers(4, 8), 116}, {"8 servers of 4", servers(8, 4), 56}, {"servers-4x4", cluster.Spec{}, 28},
		{"servers-4x4", cluster.Spec{}, 32}, {"nvswitch-4x8", cluster.Spec{}, 64}, {"racks-2to1", cluster.Spec{}, 64},
		{"leaf-spine-32", cluster.Spec{}, 64}, {"intra-server-8", cluster.Spec{}, 8},
	} {
		c, err := cluster.ReadFile("../../../examples/" + row.name + ".yaml")
		if row.spec.Tree != nil {
			c, err = cluster.New(row.spec)
		}
		if err != nil {
			t.Fatal(err)
		}
		p := design.Problem{Cluster: c, MaxEdges: row.edges}
		limits, err := bound.FromProblem(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		limits.Gates = nil
		before, err := limits.Best()
		if err != nil {
			t.Fatal(err)
		}
		plan, err := sweep.Optimize(t.Context(), p, sweep.Settings{Seed: 1, Evaluations: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("| %s | %d | %.4f | %.4f, `%s` | %.1f %% | %.4f, `%s` | %.1f %% | %s", row.name, row.edges, plan.RAsym,
			before.RAsym, before.Kind, 100*(plan.RAsym/before.RAsym-1), plan.Bound.RAsym, plan.Bound.Kind, 100**plan.Gap,
			plan.Stop)
		if plan.Bound.RAsym < before.RAsym || before.Kind == design.GatewayBound {
			t.Errorf("%s, %d edges: bound %+v, without gateways %+v", row.name, row.edges, plan.Bound, before)
		}
		if plan.Stop == design.BoundAttained {
			attained++
		}
	}
	if attained < 4 {
		t.Errorf("%d of these plans attain their bound; five did", attained)
	}
}
