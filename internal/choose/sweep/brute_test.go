package sweep_test

import (
	"context"
	"math"
	"math/bits"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// graphsWithin visits every connected choice of candidates within limits, by trying all of them.
func graphsWithin(t *testing.T, s design.Space, visit func(set uint, edges []topology.Edge)) {
	t.Helper()
	m := len(s.Candidates)
	chosen := make([]bool, m)
	for set := range uint(1) << m {
		if count := bits.OnesCount(set); count > s.MaxEdges || count < s.Nodes-1 {
			continue
		}
		var edges []topology.Edge
		for k := range chosen {
			if chosen[k] = set>>k&1 == 1; chosen[k] {
				edges = append(edges, s.Candidates[k])
			}
		}
		if s.Check(chosen) == nil {
			visit(set, edges)
		}
	}
}

// possible reports whether any connected graph keeps the question's limits.
func possible(t *testing.T, p design.Problem) bool {
	t.Helper()
	found := false
	space, err := feasible.Space(t.Context(), p)
	if err != nil {
		// As many edges as were asked for do not fit: what do the caps of the hardware allow?
		c := p.Cluster
		space = design.Space{Nodes: c.Nodes(), Candidates: c.Candidates(), MaxEdges: p.MaxEdges}
		space.Limits = design.ResourceLimits(c, c.Most())
		if p.MaxDegree > 0 {
			most := func(int) int { return p.MaxDegree }
			space.Limits = append(space.Limits, design.DegreeLimits(c.Nodes(), space.Candidates, most, c.NodeName)...)
		}
	}
	graphsWithin(t, space, func(_ uint, edges []topology.Edge) {
		found = found || err == nil || len(edges) == p.MaxEdges || p.Objective == design.Time
	})
	return found
}

// optimum is the least value of all graphs within the limits: r_asym, or λ₂ under a limit on the spectrum. Graphs
// within larger ones are left out.
func optimum(t *testing.T, p design.Problem) float64 {
	t.Helper()
	space, err := feasible.Space(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	graphs := map[uint][]topology.Edge{}
	graphsWithin(t, space, func(set uint, edges []topology.Edge) { graphs[set] = edges })
	best := math.Inf(1)
	for set, edges := range graphs {
		within := false
		for k := range len(space.Candidates) {
			_, larger := graphs[set|1<<k]
			within = within || larger && set>>k&1 == 0
		}
		if within {
			continue
		}
		g, err := topology.New(space.Nodes, edges)
		if err != nil {
			t.Fatal(err)
		}
		s := weights.Settings{Sign: p.Sign, MinEigenvalue: p.MinEigenvalue, NoCertificate: true}
		r, err := weights.Solve(context.Background(), g, s)
		if err != nil {
			t.Fatal(err)
		}
		best = min(best, r.Value(s))
	}
	return best
}

// againstBruteForce compares what a plan claims with the optimum of the question that it says it answers.
func againstBruteForce(t *testing.T, what string, p design.Problem, plan *design.Plan) {
	t.Helper()
	p = p.WithDefaults()
	p.MaxEdges, p.MaxDegree, p.MinEigenvalue = plan.MaxEdges, plan.DegreeLimit, plan.MinEigenvalue
	best := optimum(t, p)
	value := plan.RAsym
	if plan.MinEigenvalue != nil {
		value = *plan.Lambda2
	}
	const rounding = 1e-6
	if plan.Bound.RAsym > best+rounding {
		t.Errorf("%s: bound %v, but %v is possible", what, plan.Bound.RAsym, best)
	}
	if value < best-rounding {
		t.Errorf("%s: value %v, but the optimum is %v: some limit is not kept", what, value, best)
	}
	if plan.Method == string(sweep.Auto) && plan.Stop != design.Exhausted && plan.Stop != design.BoundAttained {
		t.Errorf("%s: stopped as %q; so few nodes are enumerated", what, plan.Stop)
	}
	if (plan.Stop == design.Exhausted || plan.Stop == design.BoundAttained) && value > best+rounding {
		t.Errorf("%s: stopped as %q at %v, but the optimum is %v", what, plan.Stop, value, best)
	}
}
