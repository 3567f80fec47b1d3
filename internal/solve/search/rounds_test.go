package search

import (
	"context"
	"testing"
)

// A round that has nothing to do leaves the walk of the others as it is: the records of docs/research/records.md depend
// on it.
func TestRoundsWithoutTasksDrawNoRandomNumbers(t *testing.T) {
	f, err := newPortfolio(context.Background(), Problem{Nodes: 64, MaxEdges: 192, MaxDegree: 6}, 1, 1e5, nil)
	if err != nil {
		t.Fatal(err)
	}
	scouts := f.Next()
	found, err := scouts[0].Run(context.Background(), nil)
	if err != nil || found == nil {
		t.Fatalf("candidate %v, error %v", found, err)
	}
	f.Merge([]*Solution{found})
	if tasks := f.Next(); tasks == nil || len(tasks) > 0 {
		t.Fatalf("%d tasks in the round without symmetry; want none, since there is a graph", len(tasks))
	}
	for _, c := range f.Next() {
		if round := c.stream[1] >> 32; round != 1 {
			t.Errorf("%s: the refinements are the second round with tasks, but draw numbers as round %d", c.Name, round)
		}
	}
}
