package advise_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
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

// On slow links between sites the answer is exact, or mixes within 100 steps, and states its cost in steps and where
// that number comes from. What is recommended passes verify.
func TestSlowLinksGetExactAnswersWithTheirSource(t *testing.T) {
	for name, v := range map[string]struct {
		spec cluster.Spec
		kind advise.Kind
	}{
		"two sites of 8":  {sites(2, 8, 5200, 900), advise.TwoClocks},
		"four sites of 4": {sites(4, 4, 500, 300), advise.TwoClocks},
		"edge-8":          {example(t, "edge-8"), ""},
	} {
		a := advice(t.Context(), t, v.spec, advise.Setting{Seed: 1, Optimizer: advise.AdamW})
		for _, c := range a.All {
			t.Logf("%s: %s every %d: %.1f ms, %.3f ± %.3f, cautious %.0f", name, c.Name, c.Every, c.IterationMS, c.Epochs, c.Deviation, c.CautiousMS)
		}
		for _, s := range a.Skipped {
			t.Logf("   not: %s: %v", s.Name, s.Err)
		}
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
