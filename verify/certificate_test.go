package verify_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/floats"
)

// certifiedPlans are best weights on graphs without and with symmetry, for every kind of certificate.
func certifiedPlans(t testing.TB) map[string]*design.Plan {
	t.Helper()
	// A graph without symmetry and with a leaf.
	g, err := topology.New(7, []topology.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}, {I: 1, J: 2}, {I: 1, J: 4},
		{I: 2, J: 5}, {I: 3, J: 5}, {I: 4, J: 5}, {I: 5, J: 6}})
	if err != nil {
		t.Fatal(err)
	}
	zero := 0.0
	all := map[string]*design.Plan{}
	for name, p := range map[string]design.Problem{
		"fmmc": {Sign: design.NonNegative}, "fdla": {Sign: design.Free},
		"fmmc, spectrum": {Sign: design.NonNegative, MinEigenvalue: &zero},
		"fdla, spectrum": {Sign: design.Free, MinEigenvalue: &zero},
	} {
		p.Cluster, p.Purpose = hardware(t, 7), design.Consensus
		plan, err := sweep.BestWeights(context.Background(), p, g, nil)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = plan
	}
	for _, setting := range []design.Sign{design.NonNegative, design.Free} {
		all["lift, "+string(setting)] = certifiedLift(t, setting)
	}
	return all
}

// certifiedLift is a plan with the best weights of a lift, whose certificate has a column per block.
func certifiedLift(t testing.TB, setting design.Sign) *design.Plan {
	t.Helper()
	l, err := topology.NewLift(2, 6, []topology.Arc{{A: 0, B: 0, S: 1}, {A: 0, B: 1, S: 0}, {A: 0, B: 1, S: 2},
		{A: 1, B: 1, S: 3}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := weights.SolveLift(context.Background(), l, weights.Settings{Sign: setting})
	if err != nil {
		t.Fatal(err)
	}
	g, arc := l.Graph()
	perEdge := make([]float64, len(arc))
	for k, a := range arc {
		perEdge[k] = r.Weights[a]
	}
	w, err := mixing.FromEdges(g, perEdge)
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, w)
	p.Lift, p.Sign = &l, setting
	p.WeightsBound = &design.WeightBound{RAsym: r.Bound, Certificate: r.Certificate}
	p.SetBound(&design.Bound{RAsym: r.Bound, Kind: design.CertificateBound})
	return p
}

// Every number of a certificate is altered in turn, and its shape: what it proves then is less than what the plan says.
func TestForgedCertificatesAreRefused(t *testing.T) {
	for name, honest := range certifiedPlans(t) {
		text := written(t, honest)
		if why := refused(text); why != "" {
			t.Errorf("%s: the honest plan is refused: %s", name, why)
			continue
		}
		tried := 0
		try := func(what string, edit func(p *design.Plan)) {
			p, err := design.ReadPlan(name, bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			edit(p)
			tried++
			if why := refused(written(t, p)); !strings.Contains(why, "weights_bound") {
				t.Errorf("%s: with %s, the refusal says %q", name, what, why)
			}
		}
		c := honest.WeightsBound.Certificate
		for side, columns := range map[string]func(c *design.Certificate) []design.Column{
			"upper": func(c *design.Certificate) []design.Column { return c.Upper },
			"lower": func(c *design.Certificate) []design.Column { return c.Lower },
		} {
			for k, column := range columns(c) {
				for a := range column.Re {
					try(fmt.Sprintf("entry %d of %s column %d moved", a, side, k), func(p *design.Plan) {
						columns(p.WeightsBound.Certificate)[k].Re[a] += 0.01
					})
				}
				for a := range column.Im {
					try(fmt.Sprintf("imaginary entry %d of %s column %d moved", a, side, k), func(p *design.Plan) {
						columns(p.WeightsBound.Certificate)[k].Im[a] += 0.01
					})
				}
				if !carries(column) {
					continue
				}
				try(fmt.Sprintf("%s column %d scaled", side, k), func(p *design.Plan) {
					for a := range column.Re {
						columns(p.WeightsBound.Certificate)[k].Re[a] *= 1.1
					}
					for a := range column.Im {
						columns(p.WeightsBound.Certificate)[k].Im[a] *= 1.1
					}
				})
			}
		}
		for a, q := range c.Prices {
			try(fmt.Sprintf("price %d raised", a), func(p *design.Plan) { p.WeightsBound.Certificate.Prices[a] += 1e-6 })
			if q > 1e-6 {
				try(fmt.Sprintf("price %d lowered", a), func(p *design.Plan) { p.WeightsBound.Certificate.Prices[a] -= 1e-6 })
			}
		}
		try("the value raised", func(p *design.Plan) {
			p.WeightsBound.RAsym += 1e-7
			p.Bound.RAsym += 1e-7
			p.SetBound(p.Bound)
		})
		try("the value above r_asym", func(p *design.Plan) {
			p.WeightsBound.RAsym = 1
			p.Bound.RAsym = 1
			p.SetBound(p.Bound)
		})
		try("no certificate", func(p *design.Plan) { p.WeightsBound.Certificate = nil })
		try("no upper columns", func(p *design.Plan) { p.WeightsBound.Certificate.Upper = nil })
		try("no lower columns", func(p *design.Plan) { p.WeightsBound.Certificate.Lower = nil })
		try("sides exchanged", func(p *design.Plan) {
			c := p.WeightsBound.Certificate
			c.Upper, c.Lower = c.Lower, c.Upper
		})
		try("one orbit less", func(p *design.Plan) { p.WeightsBound.Certificate.Orbits-- })
		try("another size", func(p *design.Plan) { p.WeightsBound.Certificate.Size++ })
		try("another limit on the spectrum", func(p *design.Plan) {
			mu := -0.25
			p.WeightsBound.Certificate.MinEigenvalue = &mu
		})
		try("another setting", func(p *design.Plan) {
			c := p.WeightsBound.Certificate
			c.Sign = design.NonNegative
			if honest.Sign == design.NonNegative {
				c.Sign = design.Free
			}
		})
		if c.Size > 1 {
			for k := range c.Upper {
				if !carries(c.Upper[k]) {
					continue
				}
				try(fmt.Sprintf("block of upper column %d", k), func(p *design.Plan) {
					column := &p.WeightsBound.Certificate.Upper[k]
					column.Block = (column.Block + 1) % c.Size
				})
			}
		}
		if tried < 20 {
			t.Errorf("%s: only %d edits were tried", name, tried)
		}
	}
}

// carries is false for what rounding leaves of a column that should be 0: scaled or moved, it proves the same.
func carries(c design.Column) bool {
	return floats.Dot(c.Re, c.Re)+floats.Dot(c.Im, c.Im) > 1e-8
}

// A certificate that is part of a plan with another graph proves nothing about it.
func TestCertificateOfAnotherGraphIsRefused(t *testing.T) {
	plans := certifiedPlans(t)
	p := familyPlan(t, "ring", 7)
	p.WeightsBound = plans["fmmc"].WeightsBound
	p.SetBound(&design.Bound{RAsym: p.WeightsBound.RAsym, Kind: design.CertificateBound})
	if why := refused(written(t, p)); !strings.Contains(why, "weights_bound") {
		t.Errorf("the refusal says %q", why)
	}
}
