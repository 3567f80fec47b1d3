package feasible

import (
	"math"

	"github.com/batopo/batopo/topology"
)

// greedy first connects the nodes, then adds edges while there is room and fewer than enough: always one that takes the
// smallest part of what its resources have left, Σ 1/left, the lowest number among equals. That cost only grows, so
// candidates wait in lists by cost, eight to a doubling, at what it was when they were last looked at.
func (p *packing) greedy(enough int) {
	joined := topology.NewParts(p.nodes)
	p.fill(min(enough, p.nodes-1), func(k int32) bool { return joined.JoinEnds(p.Edges[k]) })
	p.fill(enough, func(int32) bool { return true })
}

func (p *packing) fill(enough int, wanted func(k int32) bool) {
	part := make([]float64, p.resources) // of what a resource has left that one edge takes; +Inf where nothing is left
	for l := range part {
		part[l] = takenFrom(p.left[l])
	}
	// The exponent of the cost and three bits of its mantissa: eight levels from 2⁻³², less than any cost, to 1, then to
	// 2, ….
	const levels, mantissa, least = 8 * 64, 52 - 3, (1023 - 32) << 3
	level := func(k int32) (at int, room bool) {
		cost := 0.0
		for _, l := range p.Route(k) {
			cost += part[l]
		}
		return min(levels-1, int(math.Float64bits(cost)>>mantissa)-least), cost <= math.MaxFloat64
	}
	var waiting [levels][]int32
	for k := range int32(len(p.Edges)) {
		if at, room := level(k); room && !p.in[k] {
			waiting[at] = append(waiting[at], k)
		}
	}
	for at := range waiting {
		for x := 0; x < len(waiting[at]); x++ {
			if p.count >= enough {
				return
			}
			k := waiting[at][x]
			switch now, room := level(k); {
			case !room:
			case now > at:
				waiting[now] = append(waiting[now], k)
			case wanted(k):
				p.add(k)
				for _, l := range p.Route(k) {
					part[l] = takenFrom(p.left[l])
				}
			}
		}
		waiting[at] = nil
	}
}

func takenFrom(left int) float64 {
	if left <= 0 {
		return math.Inf(1)
	}
	return 1 / float64(left)
}
