package advise

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/train"
)

// sweptFor returns a short sweep for training.
func sweptFor(t testing.TB, c *cluster.Cluster) *sweep.Sweep {
	t.Helper()
	swept, err := sweep.New(t.Context(), design.Problem{Cluster: c, Purpose: design.Training},
		sweep.Settings{Seed: 1, Evaluations: 200})
	if err != nil {
		t.Fatal(err)
	}
	return swept
}

// The tip is what planning with the other momentum answers, which compares nothing that drives nodes apart; its gain is
// beyond the convergence model's error.
func TestTipIsWhatTheOtherMomentumAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("searches for long; make deep does")
	}
	c, err := cluster.ReadFile("../../../examples/edge-8.yaml")
	if err != nil {
		t.Fatal(err)
	}
	swept := sweptFor(t, c)
	here, f, err := decide(t.Context(), c, swept, Setting{Seed: 1, Optimizer: SGD}, (*list).fill, untold)
	if err != nil {
		t.Fatal(err)
	}
	f.now.PredictedMS *= 4 // whatever the convergence model says, the other is now predicted to be clearly faster
	tip := f.tip(t.Context())
	if tip == nil {
		t.Fatal("no tip")
	}
	there, g, err := decide(t.Context(), c, swept, Setting{Seed: 1, Momentum: train.QuasiGlobal}, (*list).fill, untold)
	if err != nil {
		t.Fatal(err)
	}
	r := there.Recommended
	if tip.Winner.Name != r.Name || tip.Winner.Every != r.Every || tip.Winner.Order != r.Order {
		t.Errorf("the tip is %s every %d, the answer %s every %d", tip.Winner.Name, tip.Winner.Every, r.Name, r.Every)
	}
	// Epochs of exact averaging change by the convergence model's term of the momentum alone, since there is no skew.
	momentum := 0.0
	for _, term := range MeasuredConvergence().Terms {
		if strings.Join(term.Product, " ") == "quasi" {
			momentum = term.Coefficient
		}
	}
	want := 4 * here.Recommended.PredictedMS / r.PredictedMS / math.Exp(momentum)
	if math.Abs(tip.Gain/want-1) > 1e-9 || !(tip.Gain > tip.Error) || !(tip.Error > 1) {
		t.Errorf("gain %v ± %v; want %v, beyond the error", tip.Gain, tip.Error, want)
	}
	g.w = newPredictor(g.w.model, g.w.setting)
	if won, ok := g.winner(g.here, r.PessimisticMS/100); ok && !won.Kind.Gradients() {
		t.Errorf("%s is far above the limit", won.Name)
	}
	for p, m := range g.w.known {
		if len(m.unstable) > 0 {
			t.Errorf("%s was followed step by step, although it cannot come below the limit", p.name)
		}
	}
	if g.tip(t.Context()) != nil {
		t.Error("quasi-global momentum is recommended to somebody who has it")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f.tip(ctx) != nil {
		t.Error("a tip after the time was over")
	}
	const rounding = 1 + 1e-9
	f.now.PredictedMS /= rounding * tip.Gain / tip.Error
	if f.tip(t.Context()) != nil {
		t.Error("a tip for a gain that is not beyond the error")
	}
}

// Whether to tell of another momentum costs little beside the answer, also where compute times vary.
func BenchmarkTip(b *testing.B) {
	spec := cluster.Homogeneous(32, cluster.PaperBandwidthGBs)
	spec.Format = cluster.FormatV2
	compute := cluster.PaperComputeMS
	spec.Model = &cluster.ModelSpec{ComputeMS: &compute, JitterMS: cluster.Numbers{3}}
	c, err := cluster.New(spec)
	if err != nil {
		b.Fatal(err)
	}
	swept := sweptFor(b, c)
	_, f, err := decide(b.Context(), c, swept, Setting{Seed: 1}, (*list).fill, untold)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f.tip(b.Context())
	}
}
