package feasible_test

import (
	"fmt"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/solve/feasible"
)

func gpuServers(t *testing.T, servers int) *cluster.Cluster {
	t.Helper()
	card, link, ports := cluster.Link{GBs: 50}, cluster.Link{GBs: 26}, cluster.Link{GBs: 450}
	c, err := cluster.New(cluster.Spec{Tree: &cluster.Group{Groups: []cluster.Group{{
		Count: servers, Nodes: 8, Link: &link, NVSwitch: &ports, NICs: &cluster.NICs{Link: card, Count: 8},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// On servers whose GPUs all talk to each other inside, k edges over the link of every GPU make 4k of them between
// servers for each server, beside the 28 inside.
func TestBudgetsOfServersUseEveryLink(t *testing.T) {
	const servers = 16
	budgets, err := feasible.On(gpuServers(t, servers)).Budgets(t.Context(), 8)
	if err != nil {
		t.Fatal(err)
	}
	for k, a := range budgets {
		if want := servers * (28 + 4*(k+1)); a.MaxEdges != want {
			t.Errorf("budget %d at %v GB/s has %d edges, want %d", k, a.UnitGBs, a.MaxEdges, want)
		}
	}
}

// Cards and uplinks that have room all the time must not hide the last port that has some: nine and ten edges at each
// of 32 ports.
func TestBudgetsFillTheLastPorts(t *testing.T) {
	c, err := cluster.ReadFile("../../../format/importer/testdata/aws-p4d.24xlarge.xml.golden")
	if err != nil {
		t.Fatal(err)
	}
	budgets, err := feasible.On(c).Budgets(t.Context(), 9)
	if err != nil {
		t.Fatal(err)
	}
	if seventh, eighth := budgets[7].MaxEdges, budgets[8].MaxEdges; seventh != 144 || eighth != 160 {
		t.Errorf("budgets of %d and %d edges, want 144 and 160", seventh, eighth)
	}
}

// What was asked for once is remembered, and nobody can change what is remembered.
func TestAllocationsAreRememberedUnchanged(t *testing.T) {
	c := gpuServers(t, 2)
	first, err := feasible.On(c).Allocate(t.Context(), 60)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprint(first)
	first.Edges[0] = -1
	again, err := feasible.On(c).Allocate(t.Context(), 60)
	if err != nil || fmt.Sprint(again) != want {
		t.Errorf("asked again: %v and %v, want %s", again, err, want)
	}
}

// The clusters of the table in docs/clusters.md.
func BenchmarkBudgets(b *testing.B) {
	for _, name := range []string{"leaf-spine-512", "gpus-1024"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c, err := cluster.ReadFile("../../../cluster/testdata/" + name + ".yaml")
				if err != nil {
					b.Fatal(err)
				}
				if _, err := feasible.On(c).Budgets(b.Context(), 16); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
