package cluster

import (
	"fmt"

	"github.com/batopo/batopo/mixing"
)

// A Round is what one exchange with all neighbours costs.
type Round struct {
	MinEdgeGBs      float64 // bandwidth of the slowest edge
	CommunicationMS float64 // time until the last edge is done
	Bottleneck      string  // the resource that makes the slowest edge slow
}

// Wait makes r last until t is done as well, which is under way at the same time.
func (r *Round) Wait(t Round) {
	if t.CommunicationMS > r.CommunicationMS {
		r.CommunicationMS, r.Bottleneck = t.CommunicationMS, t.Bottleneck
	}
	if r.MinEdgeGBs == 0 || t.MinEdgeGBs < r.MinEdgeGBs {
		r.MinEdgeGBs = t.MinEdgeGBs
	}
}

// Load counts the edges of a matrix on every resource.
func (c *Cluster) Load(w *mixing.Matrix) (*Load, error) {
	l := c.NewLoad()
	if err := l.AddRound(w); err != nil {
		return nil, err
	}
	return l, nil
}

// AddRound puts all edges of a matrix under way.
func (l *Load) AddRound(w *mixing.Matrix) error {
	c := l.cluster
	if w.Nodes() != c.nodes {
		return fmt.Errorf("cluster: the matrix has %d nodes, the cluster %d", w.Nodes(), c.nodes)
	}
	for to := range c.nodes {
		from, _ := w.Row(to)
		for _, sender := range from {
			back := Flow{}
			if _, both := w.At(sender, to); both {
				if sender > to {
					continue // the pair is added once, where its lower node sends
				}
				back = Whole
			}
			if !l.Add(sender, to, Whole, back) {
				return c.NoRoute(sender, to)
			}
		}
	}
	return nil
}
