package admm

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/topology"
)

// anneal lowers the average shortest path length of a connected selection by simulated annealing,
// which the paper uses for its initial topology. Moves are exchanges that keep budget and
// limits; those that disconnect the graph are refused. It returns the best average.
func anneal(ctx context.Context, s *feasible.Selection, edges []topology.Edge, n, moves int, rng *rand.Rand) float64 {
	d := newDistances(n, edges)
	now, _ := d.total(s.Chosen())
	best, least := s.Clone(), now
	// Temperatures in units of total distance. One exchange typically changes it by about
	// n; well below 1 nothing that is worse is accepted any more.
	first, last := float64(n)/2, 0.2
	cooling := math.Pow(last/first, 1/float64(max(moves, 1)))
	heat := first
	for range moves {
		heat *= cooling
		if ctx.Err() != nil {
			break
		}
		x, ok := s.Neighbor(rng)
		if !ok {
			continue
		}
		s.Apply(x)
		next, connected := d.total(s.Chosen())
		if worse := float64(next - now); !connected || worse > 0 && rng.Float64() >= math.Exp(-worse/heat) {
			s.Undo(x)
			continue
		}
		if now = next; now < least {
			least = now
			best.Set(s)
		}
	}
	s.Set(best)
	return float64(least) / float64(n*(n-1)/2)
}

// annealingMoves is how long a first graph is annealed.
func annealingMoves(space design.Space) int { return 2000 + 20*space.MaxEdges }

// distances sums shortest paths with one bit per pair of nodes.
type distances struct {
	n, words    int
	edges       []topology.Edge
	reach, grow []uint64 // per node: the nodes within k, k+1 hops
}

func newDistances(n int, edges []topology.Edge) *distances {
	words := (n + 63) / 64
	return &distances{n: n, words: words, edges: edges, reach: make([]uint64, n*words), grow: make([]uint64, n*words)}
}

// total returns the sum of hop counts over all pairs of nodes. It costs
// O(diameter · edges · n/64) and does not allocate.
func (d *distances) total(chosen []bool) (sum int, connected bool) {
	w := d.words
	clear(d.reach)
	for i := range d.n {
		d.reach[i*w+i/64] |= 1 << (i % 64)
	}
	for missing := d.n * (d.n - 1); missing > 0; { // ordered pairs not reached yet
		sum += missing
		copy(d.grow, d.reach)
		for k, in := range chosen {
			if !in {
				continue
			}
			a, b := d.edges[k].I*w, d.edges[k].J*w
			for x := range w {
				d.grow[a+x] |= d.reach[b+x]
				d.grow[b+x] |= d.reach[a+x]
			}
		}
		d.reach, d.grow = d.grow, d.reach
		left := d.n * d.n
		for _, bitsOf := range d.reach {
			left -= bits.OnesCount64(bitsOf)
		}
		if left == missing {
			return 0, false
		}
		missing = left
	}
	return sum / 2, true
}
