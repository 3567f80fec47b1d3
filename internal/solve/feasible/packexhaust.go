package feasible

import (
	"context"

	"github.com/batopo/batopo/topology"
)

// exhaust looks at every choice of candidates that may still be better than the largest connected one found, where they
// are few. Afterwards that one is proved to be the largest, unless the steps ran out.
func exhaust(ctx context.Context, p *packing, d *prices, enough int) {
	const candidates, steps = 128, 1 << 16
	if len(d.open) > candidates {
		return
	}
	x := exhaustive{p: newPacking(p.routes, p.e, p.alike), d: d, enough: enough, steps: steps, ctx: ctx,
		used: make([]int, p.resources), joined: topology.NewParts(p.nodes)}
	x.p.best = p.best
	x.look(0)
	p.best = x.p.best
	if x.steps > 0 && ctx.Err() == nil && len(p.best) < enough {
		d.proved = len(p.best)
	}
}

type exhaustive struct {
	p      *packing
	d      *prices
	enough int
	steps  int
	ctx    context.Context
	used   []int // scratch: open candidates by resource
	joined *topology.Parts
}

// look decides candidate d.open[at] and those behind it; those before it are decided.
func (x *exhaustive) look(at int) {
	const pace = 1 << 8
	if x.steps--; x.steps <= 0 || x.steps%pace == 0 && x.ctx.Err() != nil {
		x.steps = min(x.steps, 0)
		return
	}
	p := x.p
	p.keep()
	if len(p.best) >= x.enough || x.limit(at) <= len(p.best) {
		return
	}
	for ; at < len(x.d.open); at++ {
		if k := x.d.open[at]; p.room(k) {
			p.add(k)
			x.look(at + 1)
			p.remove(k)
			if len(p.best) < x.enough {
				x.look(at + 1)
			}
			return
		}
	}
}

// limit is how many edges any connected choice has that agrees with what is decided: 0 where there is none.
func (x *exhaustive) limit(at int) int {
	p := x.p
	clear(x.used)
	x.joined.Reset()
	for k, in := range p.in {
		if in {
			x.joined.JoinEnds(p.Edges[k])
		}
	}
	open, priced := 0, int64(0)
	for _, k := range x.d.open[at:] {
		if !p.room(k) {
			continue
		}
		open++
		priced += max(0, one-x.plain(k))
		x.joined.JoinEnds(p.Edges[k])
		for _, l := range p.Route(k) {
			x.used[l]++
		}
	}
	if x.joined.Count() > 1 {
		return 0
	}
	most := open
	for l, used := range x.used {
		left := min(p.left[l], used)
		most = min(most, open-used+left)
		priced += x.d.y[l] * int64(left)
	}
	return p.count + min(most, int(priced/one))
}

// plain is the price of a candidate without the price of its group, whose capacity is not followed here.
func (x *exhaustive) plain(k int32) int64 {
	price := int64(0)
	for _, l := range x.p.Route(k) {
		price += x.d.y[l]
	}
	return price
}
