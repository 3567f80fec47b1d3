package admm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/topology"
)

// The frozen problem is convex: at its fixed point W is optimal. On edge-transitive graphs
// the best constant weight is optimal (Boyd, Diaconis and Xiao 2004): the ring of 8 nodes
// has r_asym 0.744521, K₃,₃ has 1/3.
func TestFrozenSupportReachesKnownOptima(t *testing.T) {
	bipartite := []topology.Edge{}
	for i := range 3 {
		for j := range 3 {
			bipartite = append(bipartite, topology.Edge{I: i, J: 3 + j})
		}
	}
	ring := ringEdges(8)
	slices.SortFunc(ring, topology.Edge.Compare)
	// Ring: L = θ(2 − 2cos), extremes 2 − √2 and 4 on n = 8: r = (4 − (2 − √2))/(4 + 2 − √2).
	low, high := 2-math.Sqrt2, 4.0
	for _, test := range []struct {
		name  string
		n     int
		edges []topology.Edge
		want  float64
	}{
		{"ring of 8", 8, ring, (high - low) / (high + low)},
		{"K3,3", 6, bipartite, 1.0 / 3},
	} {
		p := mustProblem(t, design.Space{Nodes: test.n, Candidates: test.edges, MaxEdges: len(test.edges)})
		it, err := newIteration(p, ClosedForm, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		g := make([]float64, p.m)
		rng := rand.New(rand.NewPCG(6, 6))
		for k := range g {
			g[k] = rng.Float64() / 4
		}
		it.begin(2, 0.1, g, nil)
		for range 3000 {
			if err := it.step(); err != nil {
				t.Fatal(err)
			}
		}
		if got := 1 - it.x.lambda[0]; math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%s: 1 − λ̃ = %.9f, want %.9f", test.name, got, test.want)
		}
		if primal, dual := it.residuals(); primal > 1e-6 || dual > 1e-6 {
			t.Errorf("%s: residuals %.2g and %.2g after 3000 steps", test.name, primal, dual)
		}
	}
}

// A feasible start has primal residual 0, so the paper's stopping rule would stop at once.
func TestTheDualResidualSeesWhatThePrimalDoesNot(t *testing.T) {
	p := mustProblem(t, scenario.Homogeneous(6, 15))
	it, err := newIteration(p, ClosedForm, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	g := make([]float64, p.m)
	for k := range g {
		g[k] = 0.05
	}
	it.begin(1, 0.3, g, nil) // λ̃ = 0.3 is the second eigenvalue 6 · 0.05: feasible, not optimal
	if primal := distance(it.x, it.y); primal != 0 {
		t.Fatalf("primal residual at a feasible start is %v, want 0", primal)
	}
	if err := it.step(); err != nil {
		t.Fatal(err)
	}
	if _, dual := it.residuals(); dual < 1e-3 {
		t.Errorf("dual residual after the first step is %v, want something to do", dual)
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	for name, space := range spaces() {
		for _, method := range []Method{ClosedForm, Printed} {
			t.Run(fmt.Sprintf("%s/%s", name, method), func(t *testing.T) {
				p := mustProblem(t, space)
				it, err := newIteration(p, method, 1e-10, false)
				if err != nil {
					t.Fatal(err)
				}
				it.begin(2, 0.5, make([]float64, p.m), make([]float64, p.m))
				if allocs := testing.AllocsPerRun(5, func() {
					if err := it.step(); err != nil {
						t.Error(err)
					}
					it.residuals()
				}); allocs != 0 {
					t.Errorf("a step allocates %v times, want 0", allocs)
				}
			})
		}
	}
}
