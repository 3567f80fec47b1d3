package weights_test

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// denseBound evaluates a certificate the slow way: it writes Y₁ and Y₂ out as n × n
// matrices, projects them off the all-ones vector, and applies weak duality edge by edge.
func denseBound(t *testing.T, c *design.Certificate, g *topology.Graph) float64 {
	t.Helper()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	n := g.Nodes()
	if c.Nodes() != n {
		t.Fatalf("certificate of %d nodes for a graph of %d", c.Nodes(), n)
	}
	write := func(columns []design.Column) *mat.SymDense {
		y := mat.NewSymDense(n, nil)
		u := make([]complex128, n)
		for _, f := range columns {
			var mean complex128
			for i := range u {
				v := complex(f.Re[i/c.Size], 0)
				if f.Im != nil {
					v += complex(0, f.Im[i/c.Size])
				}
				angle := 2 * math.Pi * float64(f.Block) * float64(i%c.Size) / float64(c.Size)
				u[i] = v * cmplx.Exp(complex(0, angle)) / complex(math.Sqrt(float64(c.Size)), 0)
				mean += u[i] / complex(float64(n), 0)
			}
			for i := range u {
				for j := i; j < n; j++ {
					y.SetSym(i, j, y.At(i, j)+real((u[i]-mean)*cmplx.Conj(u[j]-mean)))
				}
			}
		}
		return y
	}
	y1, y2 := write(c.Upper), write(c.Lower)
	var difference mat.Dense
	difference.Sub(y1, y2)
	sum, total := 0.0, 0.0 // of d and |d|
	charge := 0.0
	for _, q := range c.Prices {
		charge += q * float64(c.Size)
	}
	for _, e := range g.Edges() {
		d := difference.At(e.I, e.I) + difference.At(e.J, e.J) - 2*difference.At(e.I, e.J)
		sum, total = sum+d, total+math.Abs(d)
		if c.Sign == design.NonNegative {
			if short := d - c.Prices[e.I/c.Size] - c.Prices[e.J/c.Size]; short > 1e-14 {
				t.Errorf("edge %v: prices are %g short of d = %g", e, short, d)
			}
		}
	}
	t1, t2 := mat.Trace(y1), mat.Trace(y2)
	// value·(t1 + keep·t2) ≥ t1 − t2 + μ-part − Σ g d, and for free weights Σ g d ≤ (1 − middle)/n·Σd + (1 −
	// 1/n)·half·Σ|d|.
	lower, upper := -2.0, 2.0
	for range 200 { // the largest value that the inequality refutes everything below of
		v := (lower + upper) / 2
		left, floor := v*(t1+t2), -v
		if c.MinEigenvalue != nil {
			left, floor = v*t1-*c.MinEigenvalue*t2, *c.MinEigenvalue
		}
		gd := charge
		if c.Sign == design.Free {
			middle, half := (v+floor)/2, (v-floor)/2
			gd = (1-middle)/float64(n)*sum + (1-1/float64(n))*half*total
		}
		if left < t1-t2-gd {
			lower = v
		} else {
			upper = v
		}
	}
	return lower
}

// checkResult checks everything that a result claims, by other means than the solver's.
func checkResult(t *testing.T, g *topology.Graph, edgeWeights []float64, r *weights.Result, s weights.Settings) {
	t.Helper()
	if r.Stop != design.Converged {
		t.Errorf("stop is %q after %d iterations, value %.12g, bound %.12g", r.Stop, r.Iterations, r.Value(s), r.Bound)
	}
	w, err := mixing.FromEdges(g, edgeWeights)
	if err != nil {
		t.Fatal(err)
	}
	if s.Sign != design.Free && !w.Nonnegative() {
		t.Errorf("some weight is negative: self weights %v, edge weights %v", w.Self(), edgeWeights)
	}
	spectrum, err := w.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"r_asym", r.RAsym, spectrum.RAsym}, {"λ₂", r.Lambda2, spectrum.Lambda2}, {"λₙ", r.LambdaN, spectrum.LambdaN}} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s is %.15g, but the weights have %.15g", c.name, c.got, c.want)
		}
	}
	if s.MinEigenvalue != nil && r.LambdaN < *s.MinEigenvalue-1e-9 {
		t.Errorf("λₙ is %.12g, below the limit %g", r.LambdaN, *s.MinEigenvalue)
	}
	proved := denseBound(t, r.Certificate, g)
	if math.Abs(proved-r.Bound) > 1e-11 {
		t.Errorf("bound is %.14g, but the certificate proves %.14g", r.Bound, proved)
	}
	if gap := r.Value(s) - proved; gap > 1e-7 || gap < -1e-11 {
		t.Errorf("value %.12g minus proved bound %.12g is %.3g; want between 0 and 1e-7", r.Value(s), proved, gap)
	}
}
