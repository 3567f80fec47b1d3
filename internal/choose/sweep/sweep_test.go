package sweep_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// On two and three nodes every plan is exact, so ring all-reduce is as good; there is still a plan to recommend.
func TestPlanOfTheSmallestClusters(t *testing.T) {
	for _, n := range []int{2, 3} {
		p := question(homogeneous(t, n), 0)
		p.Objective = "time"
		sweep, err := sweep.New(context.Background(), p, sweep.Settings{Seed: 1})
		if err != nil {
			t.Fatalf("%d nodes: %v", n, err)
		}
		if best := sweep.Best(); best.Iterations != 1 || len(best.Edges()) != n*(n-1)/2 {
			t.Errorf("%d nodes: %d edges, %d iterations; want the complete graph and 1", n, len(best.Edges()), best.Iterations)
		}
	}
}

func TestPlanLooksNoFurtherThanTheDegreesAllow(t *testing.T) {
	p := question(homogeneous(t, 7), 0)
	p.MaxDegree, p.Objective = 3, "time"
	sweep, err := sweep.New(context.Background(), p, sweep.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	last := sweep.Outcomes[len(sweep.Outcomes)-1].Budget
	if len(sweep.Outcomes) != 2 || last.MaxEdges != 10 {
		t.Errorf("%d budgets, the last of %d edges; want 7 and 10 edges only", len(sweep.Outcomes), last.MaxEdges)
	}
}

// Asked for the soonest plan of at most 15 edges, the answer is the complete graph: one round, however long.
func TestObjectiveTimeTakesAnExactPlan(t *testing.T) {
	p := question(homogeneous(t, 6), 15)
	p.Objective = "time"
	plan, err := sweep.Optimize(context.Background(), p, sweep.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Edges()) != 15 || plan.Iterations != 1 {
		t.Errorf("%d edges, %d iterations; want 15 and 1", len(plan.Edges()), plan.Iterations)
	}
	checked(t, plan)
}

func TestPlanRefusesImpossibleBudgets(t *testing.T) {
	for _, edges := range []int{-3, 4} {
		p := question(homogeneous(t, 8), edges)
		if _, err := sweep.New(context.Background(), p, sweep.Settings{Seed: 1}); err == nil ||
			!strings.Contains(err.Error(), "too few to connect 8 nodes") {
			t.Errorf("%d edges on 8 nodes: %v", edges, err)
		}
	}
}

// Early budgets must not eat the time of later ones.
func TestEveryBudgetGetsItsShareOfTheTime(t *testing.T) {
	name := "leaf-spine-32"
	if testing.Short() {
		name = "node-level-16"
	}
	p := question(hardware(t, name), 0)
	p.Objective = "time"
	var starved []string
	for _, limit := range patience {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		swept, err := sweep.New(ctx, p, sweep.Settings{Seed: 1, Evaluations: 1_000_000_000})
		cancel()
		if err != nil {
			starved = []string{err.Error()} // nothing was found in time
			continue
		}
		starved = nil
		for _, b := range swept.Outcomes {
			if b.Status == sweep.NotAttempted || b.Status == "" {
				starved = append(starved, fmt.Sprintf("%d edges: %q", b.Budget.MaxEdges, b.Status))
			}
		}
		if starved == nil {
			return
		}
	}
	t.Errorf("budgets that got no time: %v", starved)
}

// patience is how long a search may take: a quiet machine needs the first time, busy ones get more.
var patience = []time.Duration{500 * time.Millisecond, 2 * time.Second, 15 * time.Second, 2 * time.Minute}

// Every plan that is listed needs its budget: it has too many edges, or loads some resource too much, for every one
// before. What it claims holds for the budget it is listed at.
func TestNoPlanFitsIntoAnEarlierBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("five whole sweeps; make deep does")
	}
	for _, example := range []string{"node-level-16", "intra-server-8", "bcube-16-1to2", "bcube-16-2to3",
		"leaf-spine-32"} {
		p := question(hardware(t, example), 0)
		p.Objective = "time"
		swept, err := sweep.New(context.Background(), p, sweep.Settings{Seed: 1, Evaluations: 5_000})
		if err != nil {
			t.Fatalf("%s: %v", example, err)
		}
		for k, b := range swept.Outcomes {
			if b.Plan == nil {
				continue
			}
			checked(t, b.Plan)
			if b.Plan.MaxEdges != b.Budget.MaxEdges {
				t.Errorf("%s: a plan for %d edges is listed at %d", example, b.Plan.MaxEdges, b.Budget.MaxEdges)
			}
			rounds, err := b.Plan.Matrices()
			if err != nil {
				t.Fatal(err)
			}
			load, err := p.Cluster.Load(rounds[0])
			if err != nil {
				t.Fatal(err)
			}
			for _, earlier := range swept.Outcomes[:k] {
				fits := len(b.Plan.Edges()) <= earlier.Budget.MaxEdges && b.Status == sweep.Solved
				for l, count := range load.Count {
					fits = fits && count <= earlier.Budget.Edges[l]
				}
				if fits {
					t.Errorf("%s: the plan at %d edges fits into %d", example, b.Budget.MaxEdges, earlier.Budget.MaxEdges)
				}
			}
		}
	}
}

// With 20 ms of latency per edge, 24 nodes agree soonest by talking to all others: the 22nd budget. A list that ends
// with the 16th misses it.
func TestPlanFindsBudgetsBeyondTheFirst(t *testing.T) {
	spec := cluster.Homogeneous(24, cluster.PaperBandwidthGBs)
	spec.LatencyMS = 20
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := question(c, 0)
	p.Objective = "time"
	sweep, err := sweep.New(context.Background(), p, sweep.Settings{Seed: 1, Evaluations: 5_000})
	if err != nil {
		t.Fatal(err)
	}
	if best := sweep.Best(); len(best.Edges()) != 276 || best.Iterations != 1 {
		t.Errorf("recommended are %d edges and %d rounds, want all 276 and 1", len(best.Edges()), best.Iterations)
	}
}

// Without latency nothing beyond the first budgets can win but the exact plan, and the sweep says so.
func TestPlanSaysWhatItRuledOut(t *testing.T) {
	p := question(homogeneous(t, 24), 0)
	p.Objective = "time"
	swept, err := sweep.New(context.Background(), p, sweep.Settings{Seed: 1, Evaluations: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	want := sweep.Beyond{Edges: 204, Growth: 10, Status: sweep.Hopeless, Best: swept.Beyond.Best}
	last := swept.Outcomes[len(swept.Outcomes)-1].Budget.MaxEdges
	if len(swept.Outcomes) != 17 || last != 276 || swept.Beyond != want {
		t.Errorf("%d budgets, the last of %d edges, and %v; want 17, 276 and %v",
			len(swept.Outcomes), last, swept.Beyond, want)
	}
	if swept.Recommended.Score > want.Best {
		t.Errorf("larger budgets cannot beat %v, but %v is recommended", want.Best, swept.Recommended.Score)
	}
}

// A tree of 15 edges with three neighbours per node is sooner at the target than the path, which the smallest degree
// leaves.
func TestFewEdgesAreTriedWithMoreNeighbours(t *testing.T) {
	p := question(homogeneous(t, 16), 15)
	p.Objective = "time"
	for _, solve := range []func() (*design.Plan, error){
		func() (*design.Plan, error) {
			return sweep.Optimize(context.Background(), p, sweep.Settings{Seed: 1, Evaluations: 10_000})
		},
		func() (*design.Plan, error) {
			sweep, err := sweep.New(context.Background(), p, sweep.Settings{Seed: 1, Evaluations: 10_000})
			if err != nil {
				return nil, err
			}
			return sweep.Best(), nil
		},
	} {
		plan, err := solve()
		if err != nil {
			t.Fatal(err)
		}
		checked(t, plan)
		if plan.MaxDegree < 3 || plan.TimeMS > 4000 {
			t.Errorf("degree %d, %.0f ms; the path takes 4940 ms", plan.MaxDegree, plan.TimeMS)
		}
	}
}

// A time limit is kept on clusters for which a single budget takes longer, and there is a plan.
func TestPlanKeepsItsTimeLimitOnManyNodes(t *testing.T) {
	p := question(homogeneous(t, 50_000), 0)
	p.Objective = "time"
	said := ""
	for _, limit := range patience {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		sweep, err := sweep.New(ctx, p, sweep.Settings{Seed: 1})
		cancel()
		if err != nil {
			said = err.Error() // no plan in time
			continue
		}
		if best := sweep.Best(); best.Stop != design.TimeLimit || best.Iterations == 0 {
			t.Errorf("stop %q, %d rounds", best.Stop, best.Iterations)
		}
		return
	}
	t.Error(said)
}

func TestBaselinesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rows, skipped := sweep.Baselines(ctx, homogeneous(t, 50_000), 1)
	if len(rows) != 0 || len(skipped) == 0 || skipped[0].Status != sweep.NotAttempted {
		t.Errorf("cancelled before it began: %d rows, skipped %v", len(rows), skipped)
	}
}

// Nodes 0 and 1 have a slower line: as numbered, a ring crosses it; in the best order it does not, and that is the time
// which both the budget and the baselines state.
func TestABudgetIsOutpacedByTheRingThatIsListed(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Matrix: &cluster.Matrix{
		GBs: [][]float64{{0, .6, 1, 1}, {.6, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}}}})
	if err != nil {
		t.Fatal(err)
	}
	swept, err := sweep.New(context.Background(), question(c, 0), sweep.Settings{Seed: 1, Evaluations: 1000})
	if err != nil {
		t.Fatal(err)
	}
	listed, outpaced := 0.0, 0
	for _, row := range swept.Baselines {
		if row.Name == "ring all-reduce" {
			listed = *row.TimeMS
		}
	}
	for _, o := range swept.Outcomes {
		if o.Status == sweep.Outpaced {
			outpaced++
			if o.CollectiveMS != listed {
				t.Errorf("%d edges are outpaced by a ring of %v ms; the baselines have one of %v ms",
					o.Budget.MaxEdges, o.CollectiveMS, listed)
			}
		}
	}
	if outpaced == 0 {
		t.Error("no budget is outpaced")
	}
}
