package advise

import (
	"context"
	"errors"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
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

// searched are what is made for this cluster and no other: nothing on large clusters, and no gossip where that is not
// considered.
func (l *list) searched() (out []method) {
	for _, f := range forms {
		if l.c.Nodes() > mostSearched || l.gossips.why != nil && f.Form == schedules.Gossip {
			continue
		}
		out = append(out, method{f.label, l.search(f.Problem)})
	}
	return out
}

// pairs lists the schedule that needs least of a cluster, allowed pairs in turn or what is quicker to agree, where
// there is neither a graph nor another schedule. Beside others it would be too slow.
func (l *list) pairs(ctx context.Context) {
	if !l.tight || l.gossips.why != nil || l.c.Nodes() > mostSearched {
		return
	}
	gossips := slices.ContainsFunc(l.processes, func(p *process) bool { return !p.kind.exact() })
	slow := slices.ContainsFunc(l.skipped, func(s sweep.Skipped) bool { return errors.Is(s.Err, errSlow) })
	if gossips || slow {
		return
	}
	as := called("pairs in turn", "a schedule in which allowed pairs take turns").specially()
	l.addAll(method{as, l.search(schedules.Problem{Positive: true})}.entries(ctx, l.c))
}

// search looks for a schedule.
func (l *list) search(p schedules.Problem) func(context.Context) (*design.Plan, error) {
	settings := schedules.Settings{Seed: l.setting.Seed, Evaluations: searchEvaluations, Chunks: searchChunks,
		Memo: l.found}
	p.Cluster = l.c
	return func(ctx context.Context) (*design.Plan, error) {
		found, err := schedules.Search(ctx, p, settings)
		if err != nil {
			return nil, err
		}
		return found.Plan(ctx, l.c, settings)
	}
}
