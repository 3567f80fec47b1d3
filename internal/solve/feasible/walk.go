package feasible

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
)

// walk exchanges edges at random for more of them: an edge comes in where some resource has room, and goes out wherever
// that overfills another. The graph never falls into more parts than it had, and edges are given up only to join parts.
func (p *packing) walk(ctx context.Context, rng *rand.Rand, enough int) {
	const steps, perEdge, pace = 1 << 14, 16, 1 << 8
	parts := p.components()
	for step := range steps + perEdge*p.count {
		if len(p.some.items) == 0 || parts == 1 && p.count >= enough || step%pace == 0 && ctx.Err() != nil {
			break
		}
		some := p.Through(p.rarest(rng))
		if len(some) == 0 {
			continue
		}
		if k := some[rng.IntN(len(some))]; !p.in[k] {
			parts = p.exchange(rng, k, parts)
			p.keep()
		}
	}
}

// rarest draws a few kinds of resource with room and returns one of the kind with the fewest resources that have room,
// then with the fewest candidates. A port that is left over says more about where an edge can still go than an uplink
// or a network card that has room all the time.
func (p *packing) rarest(rng *rand.Rand) int32 {
	const drawn = 8
	best := p.some.draw(rng)
	for range drawn - 1 {
		kind := p.some.draw(rng)
		if cmp.Or(cmp.Compare(len(p.free[kind].items), len(p.free[best].items)),
			cmp.Compare(p.alike.perRes[kind], p.alike.perRes[best])) < 0 {
			best = kind
		}
	}
	return p.free[best].draw(rng)
}

// exchange adds candidate k and removes what it displaces, unless that makes things worse, and returns the number of
// parts.
func (p *packing) exchange(rng *rand.Rand, k int32, parts int) int {
	joins := parts > 1 && !p.joined(p.Edges[k].I, p.Edges[k].J)
	var out [2]int32
	displaced := out[:0]
	for _, l := range p.Route(k) {
		if p.left[l] > 0 || len(displaced) > 0 && p.passes(displaced[0], l) {
			continue
		}
		if len(p.on[l]) == 0 || len(displaced) == len(out) {
			return parts
		}
		displaced = append(displaced, p.on[l][rng.IntN(len(p.on[l]))])
	}
	if len(displaced) == 2 && p.passes(displaced[1], p.fullest(k)) {
		displaced = displaced[1:]
	}
	if len(displaced) > 1 && !joins {
		return parts
	}
	for _, x := range displaced {
		p.remove(x)
	}
	p.add(k)
	now := parts
	if joins {
		now--
	}
	for _, x := range displaced {
		if !p.joined(p.Edges[x].I, p.Edges[x].J) {
			now = p.components()
			break
		}
	}
	if now > parts || now == parts && len(displaced) > 1 {
		p.remove(k)
		for _, x := range displaced {
			p.add(x)
		}
		return parts
	}
	return now
}

// fullest returns the first resource of k that takes no more.
func (p *packing) fullest(k int32) int32 {
	for _, l := range p.Route(k) {
		if p.left[l] <= 0 {
			return l
		}
	}
	return -1
}

func (p *packing) passes(k, l int32) bool { return slices.Contains(p.Route(k), l) }
