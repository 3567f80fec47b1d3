package cost

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// given plays compute times back, one list per iteration.
func given(times ...[]float64) func([]float64) {
	k := -1
	return func(ms []float64) {
		k++
		copy(ms, times[k])
	}
}

// One late node on a path: its delay travels one hop per iteration, in a collective it is everybody's at once.
func TestADelayTravelsHopByHop(t *testing.T) {
	late, usual := []float64{10, 1, 1, 1}, []float64{1, 1, 1, 1}
	path := [][]int{{1}, {0, 2}, {1, 3}, {2}}
	for _, tc := range []struct {
		name  string
		peers [][]int
		want  [][]float64 // when nodes begin iterations 2, 3, 4
	}{
		{"path", path, [][]float64{{10, 10, 1, 1}, {11, 11, 11, 2}, {12, 12, 12, 12}}},
		{"collective", nil, [][]float64{{10, 10, 10, 10}, {11, 11, 11, 11}, {12, 12, 12, 12}}},
	} {
		p := &Process{Nodes: 4, Every: 1, Rounds: []Exchange{{Peers: tc.peers}}}
		r := newRun(p, Compute{}, given(late, usual, usual))
		for k, want := range tc.want {
			r.forward(1)
			if !slices.Equal(r.begin, want) {
				t.Errorf("%s, iteration %d: begin %v, want %v", tc.name, k+2, r.begin, want)
			}
		}
	}
}

// Pairs count once where both wait equally long. Peers in any order, those who wait for somebody who does not wait for
// them, and pairs that take longer one way are simulated as the recursion says.
func TestWaitsAreThoseOfTheRecursion(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const nodes = 7
	for range 200 {
		e := Exchange{Peers: make([][]int, nodes), PairMS: make([][]float64, nodes)}
		compute := make([]float64, nodes)
		for i := range nodes {
			compute[i] = float64(random.IntN(9))
			for _, j := range random.Perm(nodes)[:random.IntN(nodes)] {
				e.Peers[i] = append(e.Peers[i], j)
				e.PairMS[i] = append(e.PairMS[i], float64(random.IntN(2)))
			}
			if random.IntN(2) == 0 {
				slices.Sort(e.Peers[i])
			}
		}
		want := slices.Clone(compute)
		for i, peers := range e.Peers {
			for k, j := range peers {
				want[i] = max(want[i], max(compute[i], compute[j])+e.PairMS[i][k])
			}
		}
		r := newRun(&Process{Nodes: nodes, Every: 1, Rounds: []Exchange{e}}, Compute{}, given(compute))
		r.forward(1)
		if !slices.Equal(r.begin, want) {
			t.Fatalf("peers %v taking %v ms: nodes go on at %v, want %v", e.Peers, e.PairMS, r.begin, want)
		}
	}
	pair := Exchange{MS: 2, Peers: [][]int{{1, 2}, {0, 2}, {0, 1}}}
	if got := len(pair.waits()); got != 3 {
		t.Errorf("three nodes that all exchange have %d waits; want one for each pair, 3", got)
	}
}

// Overlapped, what travels is ready when the iteration begins, so a late gradient delays only the next exchange.
func TestOverlapHidesALateGradientForOneIteration(t *testing.T) {
	late, usual := []float64{10, 4}, []float64{4, 4}
	p := &Process{Nodes: 2, Every: 1, Delay: 1, Rounds: []Exchange{{MS: 3, Peers: [][]int{{1}, {0}}}}}
	r := newRun(p, Compute{}, given(late, usual, usual))
	for k, want := range [][]float64{{10, 4}, {14, 13}, {18, 17}} {
		r.forward(1)
		if !slices.Equal(r.begin, want) {
			t.Errorf("iteration %d: begin %v, want %v", k+2, r.begin, want)
		}
	}
}

// Buckets wait for the last node that has them: node 1 has the first half after 2 + 4 of 12 ms, the second after 12.
func TestBucketsWaitForTheLastNode(t *testing.T) {
	p := &Process{Nodes: 2, Buckets: []Bucket{{Share: 0.5, MS: 2}, {Share: 0.5, MS: 2}}}
	r := newRun(p, Compute{}, given([]float64{6, 12}, []float64{12, 6}))
	for k, want := range []float64{14, 28} {
		r.forward(1)
		if r.begin[0] != want || r.begin[1] != want {
			t.Errorf("iteration %d: begin %v, want %v", k+2, r.begin, want)
		}
	}
}

// Where all begin together only the slowest node is simulated; the time is that of simulating every one.
func TestBucketsWaitForTheSlowestOfEveryDraw(t *testing.T) {
	const iterations = 8
	c := Compute{MS: []float64{10, 20, 19}, JitterMS: []float64{9, 0, 5}}
	p := &Process{Nodes: 3, Buckets: []Bucket{{Share: 0.25, MS: 2}, {Share: 0.75, MS: 3}}}
	r := newRun(p, c, c.draws(7))
	r.forward(iterations / 4)
	before := mean(r.begin)
	r.forward(iterations)
	got, err := p.MeanOver(c.Draws(7), iterations)
	if want := (mean(r.begin) - before) / iterations; err != nil || got != want {
		t.Errorf("an iteration takes %v ms, %v; want %v", got, err, want)
	}
	play, all := c.Draws(7).slowest(400_000), c.draws(7) // too many to be kept
	slowest, ms := make([]float64, 3), make([]float64, 3)
	for range iterations {
		play(slowest)
		all(ms)
		if slowest[0] != slices.Max(ms) {
			t.Errorf("the slowest takes %v ms, want %v", slowest[0], slices.Max(ms))
		}
	}
}

// Times that were drawn for one process are those that another one would draw itself, also where it needs more of
// them or fewer, and where several ask at the same time.
func TestKeptDrawsAreThoseOfTheSeed(t *testing.T) {
	c := Compute{MS: []float64{10, 20, 30}, JitterMS: []float64{1, 0, 5}}
	kept := c.Draws(7)
	var all sync.WaitGroup
	for _, iterations := range []int{3, 1, 5, 4, 400_000} {
		all.Go(func() {
			play, draw := kept.first(iterations), c.draws(7)
			got, want := make([]float64, 3), make([]float64, 3)
			for k := range min(iterations, 10) {
				play(got)
				draw(want)
				if !slices.Equal(got, want) {
					t.Errorf("iteration %d of %d: %v, want %v", k, iterations, got, want)
				}
			}
		})
	}
	all.Wait()
	if len(kept.kept) != 5*3 {
		t.Errorf("%d numbers are kept; want those of 5 iterations", len(kept.kept))
	}
}
