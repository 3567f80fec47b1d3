package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
)

// Two sites of four nodes. The slow link decides: what crosses it less often, or in fewer bits, takes less time.
func TestClocksOfTwoSites(t *testing.T) {
	c, err := cluster.Read("sites.yaml", strings.NewReader(`format: batopo.cluster/v2
tree:
  groups:
    - {name: a, nodes: 4, link: 200Mb/s, uplink: 20Mb/s}
    - {name: b, nodes: 4, link: 200Mb/s, uplink: 20Mb/s}
per_message_ms: 0.3
model: {message_mb: 3.2, compute_ms: 200}
`))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	ms, err := makeClocks(t.Context(), c, folder, cost.BucketMB)
	if err != nil {
		t.Fatal(err)
	}
	order := []string{"alone", "clocks-16-int8", "clocks-16", "hook-fp16", "ddp-fp16", "hook", "ddp", "ddp-4-batches"}
	for k, name := range order[1:] {
		if !(ms[name] > ms[order[k]]) {
			t.Errorf("%s takes %v ms, %s %v", name, ms[name], order[k], ms[order[k]])
		}
	}
	for name, want := range clockPlans {
		p, err := design.ReadPlanFile(filepath.Join(folder, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if p.Every != want.every || p.DelaySteps != want.delay || p.Wire != want.wire || !p.Inside.Gradients {
			t.Errorf("%s has every %d, delay %d, wire %q", name, p.Every, p.DelaySteps, p.Wire)
		}
		if want.delay > 0 && !(ms[name] <= ms["alone"]*1.001) {
			t.Errorf("%s takes %v ms; its averages hide behind a period, so it takes %v", name, ms[name], ms["alone"])
		}
	}
}
