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
	for to := range c.nodes {
		senders, _ := w.Row(to)
		for _, from := range senders {
			p := load.Passage(from, to)
			shares = append(shares, Share{From: from, To: to, GBs: p.GBs, Bottleneck: p.Bottleneck})
		}
	}
	return shares, nil
}
