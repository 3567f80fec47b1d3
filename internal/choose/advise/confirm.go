package advise

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// mostSpare limits how often schedules are searched again, in squares of the number of nodes: 12 times on 8 nodes, 3
// times on 16.
const mostSpare = 768

// mostWidened is on how many nodes other parts and all-reduces are looked at.
const mostWidened = 32

// widen adds what is not worth listing with the numbers here and may win with others: all-reduces that are slower here,
// and other parts of the machines.
func (d *decider) widen(ctx context.Context) {
	c := d.here.c
	if c.Nodes() > mostWidened {
		return
	}
	for _, p := range d.listed.processes {
		if p.kind == Collective && p.usual() && ctx.Err() == nil {
			hooks := *d.listed
			hooks.processes, hooks.skipped = []*process{p}, nil
			hooks.hooks(ctx)
			d.add(hooks.processes[1:])
		}
	}
	for _, times := range []float64{1. / 16, 1. / 4, 4, 16} {
		there, err := d.cluster(times*c.Model().MessageMB, c.LatencyMS())
		if err != nil || ctx.Err() != nil {
			continue
		}
		parts := *d.listed
		parts.c = there
		limitMS := parts.libraryMS()
		parts.processes, parts.skipped = nil, nil
		for _, part := range parts.promising(ctx, limitMS) {
			if !slices.ContainsFunc(d.processes, func(p *process) bool { return p.where() == part.Where() }) {
				_ = parts.partOf(ctx, part) // what cannot be run on a part is no candidate anywhere
			}
		}
		d.add(parts.processes)
	}
}

// add adds what may be recommended.
func (d *decider) add(processes []*process) {
	for _, p := range processes {
		if d.w.refuses(p) == nil && p.unmeasured == "" {
			d.processes = append(d.processes, p)
		}
	}
}

// confirm plans with new searches in the middle of every interval, the closest to what is described first, and reports
// whether these found something that others do not know.
func (d *decider) confirm(ctx context.Context, all []variation, axes []Axis) (found bool) {
	type place struct {
		v   variation
		at  *Interval
		far float64
	}
	var places []place
	for k, axis := range axes {
		here := axis.Here()
		for i := range axis.Intervals {
			if i != here {
				places = append(places, place{all[k], &axis.Intervals[i], axis.far(i)})
			}
		}
		axis.Intervals[here].Confirmed = true
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.far, b.far) })
	for _, p := range places {
		s, err := p.v.at(p.v.middle(*p.at))
		if err != nil || ctx.Err() != nil {
			continue
		}
		if !d.searches(s, p.at.Winner) {
			p.at.Confirmed = true
			continue
		}
		if there, ok := d.searchedIn(ctx, s.c); ok {
			again := *d
			again.processes = there
			next, ok := again.winner(s, math.Inf(1))
			p.at.Confirmed = ok && alike(next, p.at.Winner)
			if !p.at.Confirmed {
				found = d.learn(again, s) || found
			}
		}
	}
	return found
}

// middle is the value of the grid closest to the middle of an interval: message and bandwidth share them.
func (v variation) middle(i Interval) float64 {
	middle := math.Sqrt(i.From * i.To)
	near := slices.MinFunc(v.values, func(a, b float64) int {
		return cmp.Compare(math.Abs(a-middle), math.Abs(b-middle))
	})
	if near < i.From || near > i.To {
		return (i.From + i.To) / 2
	}
	return near
}

// searches reports whether planning in a scene searches for anything: not where the library's all-reduce hides, nor
// where a model is sharded.
func (d *decider) searches(s scene, winner Candidate) bool {
	if winner.Kind.Sharded() {
		return false
	}
	if winner.Kind != DDP || !winner.usual() {
		return true
	}
	there, ok := d.winner(s, math.Inf(1))
	return !ok || !alike(there, winner) || there.IterationMS > hidden*s.computeMS()
}

// searchedIn lists what can be run on a cluster with other numbers. All-reduces, hooks and schedules that were made for
// this one are made again: messages cost something besides their bytes, so other chunks and orders suit other messages,
// bandwidths and latencies. Not ok: that would cost too much.
func (d *decider) searchedIn(ctx context.Context, c *cluster.Cluster) (there []*process, ok bool) {
	if c == d.here.c && d.searched {
		return d.processes, true
	}
	if there, ok = d.there[c]; ok {
		return there, true
	}
	squares := c.Nodes() * c.Nodes()
	graphs := d.w.gossips(c).why == nil // which were not searched for where the answer comes at once
	if d.spare < squares || graphs && !d.searched {
		return nil, false
	}
	d.spare -= squares
	again := *d.listed
	again.c, again.processes, again.skipped = c, nil, nil
	again.made(ctx, sweep.Unsearched(c, again.setting.Seed, "they are those of the cluster as it is described"),
		newCounter(design.Varying, 0, func(design.Progress) {}))
	for _, p := range d.listed.processes {
		if !p.kind.exact() && !strings.HasPrefix(p.name, forms[0].name) {
			again.processes = append(again.processes, p)
		}
	}
	fresh := *d
	fresh.processes = nil
	fresh.add(again.processes)
	d.there[c] = fresh.processes
	return fresh.processes, true
}

// learn adds what another decider knows that is sooner in a scene than anything of its kind, and reports whether there
// is any.
func (d *decider) learn(other decider, s scene) (found bool) {
	const clearly = 0.995
	least := map[Kind]float64{}
	for _, v := range d.compare(s, math.Inf(1)) {
		if ms, some := least[v.Kind]; !some || v.PessimisticMS < ms {
			least[v.Kind] = v.PessimisticMS
		}
	}
	for _, v := range other.compare(s, math.Inf(1)) {
		if ms, some := least[v.Kind]; some && v.PessimisticMS > clearly*ms {
			continue
		}
		at := slices.IndexFunc(other.processes, func(p *process) bool { return p.name == v.process })
		if !slices.Contains(d.processes, other.processes[at]) {
			d.processes, found = append(d.processes, other.processes[at]), true
		}
	}
	return found
}
