package feasible_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/topology"
)

// degreesOn asks for exactly degree edges at every node of a candidate graph.
func degreesOn(t *testing.T, n, degree int, edges ...topology.Edge) design.Space {
	t.Helper()
	g, err := topology.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	s := design.Space{Nodes: n, Candidates: g.Edges(), MaxEdges: min(n*degree/2, len(edges)), Exact: true}
	s.Limits = scenario.Ports(n, s.Candidates, func(int) int { return degree })
	return s
}

// flowerSnark returns a cubic graph on 4k nodes, k odd, that has 2-factors but no Hamiltonian
// cycle (R. Isaacs, American Mathematical Monthly 82, 1975).
func flowerSnark(k int) []topology.Edge {
	var edges []topology.Edge
	for i := range k {
		a, next := 4*i, 4*((i+1)%k)
		edges = append(edges, topology.Edge{I: a, J: a + 1}, topology.Edge{I: a, J: a + 2}, topology.Edge{I: a, J: a + 3},
			topology.Edge{I: a + 1, J: next + 1})
		if i < k-1 {
			edges = append(edges, topology.Edge{I: a + 2, J: next + 2}, topology.Edge{I: a + 3, J: next + 3})
		} else {
			edges = append(edges, topology.Edge{I: a + 2, J: next + 3}, topology.Edge{I: a + 3, J: next + 2})
		}
	}
	return edges
}

func TestInfeasibleSpacesAreExplained(t *testing.T) {
	triangles := []topology.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 2}, {I: 3, J: 4}, {I: 3, J: 5}, {I: 4, J: 5},
		{I: 2, J: 3}}
	odd := []topology.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 3, J: 4}, {I: 4, J: 5},
		{I: 4, J: 6}, {I: 5, J: 6}}
	bipartite := []topology.Edge{{I: 0, J: 2}, {I: 0, J: 3}, {I: 0, J: 4}, {I: 1, J: 2}, {I: 1, J: 3}, {I: 1, J: 4}}
	var petersen []topology.Edge
	for i := range 5 {
		petersen = append(petersen, topology.Edge{I: i, J: (i + 1) % 5}, topology.Edge{I: i, J: i + 5},
			topology.Edge{I: 5 + i, J: 5 + (i+2)%5})
	}
	few := scenario.TwoClasses(1, 1)
	few.Exact, few.MaxEdges = false, 20
	tight := scenario.Server([7]int{1, 1, 1, 1, 3, 3, 6})
	tight.MaxEdges = 12
	path := scenario.Homogeneous(4, 4)
	path.Limits = []design.Limit{{Name: "bridge", Max: 1, Edges: []int{0, 1, 2, 3, 4, 5}}}
	for _, test := range []struct {
		name  string
		space design.Space
		is    error
		want  string
	}{
		{"zero limit", scenario.Server([7]int{1, 1, 1, 1, 3, 3, 0}), feasible.ErrInfeasible, "limits of SYS are 0"},
		{"cut", path, feasible.ErrInfeasible, "bridge the nodes fall into 4 groups, " +
			"so it must carry at least 3 edges, but its limit is 1"},
		{"too little in all", few, feasible.ErrInfeasible, "at most 8 edges fit, but 16 nodes need 15"},
		{"odd sum", scenario.Degrees([]int{3, 2, 2, 2}), feasible.ErrInfeasible, "sum to 9"},
		{"budget below the limits", tight, feasible.ErrInfeasible, "at least 16 edges, but MaxEdges is 12"},
		{"Erdős–Gallai", scenario.Degrees([]int{5, 5, 5, 1, 1, 1}), feasible.ErrInfeasible, "the 2 largest sum to 10"},
		{"contradicting limits", degreesOn(t, 5, 2, bipartite...), feasible.ErrInfeasible,
			"follows from the others and would have to be"},
		{"no factor", degreesOn(t, 7, 2, odd...), feasible.ErrInfeasible, "Tutte"},
		{"only a disconnected factor", degreesOn(t, 6, 2, triangles...), feasible.ErrInfeasible,
			"every choice of the 7 candidate edges was tried"},
		{"not Hamiltonian", degreesOn(t, 10, 2, petersen...), feasible.ErrInfeasible,
			"every choice of the 15 candidate edges was tried"},
		{"not Hamiltonian and large", degreesOn(t, 84, 2, flowerSnark(21)...), feasible.ErrUndecided,
			"no reason why there should be none"},
		{"not valid", design.Space{Nodes: 1}, nil, "at least 2"},
	} {
		_, err := feasible.New(context.Background(), test.space)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v is not %v", test.name, err, test.is)
		}
	}
}

func TestIndependentLimits(t *testing.T) {
	space := scenario.Server([7]int{1, 1, 1, 1, 2, 2, 4})
	all := design.Limit{Name: "everything", Max: 12}
	for k := range space.Candidates {
		all.Edges = append(all.Edges, k)
	}
	space.Limits = append([]design.Limit{all}, space.Limits...)
	rows, err := feasible.IndependentLimits(space)
	if err != nil || fmt.Sprint(rows) != "[0 1 2 3 4 5 6]" {
		t.Errorf("independent limits are %v (%v), want the first seven of eight", rows, err)
	}
	space.Limits[0].Max = 13
	if _, err := feasible.IndependentLimits(space); !errors.Is(err, feasible.ErrInfeasible) {
		t.Errorf("a sum of 13 for parts of 12: %v, want ErrInfeasible", err)
	}
	space.Exact = false
	if _, err := feasible.IndependentLimits(space); err != nil {
		t.Errorf("the same as upper limits: %v, want no error", err)
	}
}
