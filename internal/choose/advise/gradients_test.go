package advise

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/verify"
)

// On 8 fast and 8 slow nodes batopo's all-reduce takes little more than half the time of a ring, and half the bytes
// half of that. Plans say what travels, and verify agrees.
func TestGradientsTakeTheirWayOverUnequalLinks(t *testing.T) {
	c, err := cluster.ReadFile("../../../examples/node-level-16.yaml")
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := decide(t.Context(), c, sweptFor(t, c), Setting{Seed: 1}, (*list).fill, untold)
	if err != nil {
		t.Fatal(err)
	}
	ddp, half, hook, both := a.Of(DDP), a.Of(HalfDDP), a.Of(Hook), a.Of(HalfHook)
	if ddp == nil || half == nil || hook == nil || both == nil {
		t.Fatalf("DDP %v, in 16 bits %v, hook %v, in 16 bits %v", ddp, half, hook, both)
	}
	if !(hook.IterationMS < 0.85*ddp.IterationMS && both.IterationMS < 0.9*half.IterationMS) {
		t.Errorf("DDP %v and %v ms in 16 bits, with the hook %v and %v", ddp.IterationMS, half.IterationMS,
			hook.IterationMS, both.IterationMS)
	}
	for wire, list := range map[design.Wire][]*Candidate{design.FP32: {ddp, hook}, design.BF16: {half, both}} {
		for _, c := range list {
			plan := c.runnable()
			if plan.Average != design.Gradients || plan.Wire != wire || plan.Every != 1 || plan.Overlap {
				t.Errorf("%s: %q in %q, every %d, overlap %v", c.Name, plan.Average, plan.Wire, plan.Every, plan.Overlap)
			}
			if report, err := verify.Check(t.Context(), plan); err != nil || report.Err() != nil {
				t.Errorf("%s: %v, %v", c.Name, err, report.Err())
			}
			if c.Epochs != 1 || (c.Numerics != "") != (wire != design.FP32) {
				t.Errorf("%s: %v epochs; numerics: %q", c.Name, c.Epochs, c.Numerics)
			}
		}
	}
	if a.Recommended.Kind != HalfHook {
		t.Errorf("recommended %s", a.Recommended.Name)
	}
	kinds := map[Kind]bool{}
	for _, c := range a.Unmeasured {
		kinds[c.Kind] = true
		if c.Unmeasured == "" || c.Kind == Accumulated && !(c.Accumulate == 2 && c.IterationMS < ddp.IterationMS) {
			t.Errorf("%+v", c)
		}
	}
	if len(kinds) != 2 || !kinds[Accumulated] || !kinds[LowRank] {
		t.Errorf("not measured: %v", kinds)
	}
	if a.Ranks != nil {
		t.Errorf("nodes 0 to 7 are equal, and so are the others, but their order matters: %+v", a.Ranks)
	}
}

// Fewer bits must gain a tenth, and what has no known epochs is never chosen.
func TestFewerBitsMustGainATenth(t *testing.T) {
	list := func(halfMS float64) []Candidate {
		return []Candidate{{Kind: DDP, Every: 1, PessimisticMS: 100},
			{Kind: HalfDDP, Every: 1, PessimisticMS: halfMS, Numerics: "rounded"},
			{Kind: LowRank, Every: 1, PessimisticMS: 1, Unmeasured: "not run"}}
	}
	for halfMS, want := range map[float64]Kind{91: DDP, 89: HalfDDP} {
		all := list(halfMS)
		if got := all[Choose(all)].Kind; got != want {
			t.Errorf("%v ms in 16 bits and 100 in 32: %s; want %s", halfMS, got, want)
		}
	}
}

// Between neighbours by number links are slow: in another order a ring is ten times as fast.
func TestTheOrderOfRanksIsFound(t *testing.T) {
	const n = 8
	gbs := make([][]float64, n)
	for i := range gbs {
		for j := range n {
			rate := 10.
			if d := (i - j + n) % n; d == 1 || d == n-1 {
				rate = 1
			}
			if i == j {
				rate = 0
			}
			gbs[i] = append(gbs[i], rate)
		}
	}
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Matrix: &cluster.Matrix{GBs: gbs}})
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := decide(t.Context(), c, sweptFor(t, c), Setting{Seed: 1}, (*list).fill, untold)
	if err != nil {
		t.Fatal(err)
	}
	r := a.Ranks
	if r == nil || r.NumberedMS < 9*r.MS {
		t.Fatalf("%+v", r)
	}
	for k, i := range r.Order {
		if gbs[i][r.Order[(k+1)%n]] != 10 {
			t.Errorf("%v: %d and its follower have a slow link", r.Order, i)
		}
	}
}
