package consensus_test

import (
	"context"
	"fmt"
	"log"

	"github.com/batopo/batopo/internal/consensus"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// One node of four starts with 1, the others with 0; around a ring they agree on 1/4.
func ExampleSimulate() {
	ring, err := topology.Ring(4)
	if err != nil {
		log.Fatal(err)
	}
	const w = 1.0 / 3
	matrix, err := mixing.FromEdges(ring, []float64{w, w, w, w})
	if err != nil {
		log.Fatal(err)
	}
	schedule := &mixing.Schedule{Rounds: []*mixing.Matrix{matrix}}
	result, err := consensus.Simulate(context.Background(), schedule, consensus.Settings{
		Start: []float64{1, 0, 0, 0}, Target: 0.02,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range result.Errors {
		fmt.Printf("round %d: error %.4f\n", e.Round, e.RMS)
	}
	// Output:
	// round 0: error 0.8660
	// round 1: error 0.2887
	// round 2: error 0.0962
	// round 3: error 0.0321
	// round 4: error 0.0107
}
