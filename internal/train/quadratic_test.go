package train_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/mat"
)

// quadratic is f_i(x) = ½ Σ_k a_ik (x_k − c_ik)², with a and c of each node in a row.
type quadratic struct{ a, c *mat.Dense }

func newQuadratic(nodes, params int) quadratic {
	rng := rand.New(rand.NewPCG(1, 2))
	q := quadratic{mat.NewDense(nodes, params, nil), mat.NewDense(nodes, params, nil)}
	for i := range nodes {
		for k := range params {
			q.a.Set(i, k, 0.5+rng.Float64())
			q.c.Set(i, k, rng.NormFloat64())
		}
	}
	return q
}

func (q quadratic) Params() int { _, p := q.a.Dims(); return p }

func (q quadratic) Start(x []float64) {
	for k := range x {
		x[k] = math.Sin(float64(k))
	}
}

func (q quadratic) Gradient(dst, x []float64, node, _ int) (loss float64) {
	for k := range x {
		d := x[k] - q.c.At(node, k)
		dst[k] = q.a.At(node, k) * d
		loss += dst[k] * d / 2
	}
	return loss
}

// dense is the same recursion on matrices with a row per node, written down as the package comment has it.
func (q quadratic) dense(w func(round int) *mat.Dense, s train.Settings, steps int) *mat.Dense {
	n, p := q.a.Dims()
	x, v := mat.NewDense(n, p, nil), mat.NewDense(n, p, nil)
	for i := range n {
		q.Start(x.RawRowView(i))
	}
	identity := mat.NewDense(n, n, nil)
	for i := range n {
		identity.Set(i, i, 1)
	}
	product := func(a, b mat.Matrix) *mat.Dense { var c mat.Dense; c.Mul(a, b); return &c }
	sum := func(a mat.Matrix, f float64, b mat.Matrix) *mat.Dense { // a + f·b
		var c mat.Dense
		c.Scale(f, b)
		c.Add(a, &c)
		return &c
	}
	for t := range steps {
		mixes, round := (t+1)%s.Every == 0, identity
		if mixes {
			round = w(t / s.Every)
		}
		var g mat.Dense
		g.Sub(x, q.c)
		g.MulElem(q.a, &g)
		gradient := sum(&g, s.WeightDecay, x)
		var d *mat.Dense
		if s.Momentum == train.Mixed && s.Order == design.CombineThenAdapt {
			d = sum(gradient, s.Beta, product(round, v))
		} else {
			d = sum(gradient, s.Beta, v)
		}
		old := x
		if s.Order == design.AdaptThenCombine {
			x = product(round, sum(x, -s.Rate, d))
		} else {
			x = sum(product(round, x), -s.Rate, d)
		}
		switch {
		case s.Momentum == train.QuasiGlobal:
			way := sum(old, -1, x)
			var u mat.Dense
			u.Scale(s.Beta, v)
			v = sum(&u, (1-s.Beta)/s.Rate, way)
		case s.Momentum == train.Mixed && s.Order == design.AdaptThenCombine:
			v = product(round, d)
		default:
			v = d
		}
	}
	return x
}

// The recursion of every order, momentum and H over static, directed, time-varying and exact averaging equals the
// recursion of dense matrices. There are more parameters than are updated at a time.
func TestQuadraticFollowsTheDenseRecursion(t *testing.T) {
	const nodes, params, steps = 8, 1100, 30
	q := newQuadratic(nodes, params)
	hardware, err := cluster.New(cluster.Homogeneous(nodes, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	exact := mat.NewDense(nodes, nodes, nil)
	exact.Apply(func(_, _ int, _ float64) float64 { return 1.0 / nodes }, exact)
	ways := map[string]*mixing.Schedule{"exact": nil}
	if ways["one-peer exponential"], err = mixing.OnePeerExponential(nodes); err != nil {
		t.Fatal(err)
	}
	for _, f := range mixing.Families {
		if f.Name == "ring" || f.Name == "exponential" {
			w, err := f.Build(mixing.Params{Nodes: nodes})
			if err != nil {
				t.Fatal(err)
			}
			ways[f.Name] = mixing.Static(w)
		}
	}
	for name, schedule := range ways {
		w := func(round int) *mat.Dense {
			if schedule == nil {
				return exact
			}
			return schedule.Round(round).Dense()
		}
		for _, order := range []design.Order{design.AdaptThenCombine, design.CombineThenAdapt} {
			for _, momentum := range []train.Momentum{train.Local, train.QuasiGlobal, train.Mixed} {
				for _, every := range []int{1, 3} {
					s := train.Settings{Rate: 0.05, Beta: 0.8, Momentum: momentum, WeightDecay: 0.01, Order: order, Every: every}
					t.Run(fmt.Sprintf("%s/%s/%s/%d", name, order, momentum, every), func(t *testing.T) {
						run, err := train.New(hardware, train.Entry{W: schedule, Settings: s}, q)
						if err != nil {
							t.Fatal(err)
						}
						if run.Advance(t.Context(), steps) != steps {
							t.Fatal("stopped early")
						}
						compareModels(t, run, q.dense(w, s, steps), nodes)
					})
				}
			}
		}
	}
}

func compareModels(t *testing.T, run *train.Run, want *mat.Dense, nodes int) {
	t.Helper()
	worst := 0.0
	for i := range nodes {
		for k, got := range run.Model(i) {
			worst = max(worst, math.Abs(got-want.At(i, k)))
		}
	}
	// Values are of size 1; thirty steps of rounding.
	if !(worst <= 1e-12) {
		t.Errorf("models differ by %g, want at most 1e-12", worst)
	}
	if change := math.Abs(run.Model(0)[0] - math.Sin(0)); change < 1e-3 {
		t.Errorf("the model moved by %g only; the comparison says nothing", change)
	}
}
