package advise_test

import (
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/verify"
)

// Averages of parameters are compared in 16 bits too, and taken where that gains a tenth: half the bytes, the steps
// that runs in 16 bits needed, and a note that says so. Exact ones send changes. What the plan says is what was priced.
func TestSixteenBitsAreWeighedForAveragesOfParameters(t *testing.T) {
	spec := sites(4, 2, 150, 300)
	given := advise.Setting{Seed: 1, Optimizer: advise.AdamW}
	only := given
	only.Wire = "fp32"
	half, full := advised(t, spec, given), advised(t, spec, only)
	rows := map[string]advise.Candidate{}
	for _, c := range full.All {
		if c.Numerics != "" || c.Plan != nil && c.Plan.Wire != design.FP32 {
			t.Errorf("%s is not in 32 bits", c.Name)
		}
		rows[c.Name] = c
	}
	rounded, measured := 0, adamw.Measured().Rounding("exact")
	more, _ := measured.Log()
	for _, c := range half.All {
		if c.Kind.Gradients() || c.Numerics == "" {
			continue
		}
		rounded++
		other, ok := rows[strings.TrimSuffix(c.Name, ", bf16")]
		if !ok || c.Name == other.Name || c.PessimisticMS > 0.9*other.PessimisticMS {
			t.Errorf("%s takes %v ms, %v without rounding", c.Name, c.PessimisticMS, other.PessimisticMS)
		}
		if c.Plan.Wire != design.BF16 || c.Plan.Average != design.Changes ||
			!strings.Contains(c.Numerics, measured.Text(true)) {
			t.Errorf("%s: wire %q, averages %q, %q", c.Name, c.Plan.Wire, c.Plan.Average, c.Numerics)
		}
		if off := c.Epochs/other.Epochs/math.Exp(more) - 1; c.Every == other.Every && math.Abs(off) > 1e-12 ||
			c.Deviation < other.Deviation && c.Every == other.Every {
			t.Errorf("%s needs %v (± %v) times the steps, %v (± %v) without rounding", c.Name, c.Epochs, c.Deviation,
				other.Epochs, other.Deviation)
		}
	}
	wished := given
	wished.Wire = design.BF16
	r := advised(t, spec, wished).Recommended
	if rounded == 0 || r.Kind != advise.TwoClocks || r.Plan.Wire != design.BF16 || !half.Recommended.Plan.Wire.Few() {
		t.Errorf("%d rows are rounded; recommended are %s and %s", rounded, r.Name, half.Recommended.Name)
	}
	holds(t, spec, r)
	holds(t, spec, half.Recommended)
}

// holds checks that a candidate's plan passes verify and takes as long as the candidate is said to.
func holds(t *testing.T, spec cluster.Spec, r advise.Candidate) {
	t.Helper()
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	if report, err := verify.Check(t.Context(), r.Plan); err != nil || report.Err() != nil {
		t.Errorf("%s: %v %v", r.Name, err, report.Err())
	}
	ms, err := r.Plan.IterationMS(r.Cluster(c))
	if k := float64(r.Accumulate); r.Kind == advise.Accumulated { // k − 1 batches are only computed
		ms = (ms + (k-1)*slowest(c)) / k
	}
	if err != nil || math.Abs(ms-r.IterationMS) > 1e-9*ms && !r.Whole {
		t.Errorf("%s takes %v ms, its plan %v (%v)", r.Name, r.IterationMS, ms, err)
	}
	if ms := r.Plan.CommunicationMS; math.Abs(ms-r.LongestMS) > 1e-9*ms && !r.Kind.Gradients() {
		t.Errorf("rounds of %s take %v ms, those of its plan %v", r.Name, r.LongestMS, ms)
	}
}

// Where rounds cost next to nothing, numbers stay as they are.
func TestSixteenBitsMustGainATenth(t *testing.T) {
	for _, c := range advised(t, sites(4, 2, 0.5, 300), advise.Setting{Seed: 1, Optimizer: advise.AdamW}).All {
		if !c.Kind.Gradients() && c.Numerics != "" {
			t.Errorf("%s: %v ms, %s", c.Name, c.IterationMS, c.Numerics)
		}
	}
}

// A wire that the user wants is used by every row, whatever kind it is, and gradients inside groups travel on it too.
func TestAWireIsThatOfEveryRow(t *testing.T) {
	for _, wire := range []design.Wire{"fp32", design.BF16, design.FP16} {
		want := wire
		if wire == "fp32" {
			want = design.FP32
		}
		spec, tried := sites(2, 2, 200, 50), map[advise.Kind]bool{}
		wish := advise.Wish{Wire: wire}
		all := advised(t, spec, advise.Setting{Seed: 1, Optimizer: advise.AdamW, Wish: wish}).All
		for k, row := range all {
			if tried[row.Kind] || row.Kind == advise.Alone { // which sends nothing
				continue
			}
			tried[row.Kind] = true
			wish.Choose = k + 1
			a := advised(t, spec, advise.Setting{Seed: 1, Optimizer: advise.AdamW, Wish: wish})
			if r := a.Recommended; r.Name != row.Name || r.Plan.Wire != want || (r.Numerics == "") != (want == design.FP32) ||
				want != design.FP32 && !strings.Contains(r.Text+r.Numerics, string(want)) {
				t.Errorf("row %d is %s, chosen is %s with wire %q; numerics %q", k+1, row.Name, r.Name, r.Plan.Wire, r.Numerics)
			}
			holds(t, spec, a.Recommended)
			if a.DDP == nil || a.DDP.Plan.Wire != design.FP32 {
				t.Errorf("%s is not compared with DistributedDataParallel as people run it: %+v", row.Name, a.DDP)
			}
		}
		ddp := advise.DDP
		if want != design.FP32 {
			ddp = advise.HalfDDP
		}
		if !tried[ddp] || !tried[advise.Collective] || !tried[advise.TwoClocks] {
			t.Errorf("%s: rows of kinds %v", wire, tried)
		}
	}
}

// Graphs and schedules are compared in 16 bits with SGD. Quasi-global momentum needs averages of parameters, so exact
// ones are not rounded to changes there.
func TestSixteenBitsWithSGD(t *testing.T) {
	for momentum, changes := range map[train.Momentum]bool{train.Local: true, train.QuasiGlobal: false} {
		c, err := twoRacks(t).WithMessage(2000)
		if err != nil {
			t.Fatal(err)
		}
		a, err := batopo.Advise(t.Context(), c, batopo.Options{Optimizer: "sgd", Momentum: momentum, Evaluations: 100})
		if err != nil {
			t.Fatal(err)
		}
		var gossip, exact int
		for _, c := range a.Advice.All {
			switch {
			case c.Kind.Gradients() || c.Numerics == "":
			case c.Kind == advise.Collective:
				exact++
			case c.Plan.Average != design.Parameters || c.Kind == advise.TwoLevel:
				t.Errorf("%s averages %q", c.Name, c.Plan.Average)
			default:
				gossip++
			}
		}
		if gossip == 0 || (exact > 0) != changes {
			t.Errorf("%s: %d graphs and schedules and %d all-reduces are rounded", momentum, gossip, exact)
		}
	}
}
