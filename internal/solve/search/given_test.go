package search

import (
	"context"
	"testing"

	"github.com/batopo/batopo/topology"
)

// A search without symmetry that goes on from a symmetric graph is no worse than that, which chance alone does not
// find.
func TestStartsAreGoneOnFrom(t *testing.T) {
	p := Problem{Nodes: 24, MaxEdges: 60, MaxDegree: 5}
	best, err := Run(context.Background(), p, Settings{Seed: 1, Evaluations: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	p.Symmetry = OnlyFree
	few := Settings{Seed: 1, Evaluations: 1_200_000}
	alone, err := Run(context.Background(), p, few)
	if err != nil {
		t.Fatal(err)
	}
	few.Starts = []Start{{best.Graph, best.Weights}}
	onward, err := Run(context.Background(), p, few)
	if err != nil {
		t.Fatal(err)
	}
	if onward.RAsym > best.RAsym+coarse || alone.RAsym <= best.RAsym+coarse {
		t.Errorf("%v from a graph of %v, %v without it", onward.RAsym, best.RAsym, alone.RAsym)
	}
}

// Whatever a start has too much or too little of, what is made of it keeps the limits and its symmetry.
func TestStartsAreCutToFit(t *testing.T) {
	l := topology.Lift{Orbits: 4, Size: 4, Arcs: []topology.Arc{{A: 0, B: 1}, {A: 1, B: 2, S: 1}, {A: 2, B: 3, S: 2},
		{A: 0, B: 3, S: 3}, {A: 0, B: 0, S: 1}, {A: 1, B: 1, S: 1}, {A: 2, B: 2, S: 1}, {A: 3, B: 3, S: 1}, {A: 0, B: 2}}}
	g, arcOf := l.Graph()
	weight := make([]float64, len(arcOf))
	for k, a := range arcOf {
		weight[k] = 1 / float64(2+a)
	}
	for _, edges := range []int{24, 32, 48} {
		p := Problem{Nodes: 16, MaxEdges: edges, MaxDegree: 2 * edges / 16}
		f, err := newPortfolio(context.Background(), p, 1, 1000, nil)
		if err != nil {
			t.Fatal(err)
		}
		f.starts = []Start{{g, weight}}
		made := f.given()
		if len(made) != 1 || made[0].frame.size != 4 {
			t.Fatalf("%d edges: %d starts, want one of orbits of 4", edges, len(made))
		}
		cut, _ := made[0].frame.lift(made[0].arcs).Graph()
		if err := p.Check(cut); err != nil {
			t.Errorf("%d edges: %v", edges, err)
		}
	}
}
