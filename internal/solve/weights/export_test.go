package weights

import (
	"context"

	"github.com/batopo/batopo/topology"
)

// SolveOrbits has one weight per class of edges, as the weights of a lift are solved in another way.
func SolveOrbits(ctx context.Context, g *topology.Graph, orbit []int, s Settings) (*Result, error) {
	return solveExact(ctx, g, orbit, s.withDefaults())
}
