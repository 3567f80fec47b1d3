package advise

import (
	"path/filepath"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
)

// Small buckets hide behind the backward pass until they pay so much for every call, or for every message of it, that
// the network is never free.
func TestCallsDecideTheSizeOfBuckets(t *testing.T) {
	c, err := cluster.ReadFile(filepath.Join("../../..", "examples", "node-level-16.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		callMS, messageMS float64
		want              float64
	}{
		{0, 0, 5}, {0.05, 0, 5}, {1.5, 0, 25}, {0, 0.1, 25},
	} {
		spec := c.Spec()
		spec.Format, spec.PerCollectiveMS, spec.PerMessageMS = cluster.FormatV2, tc.callMS, tc.messageMS
		costly, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		l := &list{c: costly, setting: Setting{Seed: 1}}
		l.exact(t.Context(), &sweep.Sweep{})
		w := newPredictor(MeasuredConvergence(), Setting{}.WithDefaults())
		best, err := w.best(l.processes[0], scene{c: costly, faster: 1, compute: cost.DrawsOf(costly)})
		if err != nil || best.Kind != DDP || best.BucketMB != tc.want {
			t.Errorf("%v ms a call, %v a message: %s in buckets of %v MB, %v; want %v", tc.callMS, tc.messageMS, best.Kind,
				best.BucketMB, err, tc.want)
		}
	}
}
