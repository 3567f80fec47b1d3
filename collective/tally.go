package collective

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
)

// A tally adds up what every resource carries in one slot.
type tally struct {
	cluster   *cluster.Cluster
	resources []cluster.Resource
	out, in   []float64 // shares of the message, per direction
	between   []float64 // on shared links, each pair once
	edges     []int     // transfers out, in and between; the largest counts against max_edges
	sent      []transfer
	pairs     map[[2]int]float64
	hops      []cluster.Hop
}

type transfer struct {
	from, to int
	share    float64
}

func newTally(c *cluster.Cluster) *tally {
	r := c.Resources()
	return &tally{cluster: c, resources: r, out: make([]float64, len(r)), in: make([]float64, len(r)),
		between: make([]float64, len(r)), edges: make([]int, 3*len(r)), pairs: map[[2]int]float64{}}
}

func (t *tally) clear() {
	clear(t.out)
	clear(t.in)
	clear(t.between)
	clear(t.edges)
	clear(t.pairs)
	t.sent = t.sent[:0]
}

// add loads the resources with a step, of which every transfer has scale times its size.
func (t *tally) add(step []Transfer, scale float64) error {
	for _, x := range step {
		t.hops = t.cluster.Route(t.hops[:0], x.From, x.To)
		if len(t.hops) == 0 {
			return fmt.Errorf("collective: nodes %s and %s have no route",
				t.cluster.NodeName(x.From), t.cluster.NodeName(x.To))
		}
		size := x.share() * scale
		t.sent = append(t.sent, transfer{x.From, x.To, size})
		// A shared link carries a pair once: the larger of its two directions.
		there, back := t.pairs[[2]int{x.From, x.To}], t.pairs[[2]int{x.To, x.From}]
		t.pairs[[2]int{x.From, x.To}] = there + size
		grown := max(there+size, back) - max(there, back)
		for _, h := range t.hops {
			switch h.Side {
			case cluster.Sender:
				t.out[h.Resource] += size
				t.edges[3*h.Resource]++
			case cluster.Receiver:
				t.in[h.Resource] += size
				t.edges[3*h.Resource+1]++
			default:
				t.between[h.Resource] += grown
				if there == 0 && back == 0 {
					t.edges[3*h.Resource+2]++
				}
			}
		}
	}
	return nil
}

// of returns what passes a hop the same way, in messages.
func (t *tally) of(h cluster.Hop) float64 {
	switch h.Side {
	case cluster.Sender:
		return t.out[h.Resource]
	case cluster.Receiver:
		return t.in[h.Resource]
	}
	return t.between[h.Resource]
}

// price returns what the slot costs: the time until the last transfer is done.
func (t *tally) price() (slot cluster.Round, err error) {
	for l, r := range t.resources {
		busiest := max(t.edges[3*l], t.edges[3*l+1]) + t.edges[3*l+2]
		if r.MaxEdges > 0 && busiest > r.MaxEdges {
			return slot, fmt.Errorf("collective: %s would carry %d transfers at once; its max_edges is %d",
				r.Name, busiest, r.MaxEdges)
		}
	}
	message, wire := t.cluster.Model().MessageMB, t.cluster.Spec().LatencyMS
	for _, x := range t.sent {
		t.hops = t.cluster.Route(t.hops[:0], x.from, x.to)
		latency, longest, slow := wire, 0.0, 0
		for _, h := range t.hops {
			r := &t.resources[h.Resource]
			latency += r.LatencyMS
			// Megabytes over gigabytes per second are milliseconds.
			if busy := t.of(h) * message / r.Toward(h.Side); busy > longest {
				longest, slow = busy, h.Resource
			}
		}
		if latency+longest > slot.CommunicationMS {
			slot.CommunicationMS, slot.Bottleneck = latency+longest, t.resources[slow].Name
		}
		if gbs := x.share * message / longest; slot.MinEdgeGBs == 0 || gbs < slot.MinEdgeGBs {
			slot.MinEdgeGBs = gbs
		}
	}
	return slot, nil
}
