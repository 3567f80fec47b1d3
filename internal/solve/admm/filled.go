package admm

import (
	"context"
	"math/rand/v2"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// Filled turns M z ≤ e into an M z = e that has a solution with r edges, or with as many as were found to fit.
// Algorithm 1 trims e to r edges by counting, which takes routes of one length. For any routes the counts must be those
// of some graph: here of one with r edges within the limits, annealed for a short average path.
func Filled(ctx context.Context, space design.Space, seed uint64) (design.Space, error) {
	rounder, err := feasible.New(ctx, space)
	if err != nil {
		return design.Space{}, err
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	const attempts = 64
	s := rounder.Start()
	for attempt := 0; attempt < attempts && s.Count() < space.MaxEdges && ctx.Err() == nil; attempt++ {
		score := make([]float64, len(space.Candidates))
		for k := range score {
			score[k] = 1 + rng.Float64() // every edge counts, so that none is left out that fits
		}
		if next := rounder.Round(score); next.Count() > s.Count() {
			s = next
		}
	}
	anneal(ctx, s, space.Candidates, space.Nodes, annealingMoves(space), rng)
	space.MaxEdges = s.Count()
	return used(space, s.Chosen()), nil
}

// used is the space that asks for exactly the loads of a choice.
func used(space design.Space, chosen []bool) design.Space {
	limits := make([]design.Limit, len(space.Limits))
	space.Exact = true
	for l, limit := range space.Limits {
		if space.MustFill(limit) {
			limit.Max = 0
			for _, k := range limit.Edges {
				if chosen[k] {
					limit.Max++
				}
			}
		}
		limits[l] = limit
	}
	space.Limits = limits
	return space
}
