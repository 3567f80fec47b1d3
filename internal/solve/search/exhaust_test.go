package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

func TestExhaustAgreesWithAnotherEnumeration(t *testing.T) {
	data, err := os.ReadFile("testdata/exhaustive.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]map[string]float64
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for nodes, budgets := range want {
		for edges, values := range budgets {
			n, _ := strconv.Atoi(nodes)
			r, _ := strconv.Atoi(edges)
			for name, value := range values {
				setting := map[string]design.Sign{"fmmc": design.NonNegative, "fdla": design.Free}[name]
				if n == 7 && (setting == design.Free || r%3 > 0) {
					continue // the larger ones take longest and say the least
				}
				p := Problem{Nodes: n, MaxEdges: r, Sign: setting}
				c, err := Exhaust(context.Background(), p, nil)
				if err != nil {
					t.Fatal(err)
				}
				// The other solver was accurate to 1e-8.
				if math.Abs(c.RAsym-value) > 1e-7 {
					t.Errorf("n = %d, r = %d, %s: %.9f, want %.9f", n, r, setting, c.RAsym, value)
				}
				if err := p.Check(c.Graph); err != nil {
					t.Errorf("n = %d, r = %d, %s: %v", n, r, setting, err)
				}
				if c.Stop != design.Exhausted {
					t.Errorf("n = %d, r = %d, %s: stop is %q, want %q", n, r, setting, c.Stop, design.Exhausted)
				}
				compared++
			}
		}
	}
	if compared < 50 {
		t.Errorf("%d values compared; the file holds more", compared)
	}
}

// eachLabelledGraph visits every labelled graph that the problem allows, with its weights of least value.
func eachLabelledGraph(t *testing.T, p Problem, visit func(*topology.Graph, weights.Settings, *weights.Result)) {
	t.Helper()
	s := weights.Settings{Sign: p.Sign, MinEigenvalue: p.MinEigenvalue, NoCertificate: true}
	pairs := topology.AllPairs(p.Nodes)
	for set := range 1 << len(pairs) {
		var edges []topology.Edge
		for k, e := range pairs {
			if set>>k&1 == 1 {
				edges = append(edges, e)
			}
		}
		g, err := topology.New(p.Nodes, edges)
		if err != nil {
			t.Fatal(err)
		}
		if p.Check(g) != nil {
			continue
		}
		r, err := weights.Solve(t.Context(), g, s)
		if err != nil {
			t.Fatal(err)
		}
		visit(g, s, r)
	}
}

// All labelled graphs on five nodes, without isomorphism, maximality or cutoffs.
func TestExhaustAgreesWithAllLabelledGraphs(t *testing.T) {
	zero := 0.0
	for _, p := range []Problem{
		{Nodes: 5, MaxEdges: 6},
		{Nodes: 5, MaxEdges: 7, MaxDegree: 3},
		{Nodes: 5, MaxEdges: 6, MinEigenvalue: &zero},
		{Nodes: 5, MaxEdges: 5, Sign: design.Free},
	} {
		best := math.Inf(1)
		eachLabelledGraph(t, p, func(_ *topology.Graph, s weights.Settings,
			r *weights.Result) {
			best = min(best, r.Value(s))
		})
		c, err := Exhaust(context.Background(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Value(p); math.Abs(got-best) > 1e-8 {
			t.Errorf("%+v: %.9f, all labelled graphs say %.9f", p, got, best)
		}
	}
}

// The Wagner graph has the best value known for eight nodes and twelve edges, (√2 − 1); with sixteen edges
// K4,4 gives 1/3.
func TestExhaustOfEightNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("all graphs of eight nodes; other tests enumerate fewer")
	}
	for edges, want := range map[int]float64{12: math.Sqrt2 - 1, 16: 1.0 / 3} {
		c, err := Exhaust(context.Background(), Problem{Nodes: 8, MaxEdges: edges}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(c.RAsym-want) > 1e-8 {
			t.Errorf("8 nodes, %d edges: %.9f, want %.9f", edges, c.RAsym, want)
		}
	}
}

func TestExhaustRefusesWhatItCannotSettle(t *testing.T) {
	for _, p := range []Problem{
		{Nodes: 9, MaxEdges: 12},
		{Nodes: 7, MaxEdges: 9, Degrees: []int{3, 3, 3, 3, 3, 3, 2}},
		{Nodes: 6, MaxEdges: 4},
	} {
		if _, err := Exhaust(context.Background(), p, nil); err == nil {
			t.Errorf("%+v: no error", p)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Exhaust(ctx, Problem{Nodes: 6, MaxEdges: 9}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before the first graph: error %v, want %v", err, context.Canceled)
	}
}

func ExampleExhaust() {
	c, err := Exhaust(context.Background(), Problem{Nodes: 6, MaxEdges: 9}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f with degrees %v, %s\n", c.RAsym, c.Graph.Degrees(), c.Stop)
	// Output: 0.3333 with degrees [3 3 3 3 3 3], exhausted
}

// Unequal nodes: enumeration meets the optimum that a search of the same problem needs luck for, and says
// when there is none.
func TestEnumerationOfRestrictedProblems(t *testing.T) {
	p := Problem{Nodes: 6, MaxEdges: 9, Degrees: []int{5, 3, 3, 2, 2, 2}}
	best, err := Run(context.Background(), p, Settings{Evaluations: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.Symmetry = OnlyFree
	searched, err := Run(context.Background(), p, Settings{Seed: 1, Evaluations: 200_000})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(best.Graph); err != nil || best.Stop != design.Exhausted || best.RAsym > searched.RAsym+1e-8 {
		t.Errorf("enumeration ends at %v (%s, %v), a search at %v", best.RAsym, best.Stop, err, searched.RAsym)
	}
	space := design.Space{Nodes: 4, Candidates: topology.AllPairs(4), MaxEdges: 6}
	space.Limits = scenario.Ports(4, space.Candidates, func(int) int { return 1 }) // perfect matchings only
	_, err = Run(context.Background(), Problem{Nodes: 4, MaxEdges: 6, Space: &space}, Settings{})
	if !errors.Is(err, feasible.ErrInfeasible) {
		t.Errorf("one neighbour each: %v, want a proof that four nodes are not connected", err)
	}
}
