package placement

import (
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
)

// A bill prices arcs under an order of the nodes, also where some of them have no route.
type bill struct {
	resources []cluster.Resource
	rounds    [][]arc
	load      *cluster.Load
}

// An arc of a topology, between parts that nodes play. Twin says that the arc back comes in the same round.
type arc struct {
	from, to int
	twin     bool
}

func newBill(c *cluster.Cluster, rounds []*mixing.Matrix) *bill {
	b := &bill{resources: c.Resources(), load: c.NewLoad()}
	b.load.Remember()
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

// same is by how much, relatively, rounding may make equal times differ.
const same = 1e-12

// worst is no limit.
var worst = price{missing: math.MaxInt}

func (p price) less(q price) bool {
	switch {
	case p.missing != q.missing:
		return p.missing < q.missing
	case math.Abs(p.rounds-q.rounds) > same*q.rounds:
		return p.rounds < q.rounds
	}
	return p.shape < q.shape
}

// within prices an order: part k is played by node order[k]. Not ok: it is worse than a limit, and by how much was not
// found out.
func (b *bill) within(order []int, limit price) (p price, ok bool) {
	for _, arcs := range b.rounds {
		if b.add(arcs, order, &p); p.missing > limit.missing {
			return p, false
		}
		most := math.Inf(1)
		if p.missing == limit.missing {
			most = limit.rounds*(1+2*same) - p.rounds
		}
		slowest, sum := 0., 0.
		for _, a := range arcs {
			ms := b.load.MS(order[a.from], order[a.to])
			if ms > slowest {
				if slowest = ms; slowest > most {
					return p, false
				}
			}
			squared := ms * ms
			sum += squared * squared
		}
		p.rounds += slowest
		p.shape += math.Sqrt(math.Sqrt(sum))
	}
	return p, true
}

// add puts the arcs of a round under way, and counts what cannot be.
func (b *bill) add(arcs []arc, order []int, p *price) {
	b.load.Clear()
	for _, a := range arcs {
		i, j := order[a.from], order[a.to]
		switch {
		case a.twin && i > j: // the pair is added once, where its lower node sends
		case a.twin && !b.load.Add(i, j, cluster.Whole, cluster.Whole):
			p.missing += 2
		case !a.twin && !b.load.Add(i, j, cluster.Whole, cluster.Flow{}):
			p.missing++
		}
	}
	for l, r := range b.resources {
		if r.MaxEdges > 0 {
			p.missing += max(0, b.load.Count[l]-r.MaxEdges)
		}
	}
}
