package verify

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/design"
)

// The ring of eight: no weights are better than (4 − μ)/(4 + μ) with μ = 2 − 2cos(π/4), free or not (Boyd,
// Diaconis, Xiao 2004).
const (
	ringNodes = 8
	ringMu    = 2 - math.Sqrt2
	ringBest  = (4 - ringMu) / (4 + ringMu)
)

func ringEdges() []design.PlanEdge {
	edges := []design.PlanEdge{{I: 0, J: 1}, {I: 0, J: ringNodes - 1}}
	for i := 1; i < ringNodes-1; i++ {
		edges = append(edges, design.PlanEdge{I: i, J: i + 1})
	}
	return edges
}

// ringProof is the best certificate: the slowest modes of both ends, with d_k = 0 on every edge.
func ringProof(setting design.Sign) *design.Certificate {
	c := &design.Certificate{Sign: setting, Orbits: ringNodes, Size: 1}
	column := func(scale float64, f func(i int) float64) design.Column {
		re := make([]float64, ringNodes)
		for i := range re {
			re[i] = scale * f(i)
		}
		return design.Column{Re: re}
	}
	turn := func(i int) float64 { return math.Pi / 4 * float64(i) }
	c.Upper = []design.Column{column(1, func(i int) float64 { return math.Cos(turn(i)) }),
		column(1, func(i int) float64 { return math.Sin(turn(i)) })}
	c.Lower = []design.Column{column(math.Sqrt(ringMu)/2, func(i int) float64 { return 1 - 2*float64(i%2) })}
	if setting == design.NonNegative {
		c.Prices = make([]float64, ringNodes)
	}
	return c
}

// provedBy is what a certificate proves about the ring, −∞ where it is refused.
func provedBy(t *testing.T, c *design.Certificate) float64 {
	t.Helper()
	if err := c.Validate(); err != nil {
		return math.Inf(-1)
	}
	d, err := meet(c, ringEdges())
	if err != nil {
		return math.Inf(-1)
	}
	return d.proves(c, ringNodes)
}

func eachEntry(c *design.Certificate, change func(v float64) float64) {
	for _, columns := range [][]design.Column{c.Upper, c.Lower} {
		for _, f := range columns {
			for _, part := range [][]float64{f.Re, f.Im} {
				for a := range part {
					part[a] = change(part[a])
				}
			}
		}
	}
}

// A proof is the same proof at any scale, and with any constant added to its columns.
func TestProofsDoNotDependOnScaleOrMean(t *testing.T) {
	for _, setting := range []design.Sign{design.NonNegative, design.Free} {
		for _, scale := range []float64{1, 3, 1e3, 1e-3, 1e150, 1e160, 1e300, 1e-150, 1e-160, 1e-290} {
			c := ringProof(setting)
			eachEntry(c, func(v float64) float64 { return v * scale })
			if got := provedBy(t, c); math.Abs(got-ringBest) > 1e-12 {
				t.Errorf("%s, scale %g: proves %.16g, want %.16g", setting, scale, got, ringBest)
			}
		}
		for _, mean := range []float64{1e-6, 1, 100} {
			c := ringProof(setting)
			eachEntry(c, func(v float64) float64 { return v + mean })
			if got := provedBy(t, c); got > ringBest || got < ringBest-1e-9*(1+mean) {
				t.Errorf("%s, mean %g: proves %.16g, want at most %.16g", setting, mean, got, ringBest)
			}
		}
	}
}

// Constants are orthogonal to everything that a proof is about; what rounding leaves of them proves nothing.
func TestConstantColumnsProveNothing(t *testing.T) {
	for _, setting := range []design.Sign{design.NonNegative, design.Free} {
		for _, v := range []float64{1e3, 0.1, 1e-162, 1e-320, 5e-324, 1e160, 1.7e308, -1e3} {
			for _, ulps := range []int{0, 1, 5, 1000} {
				c := ringProof(setting)
				c.Lower = nil
				for _, f := range c.Upper {
					for a := range f.Re {
						f.Re[a] = v
					}
					for range ulps {
						f.Re[3] = math.Nextafter(f.Re[3], math.Inf(1))
					}
				}
				if got := provedBy(t, c); !(got <= ringBest) {
					t.Errorf("%s, %g with one entry %d steps away: proves %v, more than the %v that is possible",
						setting, v, ulps, got, ringBest)
				}
			}
		}
	}
}

// Whatever numbers a certificate holds, it proves no more than is true.
func TestNoCertificateProvesTooMuch(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	extreme := []float64{0, 5e-324, 1e-310, 1e-200, 1e-162, 1e-160, 1e-100, 1e-16, 1e-8, 1, 1e3, 1e8, 1e16, 1e100, 1e154,
		1e160, 1e300, math.MaxFloat64}
	pick := func() float64 { return extreme[random.IntN(len(extreme))] }
	shapes := [][2]int{{8, 1}, {4, 2}, {2, 4}, {1, 8}}
	limits := []*float64{nil, new(float64), new(float64), new(float64)}
	*limits[2], *limits[3] = -1, 0.3
	proofs := 0
	for round := range 40000 {
		c := ringProof([]design.Sign{design.NonNegative, design.Free}[round%2])
		if round%3 > 0 { // otherwise a proof, disturbed
			shape := shapes[random.IntN(len(shapes))]
			c.Orbits, c.Size, c.Upper, c.Lower = shape[0], shape[1], nil, nil
			for k := range 1 + random.IntN(5) {
				f := design.Column{Block: random.IntN(c.Size), Re: make([]float64, c.Orbits)}
				if random.IntN(2) == 0 {
					f.Im = make([]float64, c.Orbits)
				}
				if k%2 == 0 {
					c.Upper = append(c.Upper, f)
				} else {
					c.Lower = append(c.Lower, f)
				}
			}
			for _, columns := range [][]design.Column{c.Upper, c.Lower} {
				for _, f := range columns {
					size, mean := pick(), pick()*float64(random.IntN(2))
					for a := range f.Re {
						f.Re[a] = mean + size*random.NormFloat64()
						if f.Im != nil {
							f.Im[a] = mean + size*random.NormFloat64()
						}
					}
				}
			}
		}
		c.MinEigenvalue = limits[random.IntN(len(limits))]
		switch random.IntN(4) {
		case 0:
			size := pick()
			eachEntry(c, func(v float64) float64 { return v * size })
		case 1:
			size := pick() * 1e-9
			eachEntry(c, func(v float64) float64 { return v + size*random.NormFloat64() })
		case 2:
			for _, f := range c.Upper {
				random.Shuffle(len(f.Re), func(i, j int) { f.Re[i], f.Re[j] = f.Re[j], f.Re[i] })
			}
		}
		if c.Sign == design.NonNegative {
			c.Prices = make([]float64, c.Orbits)
			if size := pick() * float64(random.IntN(2)); size < 1e300 {
				for a := range c.Prices {
					c.Prices[a] = size * random.Float64()
				}
			}
		}
		best := ringBest
		if mu := c.MinEigenvalue; mu != nil {
			best = 1 - (1-*mu)*ringMu/4 // λ₂ where the smallest eigenvalue is μ, or where weights have used up their rows
			if c.Sign == design.NonNegative {
				best = max(best, 1-ringMu/2)
			}
		}
		got := provedBy(t, c)
		if !(got <= best+1e-14) {
			t.Fatalf("round %d: proves %.17g, more than the %.17g that is possible: %+v", round, got, best, c)
		}
		if got > 0 {
			proofs++
		}
	}
	if proofs < 1000 {
		t.Errorf("only %d of the certificates prove anything at all", proofs)
	}
}

// Infinite and missing numbers are refused before any arithmetic.
func TestCertificatesHoldNumbersOnly(t *testing.T) {
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		c := ringProof(design.NonNegative)
		c.Lower[0].Re[2] = v
		if got := provedBy(t, c); !math.IsInf(got, -1) {
			t.Errorf("an entry %v: proves %v", v, got)
		}
		c = ringProof(design.NonNegative)
		c.Prices[2] = v
		if got := provedBy(t, c); !math.IsInf(got, -1) {
			t.Errorf("a price %v: proves %v", v, got)
		}
	}
}
