package advise_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
)

// Two sites of 8 nodes with a slow line between them: the flat schedule that uses the line once in 8 rounds is fast and
// hardly mixes. Nothing is recommended, or listed, that mixes more slowly than what was trained.
func TestNothingMixesMoreSlowlyThanWhatWasTrained(t *testing.T) {
	if testing.Short() {
		t.Skip("searches for long; make deep does")
	}
	for name, spec := range slowClusters(t) {
		for _, c := range advice(t.Context(), t, spec, advise.Setting{Seed: 1, Optimizer: advise.SGD}).All {
			if m := c.Meeting; m.Agree > 78 || m.Node < 1 || float64(m.Node) > m.Agree || m.Group > 0 && float64(m.Group) > m.Agree {
				t.Errorf("%s: %s, every %d steps: %+v", name, c.Name, c.Every, m)
			}
			exact := c.Kind == advise.DDP || c.Kind == advise.Collective
			if exact && (c.Meeting.Agree != float64(c.Every) || c.Meeting.Node != c.Every) {
				t.Errorf("%s: %s, every %d steps: %+v; all meet in every round", name, c.Name, c.Every, c.Meeting)
			}
		}
	}
}

func slowClusters(t *testing.T) map[string]cluster.Spec {
	t.Helper()
	message, compute := 2600.0, 400.0
	out := map[string]cluster.Spec{"two sites": {Format: cluster.FormatV2,
		Model: &cluster.ModelSpec{MessageMB: &message, ComputeMS: &compute},
		Tree: &cluster.Group{Groups: []cluster.Group{{Name: "site", Count: 2, Nodes: 8, Link: &cluster.Link{GBs: 100},
			Uplink: &cluster.Link{GBs: 0.125}}}}}}
	for _, example := range []string{"edge-8", "wan-asymmetric"} {
		file, err := os.Open(filepath.Join("../../../examples", example+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		c, err := cluster.Read(example, file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		out[example] = c.Spec()
	}
	return out
}

// A pair that meets once in a period of four rounds, one in every eighth step.
func TestWaitsBetweenMeetingsAreCounted(t *testing.T) {
	spec := slowClusters(t)["two sites"]
	found := false
	for _, c := range advice(t.Context(), t, spec, advise.Setting{Seed: 1, Optimizer: advise.SGD}).All {
		if strings.HasPrefix(c.Name, "one-peer-hypercube") {
			found = true
			// Four rounds; sites meet in the one with the longest hop, nodes in all.
			if c.Meeting.Node != c.Every || c.Meeting.Group != 4*c.Every {
				t.Errorf("%s, every %d steps: %+v", c.Name, c.Every, c.Meeting)
			}
		}
		if math.IsNaN(c.Meeting.Agree) {
			t.Errorf("%s: %+v", c.Name, c.Meeting)
		}
	}
	if !found {
		t.Error("no one-peer hypercube was compared")
	}
}
