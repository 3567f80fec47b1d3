package sweep_test

import (
	"context"
	"errors"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/sweep"
)

func built(t testing.TB, spec cluster.Spec) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Servers that share one network card each are what most people have. Every one gets a plan, and every plan listed
// holds.
func TestPlanOfOrdinaryServers(t *testing.T) {
	if testing.Short() {
		t.Skip("whole sweeps of servers; make deep does")
	}
	for _, tc := range []struct {
		servers, gpus int
		nic           float64
	}{{2, 8, 50}, {4, 4, 12.5}, {2, 2, 3}, {3, 2, 100}, {5, 3, 100}} {
		c := built(t, cluster.Spec{
			Servers: &cluster.Servers{Count: tc.servers, GPUs: tc.gpus, GPUsPerSwitch: tc.gpus, Tree: cluster.TreeSpec{PIX: 450},
				NIC: tc.nic},
			Model: &cluster.ModelSpec{MessageMB: new(500.), ComputeMS: new(80.)},
		})
		p := question(c, 0)
		p.Objective = "time"
		sweep, err := sweep.New(context.Background(), p, sweep.Settings{Seed: 1, Evaluations: 2_000})
		if err != nil {
			t.Errorf("%d servers of %d, network card %v GB/s: %v", tc.servers, tc.gpus, tc.nic, err)
			continue
		}
		for _, b := range sweep.Outcomes {
			if b.Plan != nil {
				checked(t, b.Plan)
			}
		}
	}
}

// Two and three nodes of any hardware: nothing to search, and no reason to fail.
func TestPlanOfTwoAndThreeUnequalNodes(t *testing.T) {
	for name, spec := range map[string]cluster.Spec{
		"two nodes":       {Bandwidth: []float64{1, 2}},
		"three nodes":     {Bandwidth: []float64{1, 2, 3}},
		"two GPUs":        {Servers: &cluster.Servers{Count: 1, GPUs: 2, Tree: cluster.TreeSpec{PIX: 10}}},
		"three GPUs":      {Servers: &cluster.Servers{Count: 1, GPUs: 3, Tree: cluster.TreeSpec{PIX: 10, Node: 5}}},
		"BCube(2, 1)":     {BCube: &cluster.BCube{Ports: 2, Layers: 1, Bandwidth: []float64{1}}},
		"leaf–spine 3×1":  {LeafSpine: &cluster.LeafSpine{Leaves: 3, Hosts: 1, Host: 1, Uplink: 2}},
		"three equal":     cluster.Homogeneous(3, 1),
		"two equal nodes": cluster.Homogeneous(2, 1),
	} {
		for _, method := range sweep.Methods {
			p := question(built(t, spec), 0)
			p.Objective = "time"
			swept, err := sweep.New(context.Background(), p,
				sweep.Settings{Method: method, Seed: 1, Evaluations: 2000, Paper: sweep.PaperSettings{Starts: 1}})
			if method == sweep.Lift && errors.Is(err, sweep.ErrNoPlan) {
				continue // hardware without symmetry
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, method, err)
				continue
			}
			checked(t, swept.Best())
		}
	}
}

// Where the description states how much each resource carries, a plan for 12 edges may have fewer: the 11 that fit.
func TestStatedEdgesBelowTheBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("many searches; make deep does")
	}
	c := built(t, cluster.Spec{Edges: []int{3, 3, 3, 3, 3, 3, 2}, Servers: &cluster.Servers{
		Count: 1, GPUs: 8, Tree: cluster.TreeSpec{PIX: 4.88, Node: 4.88, Sys: 9.76}, Load: "path"}})
	for _, method := range sweep.Methods {
		plan, err := sweep.Optimize(t.Context(), question(c, 12),
			sweep.Settings{Method: method, Seed: 1, Evaluations: 2000, Paper: sweep.PaperSettings{Starts: 1}})
		if err != nil {
			t.Errorf("%s: %v", method, err)
			continue
		}
		checked(t, plan)
	}
}
