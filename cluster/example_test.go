package cluster_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// Four nodes, the last one with a slow network card, average around a ring.
func ExampleRead() {
	const description = `
format: batopo.cluster/v1
nodes: 4
bandwidth: [10, 10, 10, 2]
model: {message_mb: 50}
`
	c, err := cluster.Read("cluster.yaml", strings.NewReader(description))
	if err != nil {
		log.Fatal(err)
	}
	ring, err := topology.Ring(4)
	if err != nil {
		log.Fatal(err)
	}
	w, err := mixing.FromEdges(ring, []float64{0.25, 0.25, 0.25, 0.25})
	if err != nil {
		log.Fatal(err)
	}
	round, err := cost.Gossip(c, w)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f ms a round because of %s\n", round.CommunicationMS, round.Bottleneck)
	// Output:
	// 50 ms a round because of node 3
}
