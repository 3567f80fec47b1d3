package mixing_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

func TestFromArcsRefuses(t *testing.T) {
	for want, arcs := range map[string][]mixing.Arc{
		"arc 0→3 is out of range; nodes are 0 … 2": {{From: 0, To: 3, Weight: 1}},
		"arc 1→1 is a self weight":                 {{From: 1, To: 1, Weight: 1}},
		"weight of 0→1 is NaN":                     {{From: 0, To: 1, Weight: math.NaN()}},
		"weight of 0→1 is +Inf":                    {{From: 0, To: 1, Weight: math.Inf(1)}},
		"arc 0→1 appears twice":                    {{From: 0, To: 1, Weight: 0.5}, {From: 0, To: 1, Weight: 0.5}},
		"column 0 sums to 1.5":                     {{From: 0, To: 1, Weight: 0.5}},
	} {
		if _, err := mixing.FromArcs(3, arcs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", arcs, err, want)
		}
	}
	if _, err := mixing.FromArcs(0, nil); err == nil {
		t.Error("0 nodes: got no error")
	}
	g, err := topology.Ring(4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mixing.FromEdges(g, []float64{1}); err == nil {
		t.Error("1 weight for 4 edges: got no error")
	}
}

func TestFromDenseRefuses(t *testing.T) {
	for name, w := range map[string]*mat.Dense{
		"must be square":  mat.NewDense(2, 3, nil),
		"row 0 of W sums": mat.NewDense(2, 2, []float64{0.6, 0.5, 0.5, 0.5}),
		"column":          mat.NewDense(2, 2, []float64{0.5, 0.5, 0.4, 0.6}),
		"row 1 of W sums": mat.NewDense(2, 2, []float64{0.5, 0.5, 0.5, math.NaN()}),
		"finite":          mat.NewDense(2, 2, []float64{0.5, math.NaN(), 0.5, 0.5}),
	} {
		if _, err := mixing.FromDense(w); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: error %v, want one that says %q", mat.Formatted(w), err, name)
		}
	}
}

func TestFromDenseMakesAlmostSymmetricSymmetric(t *testing.T) {
	third := 1. / 3
	w := mat.NewDense(3, 3, []float64{third, third, third, third + 1e-16, third, third - 1e-16, third, third, third})
	m, err := mixing.FromDense(w)
	if err != nil {
		t.Fatal(err)
	}
	if m.Directed() {
		t.Error("a matrix that is symmetric but for rounding counts as directed")
	}
}

func TestDirectedAndUndirectedViews(t *testing.T) {
	m, err := mixing.Exponential(6)
	if err != nil {
		t.Fatal(err)
	}
	if from, _ := m.Row(0); !m.Directed() || !slices.Equal(from, []int{2, 4, 5}) {
		t.Errorf("node 0 of 6 listens to %v, want those 4, 2 and 1 behind: [2 4 5]", from)
	}
	if got := m.Degrees(); !slices.Equal(got, []int{3, 3, 3, 3, 3, 3}) {
		t.Errorf("degrees %v, want 3 each", got)
	}
	back, err := mixing.FromDense(m.Dense())
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(back.Dense(), m.Dense()) {
		t.Error("a dense copy reads back as something else")
	}
	g, err := topology.Star(5)
	if err != nil {
		t.Fatal(err)
	}
	star, err := mixing.Metropolis(g)
	if err != nil {
		t.Fatal(err)
	}
	edges, weights := star.Edges()
	again, err := mixing.FromEdges(star.Graph(), weights)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(edges, g.Edges()) || !mat.Equal(star.Sym(), again.Dense()) {
		t.Errorf("edges %v with weights %v do not give the star back", edges, weights)
	}
}

// TestSelfWeightsDoNotGoBelowZeroByRounding: 1 − d·(1/d) is not always 0 in floating point.
func TestSelfWeightsDoNotGoBelowZeroByRounding(t *testing.T) {
	for n := 2; n <= 200; n++ {
		g, err := topology.Complete(n)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mixing.MaximumDegree(g)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Nonnegative() || slices.Max(m.Self()) != 0 {
			t.Fatalf("n=%d: self weights %v … %v, want exactly 0", n, slices.Min(m.Self()), slices.Max(m.Self()))
		}
	}
}

func TestApplyIsTheMatrixProduct(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, f := range mixing.Families {
		m, err := f.Build(mixing.Params{Nodes: 16})
		if err != nil {
			t.Fatal(err)
		}
		x, got := make([]float64, 16), make([]float64, 16)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		m.Apply(got, x)
		want := mat.NewVecDense(16, nil)
		want.MulVec(m.Dense(), mat.NewVecDense(16, x))
		if !mat.EqualApprox(want, mat.NewVecDense(16, got), 1e-14) {
			t.Errorf("%s: W x = %v, want %v", f.Name, got, want.RawVector().Data)
		}
	}
}

func TestApplyDoesNotAllocate(t *testing.T) {
	m := build(t, "random-regular", mixing.Params{Nodes: 1000, Degree: 10})
	x, y := make([]float64, 1000), make([]float64, 1000)
	if allocs := testing.AllocsPerRun(10, func() { m.Apply(y, x) }); allocs != 0 {
		t.Errorf("Apply allocates %v times, want 0", allocs)
	}
}

func BenchmarkApply(b *testing.B) {
	const n, degree = 100_000, 10
	g, err := topology.RandomRegular(n, degree, 1)
	if err != nil {
		b.Fatal(err)
	}
	m, err := mixing.Metropolis(g)
	if err != nil {
		b.Fatal(err)
	}
	x, y := make([]float64, n), make([]float64, n)
	for b.Loop() {
		m.Apply(y, x)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(n*(degree+1)), "ns/entry")
}
