package verify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// A flow is a part of the message on its way between two nodes.
type flow struct {
	from, to int
	share    float64
}

// flows are what a step sends, in parts of the message that is cut into chunks.
func flows(step []design.Transfer, chunks int) []flow {
	out := make([]flow, len(step))
	for k, t := range step {
		out[k] = flow{t.From, t.To, (t.End - t.Begin) / float64(chunks)}
	}
	return out
}

// messageMB is what the message of a round has on the wire of the plan.
func (k *check) messageMB() float64 {
	if k.bucketMB > 0 {
		return k.bucketMB
	}
	return k.cluster.Model().MessageMB * shareOf(k.plan.Wire) / float64(max(1, k.plan.Pieces))
}

// shareOf is how many bytes travel for each in 32 bits. In few bits 256 numbers have a scale of 32.
func shareOf(wire design.Wire) float64 {
	bits, scale := 32.0, 0.0
	switch wire {
	case design.BF16, design.FP16:
		bits = 16
	case design.INT8:
		bits, scale = 8, 32
	case design.INT4:
		bits, scale = 4, 32
	case design.INT2:
		bits, scale = 2, 32
	case design.INT1:
		bits, scale = 1, 32
	}
	return (256*bits + scale) / (256 * 32)
}

// A traffic is what all resources carry while some flows are under way together.
type traffic struct {
	out, in, between    []float64 // megabytes per resource
	leave, enter, pairs []int     // arcs, and pairs on shared resources
	outgoing, incoming  []int     // messages
	talked              []int     // messages of the busier direction of every pair, on shared resources
	sent                []int     // messages of every node
}

// carried adds up pair by pair what passes every resource. A shared one carries a pair's larger direction.
func (k *check) carried(all []flow) (*traffic, error) {
	n, message := len(k.cluster.Resources()), k.messageMB()
	t := &traffic{
		make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n), make([]int, n), make([]int, n),
		make([]int, n), make([]int, n), make([]int, n), make([]int, k.cluster.Nodes()),
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b flow) int {
		return cmp.Or(cmp.Compare(min(a.from, a.to), min(b.from, b.to)), cmp.Compare(max(a.from, a.to), max(b.from, b.to)))
	})
	var hops []cluster.Hop
	for first := 0; first < len(sorted); {
		low, high := min(sorted[first].from, sorted[first].to), max(sorted[first].from, sorted[first].to)
		var up, down float64
		messages := [2]int{}
		last := first
		for ; last < len(sorted) && min(sorted[last].from, sorted[last].to) == low &&
			max(sorted[last].from, sorted[last].to) == high; last++ {
			f := sorted[last]
			if hops = k.cluster.Route(hops[:0], f.from, f.to); len(hops) == 0 {
				return nil, fmt.Errorf("nodes %d and %d have no route on the cluster of the plan", f.from, f.to)
			}
			t.duplex(hops, f.share*message, f.from == low && up == 0 || f.from != low && down == 0)
			t.sent[f.from]++
			if f.from == low {
				up += f.share
				messages[0]++
			} else {
				down += f.share
				messages[1]++
			}
		}
		for _, h := range hops {
			switch h.Side {
			case cluster.Shared:
				t.between[h.Resource] += max(up, down) * message
				t.talked[h.Resource] += max(messages[0], messages[1])
				t.pairs[h.Resource]++
			case cluster.HalfDuplex:
				t.between[h.Resource] += (up + down) * message
				t.talked[h.Resource] += messages[0] + messages[1]
				t.pairs[h.Resource]++
			}
		}
		first = last
	}
	return t, nil
}

// duplex loads the resources that count their directions apart; the first flow of an arc is one more that they carry.
func (t *traffic) duplex(hops []cluster.Hop, megabytes float64, first bool) {
	more := 0
	if first {
		more = 1
	}
	for _, h := range hops {
		switch h.Side {
		case cluster.Sender:
			t.out[h.Resource] += megabytes
			t.leave[h.Resource] += more
			t.outgoing[h.Resource]++
		case cluster.Receiver:
			t.in[h.Resource] += megabytes
			t.enter[h.Resource] += more
			t.incoming[h.Resource]++
		}
	}
}

// edges is how many a resource carries; of a port those of the busier direction.
func (t *traffic) edges(resource int) int {
	return max(t.leave[resource], t.enter[resource]) + t.pairs[resource]
}

// slot prices flows that are under way together: the last of them decides.
func (k *check) slot(all []flow) (cluster.Round, error) {
	var round cluster.Round
	t, err := k.carried(all)
	if err != nil {
		return round, err
	}
	resources, message := k.cluster.Resources(), k.messageMB()
	for l, r := range resources {
		if most := t.edges(l); r.MaxEdges > 0 && most > r.MaxEdges {
			return round, fmt.Errorf("%s carries %d transfers at once, allowed are %d", r.Name, most, r.MaxEdges)
		}
	}
	var hops []cluster.Hop
	for _, f := range all {
		latency, busy := k.cluster.LatencyMS()+k.cluster.PerMessageMS()*float64(t.sent[f.from]), 0.0
		hops = k.cluster.Route(hops[:0], f.from, f.to)
		for _, h := range hops {
			load, messages := t.between, t.talked
			switch h.Side {
			case cluster.Sender:
				load, messages = t.out, t.outgoing
			case cluster.Receiver:
				load, messages = t.in, t.incoming
			}
			latency += resources[h.Resource].LatencyMS + resources[h.Resource].PerMessageMS*float64(messages[h.Resource])
			busy = max(busy, load[h.Resource]/resources[h.Resource].Toward(h.Side))
		}
		round.CommunicationMS = max(round.CommunicationMS, latency+busy)
		if gbs := f.share * message / busy; round.MinEdgeGBs == 0 || gbs < round.MinEdgeGBs {
			round.MinEdgeGBs = gbs
		}
	}
	return round, nil
}

// pipelined prices steps that every chunk goes through, one step behind the chunk before it.
func (k *check) pipelined(steps [][]flow, chunks int) (cluster.Round, error) {
	var total, same cluster.Round
	before := [2]int{-1, -1}
	for slot := range len(steps) + chunks - 1 {
		window := [2]int{max(0, slot-chunks+1), min(slot, len(steps)-1)}
		if window != before {
			var err error
			if same, err = k.slot(slices.Concat(steps[window[0] : window[1]+1]...)); err != nil {
				return total, err
			}
			before = window
		}
		total.CommunicationMS += same.CommunicationMS
		if total.MinEdgeGBs == 0 || same.MinEdgeGBs < total.MinEdgeGBs {
			total.MinEdgeGBs = same.MinEdgeGBs
		}
	}
	return total, nil
}
