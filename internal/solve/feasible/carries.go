package feasible

import (
	"context"
	"math"
	"math/rand/v2"
)

// A goal is how many edges are wanted. With everything, as many as there can be.
type goal int

const everything goal = math.MaxInt

// settled reports whether what was found and what is proved answer the question.
func (g goal) settled(found, proved int) bool {
	return found >= proved || found >= int(g) || g != everything && proved < int(g)
}

// carries looks for a connected graph of as many edges as are wanted within the capacities e, and for a proof that
// there is none. Each step is tried only where those before it leave the question open: equal prices for what is alike,
// edges one by one, prices for each resource, exchanges, better prices, and at last every choice there is where these
// are few. The first costs next to nothing, the second a look at every candidate, all others many of them.
func (s *routes) carries(ctx context.Context, e []int, wanted goal) (found, proved int, err error) {
	t := s.newKindPrices(e, wanted.aim(0, s.nodes))
	if wanted.settled(0, t.proved) || t.proved < s.nodes-1 || ctx.Err() != nil {
		return 0, t.proved, ctx.Err()
	}
	p := newPacking(s, e, t.kinds)
	p.greedy(wanted.least(t.proved))
	p.keep()
	if wanted.settled(len(p.best), t.proved) || ctx.Err() != nil {
		return len(p.best), t.proved, ctx.Err()
	}
	d := newPrices(p)
	d.adopt(t)
	for _, step := range []func(){
		func() { p.walk(ctx, rand.New(rand.NewPCG(0, 0)), wanted.least(d.proved)) },
		func() { d.improve(ctx, t, wanted) },
		func() { exhaust(ctx, p, d, wanted.least(d.proved)) },
	} {
		if wanted.settled(len(p.best), d.proved) || d.proved < s.nodes-1 || ctx.Err() != nil {
			break
		}
		step()
	}
	return len(p.best), d.proved, ctx.Err()
}

// aim is the bound, half an edge to spare, that would settle the question where that many edges were found.
func (g goal) aim(found, nodes int) float64 {
	if g != everything {
		return float64(g) - 0.5
	}
	return float64(max(found, nodes-2)) + 0.5
}

// least is the number of edges at which to stop looking for more.
func (g goal) least(proved int) int { return min(int(g), proved) }
