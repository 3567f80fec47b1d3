package schedules

import (
	"context"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// A search that is stopped returns the first way that was priced.
func TestTwoLevelsStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, LatencyMS: 1, Tree: &cluster.Group{
		Groups: []cluster.Group{{Name: "server", Count: 8, Nodes: 4, NVSwitch: &cluster.Link{GBs: 300},
			NICs: &cluster.NICs{Count: 1, Link: cluster.Link{GBs: 12.5}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	s := Site{Cluster: c, Chunks: Chunks}
	first, err := twoLevels(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	// With a latency of 1 ms the best of all takes fewer steps than a ring between servers, which is priced first.
	best, err := twoLevels(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if !(first.Price.MS > best.Price.MS) {
		t.Errorf("stopped: %s, %v ms; of all: %s, %v ms; want the first, which is slower", first.Runs.Name,
			first.Price.MS, best.Runs.Name, best.Price.MS)
	}
}
