package verify_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// soonestPlans have weights of fewest rounds, with proofs of every kind.
func soonestPlans(t *testing.T) map[string]*design.Plan {
	t.Helper()
	grid, err := topology.Grid(9)
	if err != nil {
		t.Fatal(err)
	}
	lift, err := topology.NewLift(2, 6, []topology.Arc{{A: 0, B: 0, S: 1}, {A: 0, B: 1, S: 0}, {A: 0, B: 1, S: 2},
		{A: 1, B: 1, S: 3}})
	if err != nil {
		t.Fatal(err)
	}
	star, err := topology.New(6, []topology.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}, {I: 0, J: 4}, {I: 0, J: 5}})
	if err != nil {
		t.Fatal(err)
	}
	zero := 0.0
	all := map[string]*design.Plan{"star": soonestPlan(t, topology.Lift{}, star,
		weights.Settings{Sign: design.NonNegative})}
	for name, s := range map[string]weights.Settings{
		"fmmc": {Sign: design.NonNegative}, "fdla": {Sign: design.Free},
		"fmmc, spectrum": {Sign: design.NonNegative, MinEigenvalue: &zero},
		"fdla, spectrum": {Sign: design.Free, MinEigenvalue: &zero},
	} {
		all[name] = soonestPlan(t, topology.Lift{}, grid, s)
		all["lift, "+name] = soonestPlan(t, lift, nil, s)
	}
	return all
}

// soonestPlan is about the graph, or about the lift where that is nil.
func soonestPlan(t *testing.T, l topology.Lift, g *topology.Graph, s weights.Settings) *design.Plan {
	t.Helper()
	const target = 1e-4
	var r *weights.RoundsResult
	var perEdge []float64
	if g != nil {
		rate, err := weights.Solve(t.Context(), g, s)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = weights.SolveRounds(t.Context(), g, rate.Weights, target, s); err != nil {
			t.Fatal(err)
		}
		perEdge = r.Weights
	} else {
		rate, err := weights.SolveLift(t.Context(), l, s)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = weights.SolveLiftRounds(t.Context(), l, rate.Weights, target, s); err != nil {
			t.Fatal(err)
		}
		var arcOf []int
		g, arcOf = l.Graph()
		for _, a := range arcOf {
			perEdge = append(perEdge, r.Weights[a])
		}
	}
	w, err := mixing.FromEdges(g, perEdge)
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, w)
	p.Sign, p.MinEigenvalue, p.RoundsBound = s.Sign, s.MinEigenvalue, r.Bound
	if l.Orbits > 0 {
		p.Lift = &l
	}
	if p.RoundsBound == nil || p.TargetError != target {
		t.Fatalf("no bound, or target %v", p.TargetError)
	}
	return p
}

// Whatever a certificate is changed to, it must not prove more rounds than the plan needs, nor anything that its
// numbers do not.
func TestForgedRoundsBoundsAreRefused(t *testing.T) {
	for name, honest := range soonestPlans(t) {
		text := written(t, honest)
		if why := refused(text); why != "" {
			t.Errorf("%s: the honest plan is refused: %s", name, why)
			continue
		}
		try := func(what string, edit func(b *design.RoundsBound, c *design.RoundsCertificate)) {
			p, err := design.ReadPlan(name, bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			edit(p.RoundsBound, p.RoundsBound.Certificate)
			if why := refused(written(t, p)); !strings.Contains(why, "rounds") {
				t.Errorf("%s: with %s, the refusal says %q", name, what, why)
			}
		}
		type bound = design.RoundsBound
		type certificate = design.RoundsCertificate
		try("one round more", func(b *bound, _ *certificate) { b.Rounds++ })
		try("no rounds", func(b *bound, _ *certificate) { b.Rounds = 0 })
		try("rounds below 0", func(b *bound, _ *certificate) { b.Rounds = -3 })
		try("no certificate", func(b *bound, _ *certificate) { b.Certificate = nil })
		try("a weight less", func(_ *bound, c *certificate) { c.Weights = c.Weights[1:] })
		try("a price more", func(_ *bound, c *certificate) { c.Prices = append(c.Prices, 0) })
		if name != "star" { // there half of every weight has the same eigenvectors that matter, and proves as much
			try("weights that are far off", func(_ *bound, c *certificate) {
				for k := range c.Weights {
					c.Weights[k] *= 0.5
				}
			})
		}
		try("a weight beyond all sense", func(_ *bound, c *certificate) { c.Weights[0] = 1e300 })
		try("no weights at all", func(_ *bound, c *certificate) { clear(c.Weights) })
		try("high prices", func(_ *bound, c *certificate) {
			c.Floor++
			for k := range c.Prices {
				c.Prices[k]++
			}
		})
		try("a setting that is none", func(_ *bound, c *certificate) { c.Sign = "fast" })
		try("another limit on the spectrum", func(_ *bound, c *certificate) { mu := 0.25; c.MinEigenvalue = &mu })
		if honest.Sign == design.NonNegative {
			if name == "star" { // elsewhere row sums stay below 1, which costs nothing
				try("prices of 0", func(_ *bound, c *certificate) { clear(c.Prices) })
			}
			try("prices below 0", func(_ *bound, c *certificate) { c.Prices[0] = -1 })
		}
		if honest.MinEigenvalue != nil {
			try("the floor left out", func(_ *bound, c *certificate) { c.Floor = 0 })
			try("the floor below 0", func(_ *bound, c *certificate) { c.Floor = -1 })
		}
	}
}

// More rounds than the plan needs cannot be the fewest, whatever the certificate says.
func TestRoundsBoundOfAnotherGraph(t *testing.T) {
	p := familyPlan(t, "ring", 9)
	p.RoundsBound = soonestPlans(t)["fmmc"].RoundsBound
	if why := refused(written(t, p)); !strings.Contains(why, "rounds_bound") {
		t.Errorf("the refusal says %q", why)
	}
}
