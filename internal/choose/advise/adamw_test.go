package advise_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/train"
)

// slowLinks are eight nodes whose message takes much longer than the gradient.
func slowLinks(messageMB float64) cluster.Spec {
	spec := cluster.Homogeneous(8, 1)
	compute := 20.0
	spec.Model = &cluster.ModelSpec{MessageMB: &messageMB, ComputeMS: &compute}
	return spec
}

// With AdamW all numbers are those of the table, and nothing else is compared.
func TestAdamWHasMeasuredStepsOnly(t *testing.T) {
	a := advice(t.Context(), t, slowLinks(100), advise.Setting{Seed: 1})
	if a.Setting.Optimizer != advise.AdamW {
		t.Fatalf("the optimizer is %q", a.Setting.Optimizer)
	}
	table := adamw.Measured()
	exact := 0
	for _, c := range a.All {
		switch {
		case c.Whole:
			if c.Epochs != 1 || c.Deviation != 0 || c.Accumulate < 2 {
				t.Errorf("%s: %v times the steps of DDP, %d parts of a batch", c.Name, c.Epochs, c.Accumulate)
			}
		case c.On != nil:
			if c.Epochs <= 1 || c.Source == "" {
				t.Errorf("%s: %v times the steps of DDP, %q", c.Name, c.Epochs, c.Source)
			}
		case c.Kind == advise.Accumulated:
			if want, err := table.Accumulated(2, 0); err != nil || c.Accumulate != 2 || math.Abs(c.Epochs-want.Ratio) > 1e-12 {
				t.Errorf("%s: %v times the batches of DDP; the table has %+v, %v", c.Name, c.Epochs, want, err)
			}
		case c.Kind.Gradients():
			if c.Epochs != 1 || c.Deviation != 0 || c.RateNote() != "" {
				t.Errorf("%s: %v times the steps of DDP ± %v, %q", c.Name, c.Epochs, c.Deviation, c.RateNote())
			}
		case c.Kind == advise.Collective:
			exact++
			bits := 32
			if c.Plan.Wire == design.BF16 {
				bits = 16
			}
			want, err := table.Steps(adamw.Averaging{Models: 8, Every: c.Every, Bits: bits})
			if err != nil || math.Abs(c.Epochs-want.Ratio) > 1e-12 || c.Source != want.Source || c.Overlap {
				t.Errorf("%s every %d steps: %v, %q; the table has %+v, %v", c.Name, c.Every, c.Epochs, c.Source, want, err)
			}
		default:
			name := strings.TrimSuffix(c.Name, ", bf16")
			if _, err := table.Steps(adamw.Averaging{Process: name, Models: 8, Every: c.Every}); err != nil {
				t.Errorf("%s every %d steps is compared: %v", c.Name, c.Every, err)
			}
		}
	}
	if exact == 0 {
		t.Error("no all-reduce of parameters was compared")
	}
	unknown := 0
	for _, s := range a.Skipped {
		if errors.Is(s.Err, adamw.ErrUnmeasured) {
			unknown++
		}
	}
	if unknown == 0 || unknown > 2 {
		t.Errorf("what was never measured is named in %d entries of %+v", unknown, a.Skipped)
	}
}

// The plan of an average of parameters says at which learning rate it is worth what was predicted.
func TestAdamWPlansSayTheLearningRate(t *testing.T) {
	a := advice(t.Context(), t, slowLinks(30), advise.Setting{Seed: 1})
	row := slices.IndexFunc(a.All, func(c advise.Candidate) bool { return c.Kind == advise.Collective && c.Rate == 2 })
	if row < 0 {
		t.Fatalf("no all-reduce at twice the rate among %+v", a.All)
	}
	r := advice(t.Context(), t, slowLinks(30), advise.Setting{Seed: 1, Wish: advise.Wish{Choose: row + 1}}).Recommended
	if rate := r.Plan.Answer.Rows[0].LearningRate; rate != 2 ||
		!strings.HasPrefix(r.RateNote(), "learning rate: 2 times the best one") {
		t.Errorf("%q; the plan says %v", r.RateNote(), rate)
	}
	sgd := advice(t.Context(), t, slowLinks(30), advise.Setting{Seed: 1, Optimizer: advise.SGD}).Recommended
	if sgd.RateNote() != "" || sgd.Source != "" {
		t.Errorf("SGD: %q", sgd.RateNote())
	}
}

// AdamW is what most people train with; SGD is assumed with what only runs with SGD tell about.
func TestOptimizerWhereNoneIsNamed(t *testing.T) {
	with := func(spec cluster.Spec) *cluster.Cluster {
		c, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	mine, papers := with(slowLinks(100)), with(cluster.Homogeneous(8, 1))
	for _, c := range []struct {
		on   *cluster.Cluster
		s    advise.Setting
		want advise.Optimizer
	}{
		{mine, advise.Setting{}, advise.AdamW}, {papers, advise.Setting{}, advise.SGD},
		{mine, advise.Setting{}.WithDefaults(), advise.AdamW}, // as Options fill it in
		{mine, advise.Setting{Skew: 0.1}, advise.SGD}, {mine, advise.Setting{Norm: advise.GroupNorm}, advise.SGD},
		{mine, advise.Setting{Momentum: train.QuasiGlobal}, advise.SGD},
		{papers, advise.Setting{Optimizer: advise.AdamW}, advise.AdamW},
		{mine, advise.Setting{Optimizer: advise.SGD}, advise.SGD},
	} {
		if got := c.s.On(c.on); got.Optimizer != c.want || got.Validate() != nil {
			t.Errorf("%+v: %q, %v; want %q", c.s, got.Optimizer, got.Validate(), c.want)
		}
	}
	for _, s := range []advise.Setting{{Optimizer: "lion"}, {Optimizer: advise.AdamW, Norm: advise.GroupNorm},
		{Optimizer: advise.AdamW, Momentum: train.QuasiGlobal}, {Optimizer: advise.SGD, Steps: 100}, {Steps: -1}} {
		if err := s.Validate(); err == nil {
			t.Errorf("%+v is no setting that runs tell about", s)
		}
	}
}

// Under skew nothing is known with AdamW but synchronous training.
func TestAdamWUnderSkew(t *testing.T) {
	c, err := cluster.New(slowLinks(100))
	if err != nil {
		t.Fatal(err)
	}
	a, err := advise.From(t.Context(), c, &sweep.Sweep{}, advise.Setting{Optimizer: advise.AdamW, Skew: 0.1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range a.All {
		if !c.Kind.Gradients() {
			t.Errorf("%s is compared", c.Name)
		}
	}
}
