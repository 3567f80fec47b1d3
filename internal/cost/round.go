package cost

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/mixing"
)

// AtRate is the least time of a message between two nodes that gets no more than gbs gigabytes per second.
func AtRate(c *cluster.Cluster, gbs float64) float64 {
	return c.LatencyMS() + c.PerMessageMS() + c.Model().MessageMB/gbs
}

// Gossip prices a round of whole messages along the arcs of w: the last of them decides. A round that a resource may
// not carry has no price.
func Gossip(c *cluster.Cluster, w *mixing.Matrix) (round cluster.Round, err error) {
	load, err := c.Load(w)
	if err != nil {
		return round, err
	}
	if err := load.Allowed(); err != nil {
		return round, err
	}
	for to := range c.Nodes() {
		from, _ := w.Row(to)
		for _, sender := range from {
			p := load.Passage(sender, to)
			round.Wait(cluster.Round{MinEdgeGBs: p.GBs, CommunicationMS: p.LatencyMS + c.Model().MessageMB/p.GBs,
				Bottleneck: p.Bottleneck})
		}
	}
	return round, nil
}

// A Form is what a round sends: whole messages along the arcs of W, or in its place the steps of an algorithm.
type Form struct {
	W     *mixing.Matrix
	Steps *collective.Algorithm
	Peers [][]int // of Steps: for whom every node waits; nil: all for all
}

// Forms are the rounds of a schedule.
func Forms(rounds []*mixing.Matrix) []Form {
	out := make([]Form, len(rounds))
	for t, w := range rounds {
		out[t].W = w
	}
	return out
}

// Rounds prices every round of a period.
func Rounds(c *cluster.Cluster, period []Form) ([]cluster.Round, error) {
	out := make([]cluster.Round, len(period))
	for t, f := range period {
		if f.Steps != nil {
			price, err := Of(f.Steps, c)
			if err != nil {
				return nil, err
			}
			out[t] = cluster.Round{MinEdgeGBs: price.MinGBs, CommunicationMS: price.MS, Bottleneck: price.Bottleneck}
			continue
		}
		var err error
		if out[t], err = Gossip(c, f.W); err != nil {
			return nil, fmt.Errorf("round %d: %w", t, err)
		}
	}
	return out, nil
}
