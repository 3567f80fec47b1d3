package cost_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/cost"
)

// Two groups of two nodes: gradients take 4 ms more inside a group, and every third step an average takes 60 ms.
func TestTwoClocks(t *testing.T) {
	groups := [][]int{{0, 1}, {2, 3}}
	p := &cost.Process{Nodes: 4, Rounds: []cost.Exchange{{MS: 60}}, Buckets: []cost.Bucket{{Share: 1, MS: 4}},
		Groups: groups, Every: 3}
	for _, v := range []struct {
		name    string
		delay   int
		compute []float64
		want    float64 // of a period
	}{
		{"at once", 0, []float64{10, 10, 10, 10}, 3*14 + 60},
		{"late by one", 1, []float64{10, 10, 10, 10}, 2*14 + 60},
		{"late by two", 2, []float64{10, 10, 10, 10}, 14 + 60},
		{"late by all", 3, []float64{10, 10, 10, 10}, 60},
		{"hidden", 3, []float64{40, 40, 40, 40}, 3 * 44},
		{"one late node", 0, []float64{10, 10, 10, 20}, 3*24 + 60}, // its group is late, the other waits once
	} {
		compute := cost.Compute{MS: v.compute, JitterMS: make([]float64, 4)}
		got, err := p.Running(3, v.delay).MeanOver(compute.Draws(0), 0)
		if err != nil || math.Abs(3*got-v.want) > 1e-9 {
			t.Errorf("%s: a period takes %v ms, want %v (%v)", v.name, 3*got, v.want, err)
		}
	}
	// Groups do not wait for each other between averages: those that are late in turn make up for each other.
	jitter := cost.Compute{MS: []float64{10, 10, 10, 10}, JitterMS: []float64{5, 5, 5, 5}}
	rare, err := p.Running(64, 0).MeanOver(jitter.Draws(0), 640)
	if err != nil {
		t.Fatal(err)
	}
	all := &cost.Process{Nodes: 4, Buckets: p.Buckets}
	often, err := all.MeanOver(jitter.Draws(0), 640)
	if err != nil || rare-60.0/64 >= often {
		t.Errorf("%v ms inside groups, %v ms among all (%v)", rare-60.0/64, often, err)
	}
	p.Groups = nil
	if p.Validate() == nil {
		t.Error("rounds and buckets of all nodes are one process")
	}
	p.Groups = [][]int{{0, 1}, {2, 4}}
	if p.Validate() == nil {
		t.Error("a group has a node that is not there")
	}
}

func TestGradientsInsideGroupsAreOverlapped(t *testing.T) {
	message, compute := 100.0, 100.0
	spec := cluster.Spec{Servers: &cluster.Servers{Count: 2, GPUs: 2, Tree: cluster.TreeSpec{PIX: 10}, NIC: 1},
		Model: &cluster.ModelSpec{MessageMB: &message, ComputeMS: &compute}}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	p, err := cost.Together(c, 0).Running(16, 0).GradientsInside(c, [][]int{{0, 1}, {2, 3}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Two nodes swap halves twice: 2 · 50 MB at 10 GB/s are 10 ms. Only the last bucket of 25 MB is not hidden.
	if all := p.AllMS(); math.Abs(all-10) > 0.2 {
		t.Errorf("all buckets take %v ms, want about 10", all)
	}
	if ms, err := p.OnCluster(c); err != nil || ms < 102 || ms > 103 {
		t.Errorf("an iteration takes %v ms, want 100 and the last bucket (%v)", ms, err)
	}
	half, err := cost.Together(c, 0).Running(16, 0).GradientsInside(c, [][]int{{0, 1}, {2, 3}}, 0.5)
	if err != nil || math.Abs(half.AllMS()-p.AllMS()/2) > 1e-9 {
		t.Errorf("in 16 bits all buckets take %v ms, want half of %v (%v)", half.AllMS(), p.AllMS(), err)
	}
	// All nodes average over the network cards: at least 100 MB at 1 GB/s.
	all, err := cost.Synchronous(c, 1)
	if err != nil || all.AllMS() < 100 {
		t.Errorf("all nodes average in %v ms (%v)", all.AllMS(), err)
	}
}

func TestBatchesChangeComputeTimes(t *testing.T) {
	c := cost.Compute{MS: []float64{10, 20}, JitterMS: []float64{1, 2}}.WithBatches([]float64{2. / 3, 1. / 3})
	for i, want := range []float64{10 * 4. / 3, 20 * 2. / 3} {
		if math.Abs(c.MS[i]-want) > 1e-12 || math.Abs(c.JitterMS[i]-want/10) > 1e-12 {
			t.Errorf("node %d computes %v ± %v ms, want %v ± %v", i, c.MS[i], c.JitterMS[i], want, want/10)
		}
	}
}
