package advise_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
)

// fourServers have 4 GPUs each and that many GB/s between them.
func fourServers(t *testing.T, gbs float64) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, GPU: "NVIDIA A100 80GB PCIe", Tree: &cluster.Group{
		Groups: []cluster.Group{{Name: "server", Count: 4, Nodes: 4, Link: &cluster.Link{GBs: 100},
			Uplink: &cluster.Link{GBs: gbs}}}},
		Model: &cluster.ModelSpec{Parameters: ptr(7e9), DType: cluster.Mixed, ComputeMS: ptr(1000.0)}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A model that fits into no GPU is sharded: among all where links hide that, else inside servers, as far as it fits,
// and on one server alone where the smaller batch costs less than the links. Where it fits, nothing is sharded.
func TestModelsAreShardedWhereTheyDoNotFit(t *testing.T) {
	for _, tc := range []struct {
		name    string
		gbs, gb float64
		options batopo.Options
		kinds   []advise.Kind // of all rows for all machines, the best first
		nodes   int           // of the answer
	}{
		{"fast links", 100, 0, batopo.Options{}, []advise.Kind{advise.FSDP, advise.HSDP}, 16},
		{"slow links", 15, 0, batopo.Options{}, []advise.Kind{advise.HSDP, advise.FSDP}, 16},
		{"very slow links", 2, 0, batopo.Options{}, []advise.Kind{advise.HSDP, advise.FSDP}, 4},
		{"unchanged", 2, 0, batopo.Options{Exact: true}, []advise.Kind{advise.HSDP, advise.FSDP}, 16},
		{"small GPUs", 2, 20, batopo.Options{}, []advise.Kind{advise.FSDP}, 16},
	} {
		tc.options.GPUMemoryGB = tc.gb
		a, err := batopo.Advise(t.Context(), fourServers(t, tc.gbs), tc.options)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []advise.Kind
		for _, r := range a.Advice.All {
			if r.On == nil && r.Epochs == 1 && r.Deviation == 0 {
				kinds = append(kinds, r.Kind)
			}
		}
		if !slices.Equal(kinds, tc.kinds) || !a.Plan.Library || a.Plan.Nodes != tc.nodes ||
			tc.nodes == 16 && a.Advice.Recommended.Kind != kinds[0] ||
			a.Advice.NeedsGB(a.Problem.Cluster) > a.Advice.Setting.GPUGB {
			t.Errorf("%s: %s of %v", tc.name, a.Advice.Recommended.Name, kinds)
		}
		for _, axis := range a.Advice.Changes {
			for _, i := range axis.Intervals {
				if axis.Of != advise.MessageSize && !i.Winner.Kind.Sharded() {
					t.Errorf("%s: %s does not fit, and wins with %s %v", tc.name, i.Winner.Name, axis.Of, i.From)
				}
			}
		}
	}
	a, err := batopo.Advise(t.Context(), fourServers(t, 100), batopo.Options{GPUMemoryGB: 130})
	if err != nil || a.Advice.Of(advise.FSDP) != nil || a.Advice.Of(advise.HSDP) != nil {
		t.Errorf("7B on 130 GB are sharded: %v", err)
	}
}

// Where not even all GPUs together hold a model, the error says how many would: 7B take 112 GB, and blocks 1.27 GB.
func TestTooLargeForAllGPUsTogether(t *testing.T) {
	_, err := batopo.Advise(t.Context(), fourServers(t, 100), batopo.Options{GPUMemoryGB: 8})
	if !errors.Is(err, advise.ErrMemory) || !strings.Contains(err.Error(), "FSDP over all 16 needs 8.27 GB") ||
		!strings.Contains(err.Error(), "at least 17 such GPUs") {
		t.Errorf("7B on 16 GPUs of 8 GB: %v", err)
	}
	_, err = batopo.Advise(t.Context(), fourServers(t, 100), batopo.Options{Balance: true, GPUMemoryGB: 1})
	if !errors.Is(err, advise.ErrMemory) || !strings.Contains(err.Error(), "its blocks alone are too large") {
		t.Errorf("7B on GPUs of 1 GB: %v", err)
	}
}

// FSDP leaves out machines that hold it up, where the rest has room for the model: two servers of four behind a slow
// line.
func TestShardsLeaveOutSlowMachines(t *testing.T) {
	fast, slow := cluster.Link{GBs: 100}, cluster.Link{GBs: 0.05}
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, GPU: "NVIDIA A100 80GB PCIe", Tree: &cluster.Group{
		Groups: []cluster.Group{{Name: "fast", Count: 2, Nodes: 4, Link: &fast, Uplink: &fast},
			{Name: "old", Count: 2, Nodes: 4, Link: &fast, Uplink: &slow}}},
		Model: &cluster.ModelSpec{Parameters: ptr(7e9), DType: cluster.Mixed, ComputeMS: ptr(1000.0)}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := batopo.Advise(t.Context(), c, batopo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := a.Advice.Recommended; !r.Kind.Sharded() || r.On == nil || len(r.On.Keep) != 8 || a.Plan.Nodes != 8 {
		t.Errorf("%s with %d nodes of 16", r.Name, a.Plan.Nodes)
	}
}
