package advise

import (
	"context"
	"errors"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/workers"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// Limits of a search for schedules while somebody waits for an answer.
const (
	mostSearched      = 256    // nodes
	searchEvaluations = 20_000 // per form
	searchChunks      = 64     // each is a message of its own, which costs more than its bytes
)

// A form is what may be searched for.
type form struct {
	label
	schedules.Problem
}

// forms are rounds of unequal length that keep the mean, and all-reduces in whole messages and in parts.
var forms = []form{
	{called("searched schedule", "the schedule searched for this cluster").specially(),
		schedules.Problem{Form: schedules.Gossip, Exact: true}},
	{exactLabel("searched in whole messages").specially(), schedules.Problem{Form: schedules.Whole}},
	{exactLabel("searched in parts").specially(), schedules.Problem{Form: schedules.Parts}},
}

// searchedForms leaves out all forms on large clusters, and gossip where it is not considered.
func (l *list) searchedForms() []form {
	switch {
	case l.c.Nodes() > mostSearched:
		return nil
	case l.gossips.why != nil:
		return forms[1:]
	}
	return forms
}

// beginSearched looks for what is made for this cluster and no other, beside other work; the function it returns waits
// for that and lists it.
func (l *list) beginSearched(ctx context.Context, count *counter) (list func()) {
	searched := l.searchedForms()
	if len(searched) == 0 {
		return func() {
			l.leave(sweep.Skip("searched schedules",
				limits.Refuse("%d nodes; schedules are searched for at most %d", l.c.Nodes(), mostSearched)))
		}
	}
	all := make([][]entry, len(searched))
	wait := workers.Begin(func() {
		workers.Each(0, len(searched), func(k int) {
			f := searched[k]
			all[k] = entries(ctx, l.c, f.label, func(ctx context.Context) (*design.Plan, error) {
				return l.search(ctx, f.Problem)
			})
			count.done()
		})
	})
	return func() {
		wait()
		for _, some := range all {
			l.addAll(some)
		}
	}
}

// pairs lists the schedule that needs least of a cluster, allowed pairs in turn or what is quicker to agree, where
// there is neither a graph nor another schedule. Beside others it would be too slow.
func (l *list) pairs(ctx context.Context) {
	if !l.tight || l.gossips.why != nil || len(l.searchedForms()) == 0 {
		return
	}
	gossips := slices.ContainsFunc(l.processes, func(p *process) bool { return !p.kind.exact() })
	slow := slices.ContainsFunc(l.skipped, func(s sweep.Skipped) bool { return errors.Is(s.Err, errSlow) })
	if gossips || slow {
		return
	}
	as := called("pairs in turn", "a schedule in which allowed pairs take turns").specially()
	l.addAll(entries(ctx, l.c, as, func(ctx context.Context) (*design.Plan, error) {
		return l.search(ctx, schedules.Problem{Positive: true})
	}))
}

func (l *list) search(ctx context.Context, p schedules.Problem) (*design.Plan, error) {
	settings := schedules.Settings{Seed: l.setting.Seed, Evaluations: searchEvaluations, Chunks: searchChunks,
		Memo: l.found}
	p.Cluster = l.c
	found, err := schedules.Search(ctx, p, settings)
	if err != nil {
		return nil, err
	}
	return found.Plan(ctx, l.c, settings)
}
