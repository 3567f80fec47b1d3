package replan

import (
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// flows are the messages of a round, with what they passed and what that should have taken.
type flows struct {
	c         *cluster.Cluster
	messageMB float64
	arcs      []TimingArc
	hops      [][]cluster.Hop
	on        map[cluster.Hop][]int // the messages that passed a resource one way
	latency   []float64             // of the way of each message
	predicted []float64
}

func newFlows(c *cluster.Cluster, t *Timings) (*flows, error) {
	f := &flows{c: c, messageMB: t.MessageMB, arcs: t.Arcs, on: map[cluster.Hop][]int{}}
	for k, a := range t.Arcs {
		f.hops = append(f.hops, c.Route(nil, a.From, a.To))
		for _, h := range f.hops[k] {
			f.on[h] = append(f.on[h], k)
		}
	}
	sized, err := c.WithMessage(t.MessageMB)
	if err != nil {
		return nil, err
	}
	load, sends := sized.NewLoad(), map[[2]int]cluster.Flow{}
	for _, a := range t.Arcs {
		sends[[2]int{a.From, a.To}] = cluster.Whole
	}
	for _, a := range t.Arcs {
		// A pair is put under way once: where its lower node sends or, where that one does not, by the other.
		if back := sends[[2]int{a.To, a.From}]; a.From < a.To || back.Messages == 0 {
			load.Add(a.From, a.To, cluster.Whole, back)
		}
	}
	for _, a := range t.Arcs {
		p := load.Passage(a.From, a.To)
		f.latency, f.predicted = append(f.latency, p.LatencyMS), append(f.predicted, p.LatencyMS+p.BusyMS)
	}
	return f, nil
}

// carried is the rate at which a resource carried all that passed it one way: by the time the last message was there,
// less what that was on its way for.
func (f *flows) carried(h cluster.Hop) float64 {
	last := 0.0
	for _, k := range f.on[h] {
		last = max(last, f.arcs[k].MS-f.latency[k])
	}
	return f.messages(h) * f.messageMB / last
}

// messages counts what passed a resource one way; a shared one counts a pair that talks both ways once.
func (f *flows) messages(h cluster.Hop) float64 {
	if h.Side != cluster.Shared {
		return float64(len(f.on[h]))
	}
	pairs := map[[2]int]bool{}
	for _, k := range f.on[h] {
		a := f.arcs[k]
		pairs[[2]int{min(a.From, a.To), max(a.From, a.To)}] = true
	}
	return float64(len(pairs))
}

// rates returns new rates of resources, by their numbers.
func (f *flows) rates() map[int]float64 {
	out := map[int]float64{}
	late := make([]bool, len(f.arcs))
	for k, a := range f.arcs {
		late[k] = a.MS > slowed*f.predicted[k]
	}
	for {
		h, gbs, explained := f.suspect(late)
		if len(explained) == 0 {
			break
		}
		if old, known := out[h.Resource]; !known || gbs < old {
			out[h.Resource] = gbs
		}
		for _, k := range explained {
			late[k] = false
		}
	}
	f.raise(out)
	return out
}

// suspect returns the resource, all of whose messages are late, that explains most of those not yet explained.
func (f *flows) suspect(late []bool) (worst cluster.Hop, gbs float64, explained []int) {
	for l := range f.c.Resources() {
		for _, side := range []cluster.Side{cluster.Sender, cluster.Receiver, cluster.Shared} {
			h := cluster.Hop{Resource: l, Side: side}
			var mine []int
			all := true
			for _, k := range f.on[h] {
				all = all && f.arcs[k].MS > slowed*f.predicted[k]
				if late[k] {
					mine = append(mine, k)
				}
			}
			if all && len(mine) > len(explained) {
				worst, gbs, explained = h, f.carried(h), mine
			}
		}
	}
	return worst, gbs, explained
}

// raise lets resources carry at least what went through them early.
func (f *flows) raise(out map[int]float64) {
	for l, r := range f.c.Resources() {
		for _, side := range []cluster.Side{cluster.Sender, cluster.Receiver, cluster.Shared} {
			h := cluster.Hop{Resource: l, Side: side}
			on := f.on[h]
			early := !slices.ContainsFunc(on, func(k int) bool { return f.arcs[k].MS > quicker*f.predicted[k] })
			if len(on) == 0 || !early {
				continue
			}
			gbs := f.carried(h)
			if _, blamed := out[l]; !blamed && gbs > r.Toward(side) && !math.IsInf(gbs, 1) { // else only latency is less
				out[l] = gbs
			}
		}
	}
}
