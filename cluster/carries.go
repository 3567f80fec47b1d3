package cluster

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
// edges one by one, exchanges, prices for each resource, and at last every choice there is where these are few.
func (s *routes) carries(ctx context.Context, e []int, wanted goal) (found, proved int, err error) {
	p := newPacking(s, e)
	d := newPrices(p)
	for _, step := range []func(){
		func() { d.alike(wanted) },
		func() { p.greedy(wanted.least(d.proved)); p.keep() },
		func() { p.walk(ctx, rand.New(rand.NewPCG(0, 0)), wanted.least(d.proved)) },
		func() { d.improve(ctx, wanted) },
		func() { exhaust(ctx, p, d, wanted.least(d.proved)) },
	} {
		if wanted.settled(len(p.best), d.proved) || d.proved < s.nodes-1 || ctx.Err() != nil {
			break
		}
		step()
	}
	return len(p.best), d.proved, ctx.Err()
}

// least is the number of edges at which to stop looking for more.
func (g goal) least(proved int) int { return min(int(g), proved) }
