package advise_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// A chain without transit has no ring and no trees for an all-reduce: the answer says why DDP is not in its list.
func TestMissingDDPIsExplained(t *testing.T) {
	chain, err := cluster.Read("chain", strings.NewReader("format: batopo.cluster/v2\nnodes: 3\nlinks:\n"+
		"  - {between: [0, 1], gb_s: 1}\n  - {between: [1, 2], gb_s: 1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	a := advice(t.Context(), t, chain.Spec(), advise.Setting{})
	if a.DDP != nil {
		t.Fatalf("DDP on a chain: %+v", a.DDP)
	}
	if !slices.ContainsFunc(a.Skipped, func(s sweep.Skipped) bool {
		return s.Name == "DistributedDataParallel" && strings.Contains(s.Err.Error(), "no ring through all nodes")
	}) {
		t.Errorf("not compared: %v", a.Skipped)
	}
}
