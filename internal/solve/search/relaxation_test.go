package search

import (
	"context"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// relaxOnce polishes a start, nil for none, with two runs.
func relaxOnce(t *testing.T, p Problem, start *Solution) *Solution {
	t.Helper()
	f, err := newPortfolio(context.Background(), p, 1, 1e6, nil)
	if err != nil {
		t.Fatal(err)
	}
	if start != nil {
		f.pool = []*Solution{start}
	}
	c, err := f.relaxations(f.frames[0], 2*relaxPrice(p.Nodes))[0].Run(context.Background(), nil)
	if err != nil {
		t.Fatalf("relaxation of %d nodes: %v", p.Nodes, err)
	}
	return c
}

func TestRelaxationKeepsEveryLimit(t *testing.T) {
	for name, p := range limited() {
		if p.MinEigenvalue != nil || p.Sign == design.Free || p.Symmetry == OnlyLifts {
			continue
		}
		switch c := relaxOnce(t, p, nil); {
		case c != nil:
			checkCandidate(t, name, p, c)
		case p.MaxDegree != 2: // a ring can hardly be made of pieces of other graphs
			t.Errorf("%s: no candidate", name)
		}
	}
}

// Where edges do not divide evenly among the nodes a start is left behind by far: from the ring with chords to the next
// but one, r_asym 0.78, the paper's iteration alone comes below what the exponential graph has (0.6).
func TestRelaxationImprovesAStart(t *testing.T) {
	const n = 17
	p := Problem{Nodes: n, MaxEdges: 40, MaxDegree: 5}
	var edges []topology.Edge
	for i := range n {
		for _, j := range []int{(i + 1) % n, (i + 2) % n} {
			edges = append(edges, topology.Edge{I: min(i, j), J: max(i, j)})
		}
	}
	g, err := topology.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	c := relaxOnce(t, p, &Solution{Graph: g})
	if c == nil {
		t.Fatal("no candidate")
	}
	checkCandidate(t, "from a ring", p, c)
	if c.RAsym > 0.5 {
		t.Errorf("r_asym is %.4f after the relaxation, want at most 0.5", c.RAsym)
	}
}

// The iteration may leave the degree limit, so what it calls its best is no plan yet: users would see a value that the
// result does not have. Only what fits is reported, at the end.
func TestRelaxationReportsOnlyWhatFits(t *testing.T) {
	f, err := newPortfolio(context.Background(), Problem{Nodes: 13, MaxEdges: 30, MaxDegree: 5}, 1, 1e6, nil)
	if err != nil {
		t.Fatal(err)
	}
	var reports []design.Progress
	c, err := f.relaxations(f.frames[0], 2*relaxPrice(13))[0].Run(context.Background(), func(now design.Progress) {
		reports = append(reports, now)
	})
	if err != nil || c == nil || len(reports) < 2 {
		t.Fatalf("%d reports, candidate %v, error %v", len(reports), c, err)
	}
	for k, now := range reports {
		last := k == len(reports)-1
		if now.Feasible != last || last && now.Best != c.RAsym || now.Done > now.Total {
			t.Errorf("report %d of %d is %+v; the candidate has %v", k+1, len(reports), now, c.RAsym)
		}
	}
}

// What a search announces is what its rounds can spend, so that progress ends near its limit.
func TestRelaxationAnnouncesWhatItSpends(t *testing.T) {
	f, err := newPortfolio(context.Background(), Problem{Nodes: 13, MaxEdges: 30, MaxDegree: 5}, 1, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.pool = make([]*Solution, relaxKeep)
	announced, spent := f.relaxRuns()*relaxPrice(13), 0
	for _, task := range f.relaxations(f.frames[0], announced) {
		spent += task.Evaluations
	}
	if spent != announced {
		t.Errorf("tasks may spend %d evaluations of %d announced", spent, announced)
	}
}

func TestRelaxationOnlyWhereItSolvesTheProblem(t *testing.T) {
	floor := 0.0
	for _, c := range []struct {
		name string
		p    Problem
		want bool
	}{
		{"equal nodes", Problem{Nodes: 17, MaxEdges: 40}, true},
		{"negative weights", Problem{Nodes: 17, MaxEdges: 40, Sign: design.Free}, false},
		{"limited spectrum", Problem{Nodes: 17, MaxEdges: 40, MinEigenvalue: &floor}, false},
		{"symmetric graphs only", Problem{Nodes: 16, MaxEdges: 40, Symmetry: OnlyLifts}, false},
		{"more than the evaluations pay for", Problem{Nodes: 200, MaxEdges: 650}, false},
	} {
		f, err := newPortfolio(context.Background(), c.p, 1, 0, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := f.relaxable(f.frames[0]); got != c.want {
			t.Errorf("%s: relaxable is %v, want %v", c.name, got, c.want)
		}
	}
}
