package cluster_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/solve/feasible"
)

const server = `format: batopo.cluster/v1
servers: {count: 1, gpus: 8, tree: {pix: 4.88, node: 4.88, sys: 9.76}, load: path}
`

func read(t *testing.T, text string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Read("c.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A description that states e leaves nothing to Algorithm 1, whatever its routes.
func TestStatedEdgesAreTheAllocation(t *testing.T) {
	e := []int{4, 4, 4, 4, 6, 6, 4}
	c := read(t, server+"edges: [4, 4, 4, 4, 6, 6, 4]\n")
	for name, allocate := range map[string]func() (feasible.Allocation, error){
		"Allocate":   func() (feasible.Allocation, error) { return feasible.On(c).Allocate(t.Context(), 8) },
		"Algorithm1": func() (feasible.Allocation, error) { return feasible.On(c).Algorithm1(8) },
	} {
		a, err := allocate()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if unit := 4.88 / 6; !slices.Equal(a.Edges, e) || a.UnitGBs != unit || a.MaxEdges != 8 {
			t.Errorf("%s gives %v at %v GB/s, want %v at %v", name, a.Edges, a.UnitGBs, e, unit)
		}
	}
	budgets, err := feasible.On(c).Budgets(t.Context(), 16)
	if err != nil || len(budgets) != 1 || !slices.Equal(budgets[0].Edges, e) {
		t.Errorf("budgets are %v (%v), want the stated one alone", budgets, err)
	}
	var text bytes.Buffer
	if err := c.Write(&text); err != nil || !strings.Contains(text.String(), "edges: [4, 4, 4, 4, 6, 6, 4]") {
		t.Errorf("written down as\n%s%v", text.String(), err)
	}
	if again := read(t, text.String()); !slices.Equal(again.Spec().Edges, e) {
		t.Errorf("read back as %v", again.Spec().Edges)
	}
}

// At most 11 edges of a connected graph keep to this e. Who allows more gets the same capacities: e does not depend on it.
func TestStatedEdgesServeAnyBudget(t *testing.T) {
	c := read(t, server+"edges: [3, 3, 3, 3, 3, 3, 2]\n")
	for _, r := range []int{7, 11, 12, 28} {
		a, err := feasible.On(c).Allocate(t.Context(), r)
		if err != nil || !slices.Equal(a.Edges, c.Spec().Edges) || a.MaxEdges != r {
			t.Errorf("%d edges: %v (%v), want the stated %v", r, a, err, c.Spec().Edges)
		}
	}
}

// Seven edges connect 8 GPUs, but not over a link between the sockets that carries none.
func TestStatedEdgesMayBeImpossible(t *testing.T) {
	for text, want := range map[string]string{
		server + "edges: [4, 4, 4, 4, 6, 6, 0]\n":                             "no graph within",
		"format: batopo.cluster/v1\nbandwidth: [1, 1, 1]\nedges: [1, 1, 1]\n": "no graph within",
	} {
		c := read(t, text)
		_, err := feasible.On(c).Allocate(t.Context(), c.Nodes()-1)
		if !errors.Is(err, feasible.ErrInfeasible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want ErrInfeasible (%s)", text, err, want)
		}
	}
}

// Equal nodes with stated edges have limits, so they are not the paper's homogeneous case.
func TestStatedEdgesAreNotHomogeneous(t *testing.T) {
	const text = "format: batopo.cluster/v1\nnodes: 4\nbandwidth: 1\n"
	if !read(t, text).Homogeneous() || read(t, text+"edges: [2, 2, 2, 2]\n").Homogeneous() {
		t.Error("equal nodes are homogeneous exactly when no edges are stated")
	}
}

// BCube(4, 2) in its second reading: any pair is a candidate and loads the ports of one layer; 48 edges get half the
// unit.
func TestBCubeOfTheHighestLayer(t *testing.T) {
	c := read(t, "format: batopo.cluster/v1\nbcube: {ports: 4, layers: 2, bandwidth: [4.88, 9.76], load: highest}\n")
	if got := c.CandidateCount(); got != 120 {
		t.Errorf("%d candidates, want all 120 pairs", got)
	}
	for _, e := range c.Candidates() {
		layer := 0
		if e.I/4 != e.J/4 {
			layer = 1
		}
		want := []cluster.Hop{{Resource: 16*layer + e.I, Side: cluster.Sender},
			{Resource: 16*layer + e.J, Side: cluster.Receiver}}
		if hops := c.Route(nil, e.I, e.J); !slices.Equal(hops, want) {
			t.Fatalf("%d–%d passes %v, want %v", e.I, e.J, hops, want)
		}
	}
	a, err := feasible.On(c).Algorithm1(48)
	if err != nil || a.UnitGBs != 2.44 {
		t.Errorf("48 edges at %v GB/s (%v), want 2.44", a.UnitGBs, err)
	}
}
