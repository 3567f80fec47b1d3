package cluster

import "github.com/batopo/batopo/mixing"

// A Share is what one arc gets in a round.
type Share struct {
	From, To   int
	GBs        float64
	Bottleneck string // the resource on its route that gives it so little
}

// Shares returns what every arc of w gets when all are used at the same time, ordered by receiver, then sender.
func (c *Cluster) Shares(w *mixing.Matrix) ([]Share, error) {
	load, err := c.Load(w)
	if err != nil {
		return nil, err
	}
	shares := make([]Share, 0, w.Arcs())
	c.eachArc(w, load, func(from, to int, gbs, _ float64, slowest *Resource) {
		shares = append(shares, Share{From: from, To: to, GBs: gbs, Bottleneck: slowest.Name})
	})
	return shares, nil
}

// eachArc calls look with every arc of w: the smallest share along its route, the latencies on it together, and the
// resource that has the smallest share.
func (c *Cluster) eachArc(
	w *mixing.Matrix, load *Load, look func(from, to int, gbs, latencyMS float64, slowest *Resource),
) {
	var hops []Hop
	for to := range c.nodes {
		senders, _ := w.Row(to)
		for _, from := range senders {
			hops = c.route(hops[:0], from, to)
			latency, gbs := c.latencyMS, 0.0
			var slowest *Resource
			for _, h := range hops {
				r := &c.resources[h.Resource]
				latency += r.LatencyMS
				if share := r.Toward(h.Side) / float64(load.of(h)); slowest == nil || share < gbs {
					gbs, slowest = share, r
				}
			}
			look(from, to, gbs, latency, slowest)
		}
	}
}
