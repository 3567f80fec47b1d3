package design_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/topology"
)

func TestLimitsKnowWhatTheyLimit(t *testing.T) {
	c, err := cluster.ReadFile("../examples/leaf-spine-32.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, MaxEdges: 64, MaxDegree: 5}
	space, err := feasible.Space(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	count := map[design.LimitKind]int{}
	for _, l := range space.Limits {
		count[l.Kind]++
		if node, ok := l.AtNode(); ok && len(l.Edges) != c.Nodes()-1 {
			t.Errorf("%s is at node %d and counts %d edges, want all %d of that node", l.Name, node, len(l.Edges), c.Nodes()-1)
		}
	}
	leaves := len(c.Resources()) - c.Nodes()
	if count[design.NodeResource] != c.Nodes() || count[design.NodeDegree] != c.Nodes() ||
		count[design.SharedResource] != leaves {
		t.Errorf("%v, want %d ports, as many degrees, and %d uplinks", count, c.Nodes(), leaves)
	}
	if _, ok := space.Degrees(); ok {
		t.Error("uplinks were taken for degrees of nodes")
	}
}

func TestDegreesAreSeenWhereTheySayItAll(t *testing.T) {
	c, err := cluster.ReadFile("../examples/node-level-16.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, MaxEdges: 32, MaxDegree: 4}
	space, err := feasible.Space(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	degrees, ok := space.Degrees()
	if !ok || degrees[0] != 4 || degrees[15] != 2 {
		t.Errorf("degrees %v (%v), want 4 at fast nodes, as asked for, and 2 at slow ones", degrees, ok)
	}
	space.Candidates = space.Candidates[1:]
	if _, ok := space.Degrees(); ok {
		t.Error("degrees do not say that a pair must not be an edge")
	}
}

func TestLimitsOfANodeListItsEdgesOnly(t *testing.T) {
	s := design.Space{Nodes: 4, Candidates: topology.AllPairs(4), MaxEdges: 4}
	s.Limits = []design.Limit{{Kind: design.NodeResource, Name: "port", Node: 1, Edges: []int{0, 5}, Max: 1}}
	want := "limit of port is of node 1, but lists edge 2–3"
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want a complaint about the edge 2–3", err)
	}
}
