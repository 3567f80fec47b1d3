package advise

import (
	"context"
	"slices"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// mostSpare limits how often schedules are searched again to confirm changes, in squares of the number of nodes:
// 8 times on 8 nodes, twice on 16.
const mostSpare = 512

// confirm returns a change only if planning a little before it gives what is recommended now, and beyond it what is
// said to win. Where it does not, the change is looked for again among what can be run there.
func (f *flips) confirm(ctx context.Context, v variation, flip *Flip) *Flip {
	const most = 3
	looks := *f // what is added for one change says nothing about another
	for range most {
		there, ok := f.runsAt(ctx, v, flip.Value)
		if !ok && !slices.Contains(f.unconfirmed, v.of) {
			f.unconfirmed = append(f.unconfirmed, v.of)
		}
		if !ok || ctx.Err() != nil {
			return nil
		}
		before, beyond := flip.sides()
		plans := *f
		plans.processes = there
		last, lastOK := plans.winner(v.at(before))
		next, nextOK := plans.winner(v.at(beyond))
		if !lastOK || !nextOK {
			return nil
		}
		if f.isNow(last) && alike(next, flip.Winner) {
			flip.Winner = next
			return flip
		}
		looks.processes = slices.Clone(looks.processes)
		for _, p := range there {
			named := slices.Contains([]string{last.process, next.process, f.now.process}, p.name)
			if (named || len(f.processes) == len(f.listed.processes)) && !slices.Contains(looks.processes, p) {
				looks.processes = append(looks.processes, p)
			}
		}
		if flip = looks.search(ctx, v); flip == nil {
			return nil
		}
	}
	return nil
}

// sides are values just before a change and just beyond it.
func (f *Flip) sides() (before, beyond float64) {
	const little = 2 * precision
	if f.Above {
		return f.Value / (1 + little), f.Value
	}
	return f.Value * (1 + little), f.Value
}

// runsAt lists what can be run at a value. All-reduces, hooks and schedules that were made for this cluster are made
// again unless only compute times differ: messages cost something besides their bytes, so other chunks and orders suit
// other messages, bandwidths and latencies. Not ok: that would cost too much.
func (f *flips) runsAt(ctx context.Context, v variation, value float64) (there []*process, ok bool) {
	if v.of == ComputeTime || f.now.Kind.Sharded() {
		return f.listed.processes, true
	}
	squares := f.here.c.Nodes() * f.here.c.Nodes()
	s, err := v.at(value)
	if err != nil || f.spare < squares {
		return nil, false
	}
	f.spare -= squares
	again := *f.listed
	again.c, again.processes, again.skipped = s.c, nil, nil
	graphs := sweep.Unsearched(s.c, again.setting.Seed, "they are those of the cluster as it is described")
	again.made(ctx, graphs, newCounter(design.Varying, 0, func(design.Progress) {}))
	for _, p := range f.listed.processes {
		if !p.kind.exact() && !searchedHere(p) {
			there = append(there, p)
		}
	}
	return append(there, again.processes...), true
}

// searchedHere reports whether a process was searched for the cluster.
func searchedHere(p *process) bool {
	for _, form := range forms {
		if strings.HasPrefix(p.name, form.name) {
			return true
		}
	}
	return false
}

// alike reports whether two candidates are of one kind on the same machines, with as many steps between rounds.
func alike(a, b Candidate) bool {
	return a.Kind == b.Kind && a.Every == b.Every && a.where() == b.where()
}
