package sweep_test

import (
	"context"
	"errors"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/grace"
)

// What was priced beside a sweep is there when the time is over, and the same plan as on its own.
func TestCollectivesArePricedOnce(t *testing.T) {
	link := &cluster.Link{GBs: 10}
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2,
		Tree: &cluster.Group{Groups: []cluster.Group{{Count: 2, Nodes: 3, Link: link, Uplink: &cluster.Link{GBs: 5}}}}})
	if err != nil {
		t.Fatal(err)
	}
	swept, err := sweep.New(t.Context(), design.Problem{Cluster: c}, sweep.Settings{Seed: 1, Evaluations: 200})
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, form := range []string{"two-level", "two-tree"} {
		want, err := sweep.CollectivePlan(t.Context(), c, form, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := swept.CollectivePlan(over, c, form, 1)
		if err != nil || got.ComputeHash() != want.ComputeHash() {
			t.Errorf("%s of the sweep: %v", form, err)
		}
		if _, err := swept.CollectivePlan(over, c, form, 2); !errors.Is(err, grace.ErrGivenUp) {
			t.Errorf("%s with another seed, which was not priced: %v", form, err)
		}
	}
}
