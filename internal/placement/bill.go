package placement

import (
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
)

// A bill prices arcs under an order of the nodes, also where some of them have no route.
type bill struct {
	c         *cluster.Cluster
	resources []cluster.Resource
	message   float64
	latency   float64
	rounds    [][]arc
	routes    [][]cluster.Hop // of the pairs asked for so far, by from·n + to; nil where all would be too many
	out, in   []int           // arcs by resource and direction
	pairs     []int           // pairs by shared resource
	hops      []cluster.Hop
}

// An arc of a topology, between parts that nodes play. Twin says that the arc back comes in the same round.
type arc struct {
	from, to int
	twin     bool
}

// mostRemembered is the number of nodes up to which the route of every pair is remembered: an order is priced from
// routes alone, and thousands of orders ask for the same ones.
const mostRemembered = 512

func newBill(c *cluster.Cluster, rounds []*mixing.Matrix) *bill {
	l := len(c.Resources())
	b := &bill{c: c, resources: c.Resources(), message: c.Model().MessageMB,
		out: make([]int, l), in: make([]int, l), pairs: make([]int, l)}
	b.latency = c.Spec().LatencyMS
	if n := c.Nodes(); n <= mostRemembered {
		b.routes = make([][]cluster.Hop, n*n)
	}
	for _, w := range rounds {
		var arcs []arc
		for to := range w.Nodes() {
			from, _ := w.Row(to)
			for _, i := range from {
				_, back := w.At(i, to)
				arcs = append(arcs, arc{i, to, back})
			}
		}
		b.rounds = append(b.rounds, arcs)
	}
	return b
}

// route returns the hops from one node to another, none where there is no route.
func (b *bill) route(i, j int) []cluster.Hop {
	if b.routes == nil {
		b.hops = b.c.Route(b.hops[:0], i, j)
		return b.hops
	}
	known := &b.routes[i*b.c.Nodes()+j]
	if *known == nil {
		*known = b.c.Route([]cluster.Hop{}, i, j)
	}
	return *known
}

func (b *bill) arcs() (n int) {
	for _, arcs := range b.rounds {
		n += len(arcs)
	}
	return n
}

// A price orders the orders of nodes: first how much of a topology cannot be, then how long it takes. Rounds is the
// sum of their slowest arcs, which is what is paid; shape is smooth, so that a change which helps one of several slow
// arcs is seen.
type price struct {
	missing       int
	rounds, shape float64
}

func (p price) less(q price) bool {
	switch {
	case p.missing != q.missing:
		return p.missing < q.missing
	case math.Abs(p.rounds-q.rounds) > 1e-12*q.rounds:
		return p.rounds < q.rounds
	}
	return p.shape < q.shape
}

// of prices an order: part k is played by node order[k].
func (b *bill) of(order []int) (p price) {
	for _, arcs := range b.rounds {
		b.load(arcs, order, &p)
		slowest, sum := 0., 0.
		for _, a := range arcs {
			ms := b.time(order[a.from], order[a.to])
			slowest = max(slowest, ms)
			squared := ms * ms
			sum += squared * squared
		}
		p.rounds += slowest
		p.shape += math.Sqrt(math.Sqrt(sum))
	}
	return p
}

// load counts the arcs of a round on every resource, and what cannot be.
func (b *bill) load(arcs []arc, order []int, p *price) {
	clear(b.out)
	clear(b.in)
	clear(b.pairs)
	for _, a := range arcs {
		i, j := order[a.from], order[a.to]
		hops := b.route(i, j)
		if len(hops) == 0 {
			p.missing++
		}
		for _, h := range hops {
			switch {
			case h.Side == cluster.Sender:
				b.out[h.Resource]++
			case h.Side == cluster.Receiver:
				b.in[h.Resource]++
			case i < j || !a.twin:
				b.pairs[h.Resource]++
			}
		}
	}
	for l, r := range b.resources {
		if r.MaxEdges > 0 {
			p.missing += max(0, max(b.out[l], b.in[l])+b.pairs[l]-r.MaxEdges)
		}
	}
}

// time is that of one arc under the present load.
func (b *bill) time(i, j int) float64 {
	ms, longest := b.latency, 0.
	for _, h := range b.route(i, j) {
		r := &b.resources[h.Resource]
		ms += r.LatencyMS
		n := b.pairs[h.Resource]
		switch h.Side {
		case cluster.Sender:
			n = b.out[h.Resource]
		case cluster.Receiver:
			n = b.in[h.Resource]
		}
		longest = max(longest, float64(n)*b.message/r.Toward(h.Side))
	}
	return ms + longest
}
