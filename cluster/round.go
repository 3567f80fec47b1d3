package cluster

import (
	"fmt"

	"github.com/batopo/batopo/mixing"
)

// A Load says how many edges each resource carries in one round.
type Load struct {
	Count []int // per resource
	out   []int
	in    []int
}

// A Round is what one exchange with all neighbours costs.
type Round struct {
	MinEdgeGBs      float64 // bandwidth of the slowest edge
	CommunicationMS float64 // time until the last edge is done
	Bottleneck      string  // the resource that makes the slowest edge slow
}

// Load counts the edges on every resource. A port counts the busier of its two directions; a
// shared link counts each pair once, in whichever directions it talks.
func (c *Cluster) Load(w *mixing.Matrix) (*Load, error) {
	if w.Nodes() != c.nodes {
		return nil, fmt.Errorf("cluster: the matrix has %d nodes, the cluster %d", w.Nodes(), c.nodes)
	}
	l := &Load{Count: make([]int, len(c.resources)), out: make([]int, len(c.resources)), in: make([]int, len(c.resources))}
	var hops []Hop
	for to := range c.nodes {
		from, _ := w.Row(to)
		for _, sender := range from {
			hops = c.route(hops[:0], sender, to)
			if len(hops) == 0 {
				return nil, fmt.Errorf("cluster: nodes %s and %s have no route; remove the edge or list a route for the pair",
					c.NodeName(sender), c.NodeName(to))
			}
			_, back := w.At(sender, to)
			for _, h := range hops {
				switch {
				case h.Side == Sender:
					l.out[h.Resource]++
				case h.Side == Receiver:
					l.in[h.Resource]++
				case sender < to || !back:
					l.Count[h.Resource]++
				}
			}
		}
	}
	for r := range l.Count {
		l.Count[r] += max(l.out[r], l.in[r])
	}
	return l, nil
}

// of counts the arcs that pass a hop the same way.
func (l *Load) of(h Hop) int {
	switch h.Side {
	case Sender:
		return l.out[h.Resource]
	case Receiver:
		return l.in[h.Resource]
	}
	return l.Count[h.Resource]
}

// Round returns what one round of w costs: every edge gets the smallest share bandwidth/load along its route, each
// direction of a full-duplex link apart, and the slowest edge decides. A round that a resource may not carry has no
// price.
func (c *Cluster) Round(w *mixing.Matrix) (Round, error) { return c.round(w, c.model.MessageMB) }

func (c *Cluster) round(w *mixing.Matrix, messageMB float64) (Round, error) {
	load, err := c.Load(w)
	if err != nil {
		return Round{}, err
	}
	for l, r := range c.resources {
		if r.MaxEdges > 0 && load.Count[l] > r.MaxEdges {
			return Round{}, fmt.Errorf("cluster: %s would carry %d edges; its max_edges is %d",
				r.Name, load.Count[l], r.MaxEdges)
		}
	}
	var round Round
	c.eachArc(w, load, func(_, _ int, gbs, latencyMS float64, slowest *Resource) {
		// Megabytes over gigabytes per second are milliseconds.
		if ms := latencyMS + messageMB/gbs; ms > round.CommunicationMS {
			round.CommunicationMS, round.Bottleneck = ms, slowest.Name
		}
		if round.MinEdgeGBs == 0 || gbs < round.MinEdgeGBs {
			round.MinEdgeGBs = gbs
		}
	})
	return round, nil
}

// EpochMS returns the time of one epoch of the given number of iterations:
// communication and computation one after the other, as the paper counts it.
func (c *Cluster) EpochMS(r Round, iterations float64) float64 {
	return (r.CommunicationMS + c.model.ComputeMS) * iterations
}

// An AllReduce is exact averaging by the ring algorithm on the same hardware.
type AllReduce struct {
	Round
	Steps int
}

// RingAllReduce returns the cost of a ring all-reduce over the nodes as they are numbered; see
// [Cluster.RingAllReduceAlong].
func (c *Cluster) RingAllReduce() (AllReduce, error) {
	order := make([]int, c.nodes)
	for i := range order {
		order[i] = i
	}
	return c.RingAllReduceAlong(order)
}

// RingAllReduceAlong returns the cost of a ring all-reduce over the nodes in an order: 2(n−1)
// steps, each moving 1/n of the message along a directed ring.
func (c *Cluster) RingAllReduceAlong(order []int) (AllReduce, error) {
	n := c.nodes
	arcs := make([]mixing.Arc, 0, n)
	for k, i := range order {
		arcs = append(arcs, mixing.Arc{From: i, To: order[(k+1)%n], Weight: 0.5})
	}
	ring, err := mixing.FromArcs(n, arcs)
	if err != nil {
		return AllReduce{}, err
	}
	// A step is a round of its own: with unequal latencies the edge that is slowest for a whole message
	// need not be the slowest for a part of it.
	step, err := c.round(ring, c.model.MessageMB/float64(n))
	if err != nil {
		return AllReduce{}, err
	}
	steps := 2 * (n - 1)
	step.CommunicationMS *= float64(steps)
	return AllReduce{Round: step, Steps: steps}, nil
}
