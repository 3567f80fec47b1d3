package bound

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// randomGraph is a random tree plus random edges; some of its nodes are hubs.
func randomGraph(t *testing.T, rng *rand.Rand, n int) *topology.Graph {
	t.Helper()
	hubs := rng.IntN(3)
	has := map[topology.Edge]bool{}
	add := func(i, j int) {
		if i != j {
			has[topology.Edge{I: min(i, j), J: max(i, j)}] = true
		}
	}
	for i := 1; i < n; i++ {
		add(i, rng.IntN(i))
	}
	for range rng.IntN(2 * n) {
		add(rng.IntN(n), rng.IntN(n))
	}
	for h := range hubs {
		for i := range n {
			if rng.Float64() < 0.7 {
				add(h, i)
			}
		}
	}
	var edges []topology.Edge
	for _, e := range topology.AllPairs(n) {
		if has[e] {
			edges = append(edges, e)
		}
	}
	g, err := topology.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// randomWeights are positive with row sums of at most 1, some of them nearly so; signed
// ones are of any sign and size.
func randomWeights(rng *rand.Rand, g *topology.Graph, signed bool) []float64 {
	edges := g.Edges()
	w := make([]float64, len(edges))
	sum := make([]float64, g.Nodes())
	for k, e := range edges {
		w[k] = math.Exp(rng.NormFloat64() * 1.5)
		sum[e.I] += w[k]
		sum[e.J] += w[k]
	}
	scale := 0.5 + 0.5*rng.Float64()
	for k, e := range edges {
		w[k] *= scale / max(sum[e.I], sum[e.J])
		if signed && rng.Float64() < 0.4 {
			w[k] *= -1
		}
	}
	return w
}

func mustMatrix(t *testing.T, g *topology.Graph, w []float64) *mixing.Matrix {
	t.Helper()
	m, err := mixing.FromEdges(g, w)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// moments returns tr W⁰ … tr W⁴.
func moments(m *mixing.Matrix) (traces [5]float64) {
	w := m.Dense()
	power := mat.NewDiagDense(m.Nodes(), slices.Repeat([]float64{1}, m.Nodes()))
	var p mat.Dense
	p.CloneFrom(power)
	for k := range traces {
		traces[k] = mat.Trace(&p)
		var next mat.Dense
		next.Mul(&p, w)
		p = next
	}
	return traces
}

// The heart of "two-step": tr(W⁴ − ρ²W²) is at least the sum of the rows, whatever the weights,
// as long as no row has larger squares than the rows assume.
func TestTwoStepRowsAreBelowTheTrace(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	closest := math.Inf(1)
	for trial := range 4000 {
		g := randomGraph(t, rng, 2+rng.IntN(14))
		m := mustMatrix(t, g, randomWeights(rng, g, trial%2 == 0))
		tr := moments(m)
		rho := rng.Float64()
		proof := twoStep{rho2: rho * rho, level: rng.Float64() * 2 / float64(g.MaxDegree()*g.MaxDegree())}
		for i, self := range m.Self() {
			squares := self * self
			_, weights := m.Row(i)
			for _, w := range weights {
				squares += w * w
			}
			proof.most = max(proof.most, squares)
		}
		sum := 0.0
		for i := range g.Nodes() {
			sum += proof.row(g.Degree(i))
		}
		left := tr[4] - proof.rho2*tr[2]
		if sum > left+1e-12 {
			t.Fatalf("trial %d: rows add up to %.12f, above tr(W⁴ − ρ²W²) = %.12f\ndegrees %v, ρ %v, γ %v",
				trial, sum, left, g.Degrees(), rho, proof.level)
		}
		closest = min(closest, left-sum)
	}
	if closest > 0.1 {
		t.Errorf("the rows never came nearer than %v to the trace: is this test still looking at the right cases?", closest)
	}
}

// The heart of "walk": tr f(W) is at least the sum of the rows when no weight is negative.
func TestWalkRowsAreBelowTheTrace(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	closest := math.Inf(1)
	for trial := range 4000 {
		g := randomGraph(t, rng, 2+rng.IntN(14))
		m := mustMatrix(t, g, randomWeights(rng, g, false))
		tr := moments(m)
		v := rng.Float64()
		lower := -v
		if trial%3 == 0 {
			lower = v - rng.Float64()
		}
		w := newWalk(lower, v, rng.Float64()*rng.Float64(), 3+trial%2)
		w.tau = w.balanced(float64(1 + rng.IntN(5)))
		if trial%5 == 0 {
			w.tau = rng.Float64()
		}
		q, err := Limits{Nodes: g.Nodes(), MaxEdges: topology.Pairs(g.Nodes())}.question()
		if err != nil {
			t.Fatal(err)
		}
		q.ends = 2 * len(g.Edges()) // a short table, so that the tail is used as well
		r := w.rows(q)
		sum, left := 0.0, 0.0
		for i := range g.Nodes() {
			if d := g.Degree(i); d < len(r.table) {
				sum += r.table[d]
			} else {
				sum += r.tail(d)
			}
		}
		for k, c := range w.f {
			left += c * tr[k]
		}
		if sum > left+1e-12*float64(g.Nodes()) {
			t.Fatalf("trial %d: rows add up to %.12f, above tr f(W) = %.12f\ndegrees %v, f %v, τ %v",
				trial, sum, left, g.Degrees(), w.f, w.tau)
		}
		closest = min(closest, left-sum)
	}
	if closest > 0.1 {
		t.Errorf("the rows never came nearer than %v to the trace", closest)
	}
}

// A single row of any weights contributes at least what the table or the tail says for its degree. Few large
// weights and many small ones are what the proof fears, and what a whole matrix shows too rarely.
func TestWalkRowsAreBelowEverySingleRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	q, err := Limits{Nodes: 100, MaxEdges: 150}.question()
	if err != nil {
		t.Fatal(err)
	}
	closest := [2]float64{math.Inf(1), math.Inf(1)} // in the table, in the tail
	for range 400 {
		v := 0.3 + 0.65*rng.Float64()
		w := newWalk(-v, v, 0.3*rng.Float64(), 3+rng.IntN(2))
		w.tau = w.balanced(float64(1 + rng.IntN(6)))
		b2, b1, b0 := w.square()
		r := w.rows(q)
		for range 400 {
			d := 1 + rng.IntN(q.n-1)
			a, heavy := rng.Float64()*rng.Float64(), 1+rng.IntN(min(d, 3))
			share := 1.0
			if heavy < d {
				share = math.Sqrt(rng.Float64())
			}
			var squares, fourths float64
			for k := range d {
				weight := (1 - a) * share / float64(heavy)
				if k >= heavy {
					weight = (1 - a) * (1 - share) / float64(d-heavy)
				}
				squares += weight * weight
				fourths += weight * weight * weight * weight
			}
			row := w.f.at(a) + ((b2*a+b1)*a+b0)*squares + w.f[4]*(2*squares*squares-fourths)
			claim, where := 0.0, 0
			if d < len(r.table) {
				claim = r.table[d]
			} else {
				claim, where = r.tail(d), 1
			}
			if claim > row+1e-13 {
				t.Fatalf("f %v, τ %v: a row of %d weights, %d of them sharing %v, and self weight %v "+
					"contributes %v; claimed at least %v", w.f, w.tau, d, heavy, share, a, row, claim)
			}
			closest[where] = min(closest[where], row-claim)
		}
	}
	if closest[0] > 1e-4 || closest[1] > 5e-3 {
		t.Errorf("rows never came nearer than %v (table) and %v (tail) to what is claimed", closest[0], closest[1])
	}
}

// anyRow is the least of f(a) + B(a)S + c₄S² over self weights a in [0, 1] and S ≥ 0.
func TestAnyRowAgainstAGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for range 200 {
		v := rng.Float64()
		w := newWalk(-v, v, 0.2*rng.Float64(), 3+rng.IntN(2))
		w.tau = 0.8 * rng.Float64()
		b2, b1, b0 := w.square()
		least := math.Inf(1)
		for i := range 201 {
			for j := range 201 {
				a, s := float64(i)/200, float64(j)/200
				least = min(least, w.f.at(a)+((b2*a+b1)*a+b0)*s+w.f[4]*s*s)
			}
		}
		if got := w.anyRow(); got > least+1e-13 || w.f[4] > 0 && got < least-1e-3 && -b0/(2*w.f[4]) < 1 {
			t.Fatalf("f %v, τ %v: anyRow %v, the grid %v", w.f, w.tau, got, least)
		}
	}
}

// f is not positive between lower and v, which is what makes tr f(W) ≤ f(1).
func TestWalkPolynomialsAreNotPositiveOnTheSpectrum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 500 {
		v := rng.Float64()
		lower := v - 2*v*rng.Float64()
		for order := 3; order <= 4; order++ {
			f := newWalk(lower, v, rng.Float64(), order).f
			if f[3] < 0 || f[4] < 0 {
				t.Fatalf("order %d on [%v, %v]: coefficients %v; those of t³ and t⁴ must not be negative", order, lower, v, f)
			}
			for k := range 101 {
				x := lower + (v-lower)*float64(k)/100
				if y := f.at(x); y > 1e-12 {
					t.Fatalf("order %d: f(%v) = %v inside [%v, %v]", order, x, y, lower, v)
				}
			}
		}
	}
}

// The tail that ends the table of "two-step" never claims more than the rows it stands for.
func TestTwoStepTailIsBelowTheRows(t *testing.T) {
	q, err := Limits{Nodes: 3000, MaxEdges: 9000}.question()
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []float64{0.003, 0.01, 0.02, 0.05} {
		for _, rho := range []float64{0.2, 0.4, 0.6, 0.8} {
			proof := newTwoStep(q, rho, level)
			r := proof.rows(q)
			for d := len(r.table); d < q.n; d++ {
				if tail, row := r.tail(d), proof.row(d); tail > row {
					t.Fatalf("ρ %v γ %v d %d: tail %v above row %v", rho, level, d, tail, row)
				}
			}
		}
	}
}

// No matrix of any kind may contract faster than the bound for its own edges and degrees.
func TestNeverAboveAnyMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for trial := range 60 {
		g := randomGraph(t, rng, 3+rng.IntN(20))
		if trial%3 == 0 {
			n, d := 2*(4+rng.IntN(8)), 3+rng.IntN(4)
			var err error
			if g, err = topology.RandomRegular(n, d, uint64(trial)); err != nil {
				t.Fatal(err)
			}
		}
		if !g.Connected() {
			continue
		}
		fmmc := Limits{Nodes: g.Nodes(), MaxEdges: len(g.Edges()), Sign: design.NonNegative}
		fdla := Limits{Nodes: g.Nodes(), MaxEdges: len(g.Edges()), Sign: design.Free, Degrees: g.Degrees()}
		others := map[string]*mixing.Matrix{
			"random weights": mustMatrix(t, g, randomWeights(rng, g, false)),
			"signed weights": mustMatrix(t, g, randomWeights(rng, g, true)),
		}
		for name, rule := range map[string]func(*topology.Graph) (*mixing.Matrix, error){
			"best constant": mixing.BestConstantUnlimited, "metropolis": mixing.Metropolis,
			"limited constant": mixing.BestConstant,
		} {
			m, err := rule(g)
			if err != nil {
				t.Fatal(err)
			}
			others[name] = m
		}
		boundFMMC, boundFDLA := mustBest(t, fmmc), mustBest(t, fdla)
		for name, m := range others {
			s, err := m.Spectrum(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			b := boundFDLA
			if m.Nonnegative() && boundFMMC.RAsym > b.RAsym {
				b = boundFMMC
			}
			if b.RAsym > s.RAsym+1e-9 {
				t.Errorf("trial %d, %s on degrees %v: r_asym %.9f is below the bound %.9f (%s)",
					trial, name, g.Degrees(), s.RAsym, b.RAsym, b.Detail)
			}
		}
	}
}

// With W ⪰ μI the bound is on λ₂: shift matrices until their smallest eigenvalue is μ and compare.
func TestNeverAboveLambda2WithALimitedSpectrum(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for trial := range 40 {
		g := randomGraph(t, rng, 3+rng.IntN(12))
		m := mustMatrix(t, g, randomWeights(rng, g, trial%2 == 0))
		if trial%4 == 1 {
			var err error
			if m, err = mixing.BestConstant(g); err != nil {
				t.Fatal(err)
			}
		}
		s, err := m.Spectrum(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		mu := -0.6 + 1.2*rng.Float64()
		scale := (1 - mu) / (1 - s.LambdaN) // W ↦ I − scale·(I − W)
		setting := design.Free
		if m.Nonnegative() && 1-scale*(1-slices.Min(m.Self())) >= 0 {
			setting = design.NonNegative
		}
		lambda2 := 1 - scale*(1-s.Lambda2)
		for _, degrees := range [][]int{nil, g.Degrees()} {
			b := mustBest(t, Limits{Nodes: g.Nodes(), MaxEdges: len(g.Edges()), Degrees: degrees, Sign: setting,
				MinEigenvalue: &mu})
			if b.RAsym > lambda2+1e-9 {
				t.Errorf("trial %d, μ = %v, degrees %v, %s: λ₂ %.9f is below the bound %.9f (%s)",
					trial, mu, g.Degrees(), setting, lambda2, b.RAsym, b.Kind)
			}
		}
	}
}
