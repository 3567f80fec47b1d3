package design_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"

	"github.com/google/go-cmp/cmp"
)

func validCertificate() *design.Certificate {
	floor := 0.0
	return &design.Certificate{
		Sign: design.NonNegative, MinEigenvalue: &floor, Orbits: 2, Size: 3,
		Upper:  []design.Column{{Re: []float64{0.5, -0.5}}, {Block: 1, Re: []float64{0.25, 0}, Im: []float64{0, 0.125}}},
		Lower:  []design.Column{{Block: 2, Re: []float64{0.1, 0.2}}},
		Prices: []float64{0.1, 0},
	}
}

func TestCertificateSurvivesJSON(t *testing.T) {
	want := validCertificate()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got := new(design.Certificate)
	if err := json.Unmarshal(data, got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after a round trip through %s:\n%s", data, diff)
	}
	if got.Nodes() != 6 {
		t.Errorf("%d nodes, want 6", got.Nodes())
	}
}

func TestCertificateShapes(t *testing.T) {
	if err := validCertificate().Validate(); err != nil {
		t.Fatalf("a valid certificate is refused: %v", err)
	}
	for _, c := range []struct {
		want  string // in the error
		spoil func(c *design.Certificate)
	}{
		{"sign of weights", func(c *design.Certificate) { c.Sign = "fastest" }},
		{"min_eigenvalue", func(c *design.Certificate) { *c.MinEigenvalue = 1 }},
		{"min_eigenvalue", func(c *design.Certificate) { *c.MinEigenvalue = math.NaN() }},
		{"0 orbits", func(c *design.Certificate) { c.Orbits = 0 }},
		{"size -1", func(c *design.Certificate) { c.Size = -1 }},
		{"no column", func(c *design.Certificate) { c.Upper = nil }},
		{"upper column 1: block is 3", func(c *design.Certificate) { c.Upper[1].Block = 3 }},
		{"lower column 0: block is -1", func(c *design.Certificate) { c.Lower[0].Block = -1 }},
		{"1 real", func(c *design.Certificate) { c.Lower[0].Re = c.Lower[0].Re[:1] }},
		{"1 imaginary", func(c *design.Certificate) { c.Upper[1].Im = c.Upper[1].Im[:1] }},
		{"entry 1 is NaN", func(c *design.Certificate) { c.Upper[1].Im[1] = math.NaN() }},
		{"entry 0 is +Inf", func(c *design.Certificate) { c.Upper[0].Re[0] = math.Inf(1) }},
		{"1 prices", func(c *design.Certificate) { c.Prices = c.Prices[:1] }},
		{`2 prices; weights "free"`, func(c *design.Certificate) { c.Sign = design.Free }},
		{"price of orbit 1 is -0.1", func(c *design.Certificate) { c.Prices[1] = -0.1 }},
		{"price of orbit 0 is NaN", func(c *design.Certificate) { c.Prices[0] = math.NaN() }},
	} {
		cert := validCertificate()
		c.spoil(cert)
		if err := cert.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want one with %q", err, c.want)
		}
	}
}
