package verdict

import (
	"errors"
	"fmt"

	"batopo/cluster"
	"batopo/mixing"
	"batopo/report"
)

// exponentialOnSYS counts the edges on the link between the sockets again.
func exponentialOnSYS(q *question) (report.Result, string) {
	edges, round, err := loadOfExponential("SYS")
	if err != nil {
		q.err = err
		return report.Open, ""
	}
	same := float64(edges) == q.value("edges") && q.Values["min_edge_gb_s"].Rounds(round.MinEdgeGBs)
	return holds(same), fmt.Sprintf("%d edges, %.3f GB/s at %s", edges, round.MinEdgeGBs, round.Bottleneck)
}

// loadOfExponential puts the exponential graph on the paper's server and counts the edges on one kind of link.
func loadOfExponential(link string) (edges int, round cluster.Round, err error) {
	const unit = cluster.PaperBandwidthGBs / 2
	c, err := cluster.New(cluster.Spec{Format: cluster.Format, Servers: &cluster.Servers{Count: 1, GPUs: 8,
		Tree: cluster.TreeSpec{PIX: unit, Node: unit, Sys: 2 * unit}}})
	if err != nil {
		return 0, round, err
	}
	w, err := mixing.Exponential(c.Nodes())
	if err != nil {
		return 0, round, err
	}
	load, errLoad := c.Load(w)
	round, errRound := c.Round(w)
	if err := errors.Join(errLoad, errRound); err != nil {
		return 0, round, err
	}
	for l, r := range c.Resources() {
		if r.Name == link {
			edges = load.Count[l]
		}
	}
	return edges, round, nil
}
