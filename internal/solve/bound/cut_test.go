package bound

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// Two complete halves joined by a few edges: no weights may beat the cut.
func TestNeverAboveAnyMatrixWithACut(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	decided := 0
	for range 60 {
		inside, outside, across := 3+rng.IntN(6), 3+rng.IntN(6), 1+rng.IntN(3)
		n := inside + outside
		var edges []topology.Edge
		for _, e := range topology.AllPairs(n) {
			if (e.I < inside) == (e.J < inside) || e.I < across && e.J == inside+e.I {
				edges = append(edges, e)
			}
		}
		g, err := topology.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		l := Limits{Nodes: n, MaxEdges: len(edges), Cuts: []Cut{{"the wire", inside, across}}}
		b := mustBest(t, l)
		if b.Kind == "cut" {
			decided++
		}
		// Much weight across and little elsewhere is what the cut wants.
		w := make([]float64, len(edges))
		for k, e := range edges {
			w[k] = 1 / float64(max(inside, outside)+1)
			if (e.I < inside) != (e.J < inside) {
				w[k] = rng.Float64() * 0.6
			}
		}
		constant, err := mixing.BestConstantUnlimited(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*mixing.Matrix{mustMatrix(t, g, w), mustMatrix(t, g, randomWeights(rng, g, false)), constant} {
			s, err := m.Spectrum(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if b.RAsym > s.RAsym+1e-9 {
				t.Errorf("%d + %d nodes, %d edges across: r_asym %.6f is below the bound %.6f",
					inside, outside, across, s.RAsym, b.RAsym)
			}
		}
	}
	if decided < 50 {
		t.Errorf("the cut decided only %d of 60 cases", decided)
	}
}

// largestWeight is where one large and d equal entries of a row just keep to the limit.
func TestLargestWeight(t *testing.T) {
	q := question{n: 50, classes: []class{{6, 50}}}
	for _, rho := range []float64{0.4, 0.6, 0.9} {
		w := q.largestWeight(rho)
		squares, most := w*w+(1-w)*(1-w)/6, rho*rho+(1-rho*rho)/50
		if math.Abs(squares-most) > 1e-14 || w < 1.0/7 {
			t.Errorf("ρ = %v: weight %v has squares %v, want %v", rho, w, squares, most)
		}
	}
	if w := q.largestWeight(0.2); !math.IsInf(w, -1) {
		t.Errorf("ρ = 0.2: weight %v, but seven entries cannot have squares of 0.06", w)
	}
}
