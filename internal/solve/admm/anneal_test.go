package admm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/topology"
)

// averagePath is the mean number of hops between the nodes of a choice, by breadth-first search; not connected: some
// pair has no path.
func averagePath(space design.Space, chosen []bool) (mean float64, connected bool) {
	peers := make([][]int, space.Nodes)
	for k, e := range space.Candidates {
		if chosen[k] {
			peers[e.I], peers[e.J] = append(peers[e.I], e.J), append(peers[e.J], e.I)
		}
	}
	total := 0
	for root := range space.Nodes {
		hops, queue := map[int]int{root: 0}, []int{root}
		for ; len(queue) > 0; queue = queue[1:] {
			for _, j := range peers[queue[0]] {
				if _, seen := hops[j]; !seen {
					hops[j] = hops[queue[0]] + 1
					total += hops[j]
					queue = append(queue, j)
				}
			}
		}
		if len(hops) < space.Nodes {
			return 0, false
		}
	}
	return float64(total) / float64(space.Nodes*(space.Nodes-1)), true
}

// Bit-parallel distances against breadth-first search, beyond one machine word.
func TestDistancesAgreeWithBreadthFirstSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	for _, n := range []int{2, 9, 64, 65, 130} {
		space := scenario.Homogeneous(n, n-1)
		d := newDistances(n, space.Candidates)
		for range 5 {
			chosen := make([]bool, len(space.Candidates))
			for k := range chosen {
				chosen[k] = rng.Float64() < 4/float64(n)
			}
			mean, connected := averagePath(space, chosen)
			total, ok := d.total(chosen)
			if ok != connected || ok && math.Abs(float64(total)/float64(topology.Pairs(n))-mean) > 1e-12 {
				t.Errorf("n = %d: total %d (connected %v), want mean %v (connected %v)", n, total, ok, mean, connected)
			}
		}
	}
}

// Short paths are known to be optimal for some budgets: 10 nodes and 15 edges the Petersen
// graph, 5/3 (it attains Moore's bound); a tree the star, 2 − 2/n.
func TestAnnealingFindsShortPaths(t *testing.T) {
	for _, test := range []struct {
		name  string
		space design.Space
		want  float64
	}{
		{"Petersen", scenario.Homogeneous(10, 15), 5.0 / 3},
		{"star", scenario.Homogeneous(9, 8), 2 - 2.0/9},
		{"cubic", scenario.Degrees([]int{3, 3, 3, 3, 3, 3, 3, 3, 3, 3}), 5.0 / 3},
	} {
		r, err := feasible.New(context.Background(), test.space)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(1)
		for seed := range uint64(4) {
			s := r.Start()
			got := anneal(context.Background(), s, test.space.Candidates, test.space.Nodes, 4000, rand.New(rand.NewPCG(seed, 1)))
			if err := test.space.Check(s.Chosen()); err != nil {
				t.Errorf("%s: annealing broke a rule: %v", test.name, err)
			}
			if mean, _ := averagePath(test.space, s.Chosen()); math.Abs(mean-got) > 1e-12 {
				t.Errorf("%s: annealing claims %v, the graph has %v", test.name, got, mean)
			}
			best = min(best, got)
		}
		if best > test.want+1e-12 {
			t.Errorf("%s: average path %v, want %v", test.name, best, test.want)
		}
	}
}

func TestAnnealingKeepsThePapersLimits(t *testing.T) {
	for name, space := range spaces() {
		r, err := feasible.New(context.Background(), space)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Start()
		anneal(context.Background(), s, space.Candidates, space.Nodes, 500, rand.New(rand.NewPCG(2, 2)))
		if err := space.Check(s.Chosen()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
