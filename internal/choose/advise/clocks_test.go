package advise_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/verify"
)

// sites are some sites of nodes that share a link of 1 Gb/s to the others.
func sites(count, nodes int, messageMB, computeMS float64) cluster.Spec {
	return cluster.Spec{Format: cluster.FormatV2,
		Model: &cluster.ModelSpec{MessageMB: &messageMB, ComputeMS: &computeMS},
		Tree: &cluster.Group{Groups: []cluster.Group{{Name: "site", Count: count, Nodes: nodes,
			Link: &cluster.Link{GBs: 25}, Uplink: &cluster.Link{GBs: 0.125}}}}}
}

func example(t *testing.T, name string) cluster.Spec {
	t.Helper()
	file, err := os.Open(filepath.Join("../../../examples", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c, err := cluster.Read(name, file)
	if err != nil {
		t.Fatal(err)
	}
	return c.Spec()
}

// advised is the advice on a cluster on which no static graph was searched for: with AdamW none would be compared.
func advised(t *testing.T, spec cluster.Spec, s advise.Setting) *advise.Advice {
	t.Helper()
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	a, err := advise.From(t.Context(), c, &sweep.Sweep{}, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// On slow links between sites the answer is exact, or mixes within 100 steps, and states its cost in steps and where
// that number comes from. What is recommended passes verify.
func TestSlowLinksGetExactAnswersWithTheirSource(t *testing.T) {
	for name, v := range map[string]struct {
		spec cluster.Spec
		kind advise.Kind
	}{
		"two sites of 8":  {sites(2, 8, 300, 900), advise.TwoClocks},
		"four sites of 4": {sites(4, 4, 100, 300), advise.TwoClocks},
		"edge-8":          {example(t, "edge-8"), ""},
	} {
		a := advised(t, v.spec, advise.Setting{Seed: 1, Optimizer: advise.AdamW})
		r := a.Recommended
		exact := r.Kind == advise.DDP || r.Plan.Kind == design.CollectiveKind
		if !exact && r.Meeting.Agree > 100 || v.kind != "" && r.Kind != v.kind {
			t.Errorf("%s: %s, every %d steps, agrees in %v", name, r.Name, r.Every, r.Meeting.Agree)
		}
		if r.Kind != advise.DDP && (r.Epochs < 1 || !strings.Contains(r.Source, "easured")) {
			t.Errorf("%s: %v times the steps, source %q", name, r.Epochs, r.Source)
		}
		report, err := verify.Check(t.Context(), r.Plan)
		if err != nil || report.Err() != nil {
			t.Errorf("%s: %v %v", name, err, report.Err())
		}
	}
}

// Where a description names no groups, they are found in the network: two regions of a measured matrix.
func TestGroupsAreFoundInAMatrix(t *testing.T) {
	const nodes = 8
	gbs := make([][]float64, nodes)
	for i := range gbs {
		gbs[i] = make([]float64, nodes)
		for j := range gbs[i] {
			switch {
			case i == j:
			case i%2 == j%2: // two regions, the even nodes and the odd ones
				gbs[i][j] = 10
			default:
				gbs[i][j] = 0.02
			}
		}
	}
	message, compute := 100.0, 300.0
	spec := cluster.Spec{Format: cluster.FormatV2, Matrix: &cluster.Matrix{GBs: gbs},
		Model: &cluster.ModelSpec{MessageMB: &message, ComputeMS: &compute}}
	a := advised(t, spec, advise.Setting{Seed: 1, Optimizer: advise.AdamW})
	var found *advise.Candidate
	for _, c := range a.All {
		if c.Kind == advise.TwoClocks {
			found = &c
		}
	}
	if found == nil {
		t.Fatalf("no local SGD between groups: %+v", a.Skipped)
	}
	if groups := found.Plan.Inside.Groups; len(groups) != 2 || groups[0][1]%2 != groups[0][0]%2 {
		t.Errorf("groups are %v", groups)
	}
}

// With SGD nobody measured local SGD between groups: it is named as such, and never compared.
func TestTwoClocksAreNotWeighedWithSGD(t *testing.T) {
	a := advised(t, sites(2, 4, 100, 300), advise.Setting{Seed: 1, Optimizer: advise.SGD})
	for _, c := range a.All {
		if c.Kind == advise.TwoClocks {
			t.Errorf("%s is compared", c.Name)
		}
	}
	said := false
	for _, s := range a.Skipped {
		said = said || s.Name == "local SGD between groups" && strings.Contains(s.Err.Error(), "with SGD no runs tell")
	}
	if !said {
		t.Errorf("nothing is said about it: %+v", a.Skipped)
	}
}

// A synchronous start is compared where the length of the job is known: its steps take as long as those of
// DistributedDataParallel, and the plan has its phases.
func TestPhasesAreWeighedWhereTheLengthIsKnown(t *testing.T) {
	spec := sites(2, 4, 8, 300) // 64 ms over the link between the sites, partly hidden behind the backward pass
	phased := func(steps int) *advise.Candidate {
		a := advised(t, spec, advise.Setting{Seed: 1, Optimizer: advise.AdamW, Steps: steps})
		for _, c := range a.All {
			if c.Kind == advise.TwoClocks && c.Clocks != nil && len(c.Clocks.Phases) > 0 {
				return &c
			}
		}
		return nil
	}
	if c := phased(0); c != nil {
		t.Errorf("without a length: %+v", c)
	}
	c := phased(3000)
	if c == nil {
		t.Fatal("no phases with 3000 steps")
	}
	first := c.Clocks.Phases[0]
	if len(c.Clocks.Phases) != 2 || first.Every != 0 || first.Steps < 100 || first.Steps > 1500 ||
		!strings.Contains(c.Text, "after a synchronous start of") {
		t.Errorf("%q has phases %+v", c.Text, c.Clocks.Phases)
	}
	plan := *c.Plan
	plan.Every, plan.Clocks = c.Every, *c.Clocks
	plan.Seal()
	if err := plan.Validate(); err != nil {
		t.Error(err)
	}
	on, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	together, err := cost.Synchronous(on, plan.Wire.OfGradients().Share())
	if err != nil {
		t.Fatal(err)
	}
	start, err := together.MeanOver(cost.DrawsOf(on), 0)
	if err != nil {
		t.Fatal(err)
	}
	last, err := plan.IterationMS(on)
	part := float64(first.Steps) / 3000
	if ms := part*start + (1-part)*last; err != nil || ms < 0.999*c.IterationMS || ms > 1.001*c.IterationMS {
		t.Errorf("an iteration takes %v ms, with the plan %v (%v)", c.IterationMS, ms, err)
	}
}

// A late average is compared as it was run: its rounds hide behind gradients, and it costs more steps.
func TestLateAveragesAreWeighed(t *testing.T) {
	for _, c := range advised(t, sites(2, 4, 80, 300), advise.Setting{Seed: 1, Optimizer: advise.AdamW}).All {
		if c.Name != "local SGD between 2 groups of 4" {
			continue
		}
		if c.Every != 16 || c.Clocks.DelaySteps != 4 || c.IterationMS > 305 || c.Epochs < 1.3 ||
			!strings.Contains(c.Text, "used 4 steps late") {
			t.Errorf("%q every %d: %v ms, %v times the steps, %+v", c.Text, c.Every, c.IterationMS, c.Epochs, c.Clocks)
		}
		return
	}
	t.Error("there is no local SGD between groups")
}

// Where one group alone is more than a tenth sooner to the same loss than the best on all machines, that is the answer.
// It is compared by the steps that runs with fewer nodes took, and by samples with what averages gradients.
func TestAGroupAloneIsTheAnswerWhereItIsFaster(t *testing.T) {
	for _, tc := range []struct {
		messageMB float64
		leave     bool
	}{{20000, true}, {80, false}} {
		a := advised(t, sites(2, 8, tc.messageMB, 900), advise.Setting{Seed: 1, Optimizer: advise.AdamW})
		leave := a.Leave()
		if (leave != nil) != tc.leave {
			t.Fatalf("%v MB: %+v", tc.messageMB, a.Recommended)
		}
		if leave == nil {
			continue
		}
		r, rest := a.Recommended, a.Of(advise.TwoClocks)
		if len(leave.Keep) != 8 || r.Source == "" || r.Epochs <= 1 || r.Epochs >= 2 || rest == nil ||
			!(r.PessimisticMS < 1.1*rest.PessimisticMS) {
			t.Errorf("%v MB: %+v beside %+v", tc.messageMB, r, rest)
		}
		if best := a.BestSimple(); best.Name != r.Name {
			t.Errorf("the best simple alternative is %+v", best)
		}
	}
}

// Halving and doubling cuts copies again on their way, which in 8 bits would round them twice: no run takes it.
func TestEightBitsAreCopiedWhole(t *testing.T) {
	spec := sites(8, 2, 350, 200)
	spec.PerMessageMS = 20
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	var groups [][]int
	for k := range 8 {
		groups = append(groups, []int{2 * k, 2*k + 1})
	}
	for wire, want := range map[design.Wire]bool{design.FP32: true, design.INT8: false} {
		plan, err := advise.AmongGroups(t.Context(), c, groups, wire, 1)
		if err != nil {
			t.Fatal(err)
		}
		if doubling := len(plan.Collective.Steps) == 6; doubling != want {
			t.Errorf("wire %q: %d steps", wire, len(plan.Collective.Steps))
		}
	}
}

// Where links are slow, few bits in pieces win: the plan has them, its price is what verify finds, and no candidate
// sends fewer bits in a way that was not run.
func TestFewBitsInPiecesAreWeighed(t *testing.T) {
	spec := sites(2, 4, 350, 100)
	a := advised(t, spec, advise.Setting{Optimizer: advise.AdamW})
	p := a.Recommended.Plan
	if p == nil || !p.Wire.Few() || p.Pieces != p.Every || p.Average != design.Changes {
		t.Fatalf("the answer is %+v", a.Recommended)
	}
	report, err := verify.Check(t.Context(), p)
	if err != nil || report.Err() != nil {
		t.Error(err, report.Err())
	}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	if ms, err := p.IterationMS(c); err != nil || math.Abs(ms/a.Recommended.IterationMS-1) > 1e-9 {
		t.Errorf("the plan takes %v ms a step, the answer says %v: %v", ms, a.Recommended.IterationMS, err)
	}
	seen := 0
	for _, k := range a.All {
		if k.Pieces() == 1 {
			continue
		}
		seen++
		if k.Kind != advise.TwoClocks || k.Pieces() != k.Every || !strings.Contains(k.Source, "in pieces") ||
			!strings.Contains(k.Text, "travels in every step") {
			t.Errorf("%s every %d: %s, %s", k.Name, k.Every, k.Text, k.Source)
		}
	}
	if seen < 4 {
		t.Errorf("only %d candidates in pieces", seen)
	}
}

// Between more than two groups few bits go straight to the group that sums them: sums were never rounded on their way.
func TestFewBitsGoStraightToTheSum(t *testing.T) {
	c, err := cluster.New(sites(4, 2, 350, 100))
	if err != nil {
		t.Fatal(err)
	}
	groups := [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}}
	plan, err := advise.AmongGroups(t.Context(), c, groups, design.INT1, 4)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Collective.Steps) != 2 || plan.Collective.Chunks > 1 || plan.Pieces != 4 || plan.Every != 4 {
		t.Errorf("%+v, %d pieces every %d", plan.Collective, plan.Pieces, plan.Every)
	}
	if whole := c.Model().MessageMB; plan.MessageShare()*whole > whole/110 {
		t.Errorf("a round sends %v of %v MB", plan.MessageShare()*whole, whole)
	}
}
