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
		b.add(arcs, order, &p)
		slowest, sum := 0., 0.
		for _, a := range arcs {
			passage := b.load.Passage(order[a.from], order[a.to])
			ms := passage.LatencyMS + passage.BusyMS
			slowest = max(slowest, ms)
			squared := ms * ms
			sum += squared * squared
		}
		p.rounds += slowest
		p.shape += math.Sqrt(math.Sqrt(sum))
	}
	return p
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
