package advise

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/schedules"
)

// Limits of a search for schedules while somebody waits for an answer.
const (
	mostSearched      = 256    // nodes
	searchEvaluations = 20_000 // per form
	searchChunks      = 64     // each is a message of its own, which costs more than its bytes
)

// searched lists what is made for this cluster and no other: rounds of unequal length that keep the mean, and exact
// averages in whole messages and in parts.
func (l *list) searched(ctx context.Context) {
	if n := l.c.Nodes(); n > mostSearched {
		l.leave("searched schedules", planner.NotAttempted,
			fmt.Errorf("%d nodes; schedules are searched for at most %d", n, mostSearched))
		return
	}
	settings := schedules.Settings{Seed: l.seed, Evaluations: searchEvaluations, Chunks: searchChunks}
	for _, s := range []struct {
		name string
		schedules.Problem
	}{
		{"searched schedule", schedules.Problem{Form: schedules.Gossip, Exact: true}},
		{"average of models, searched in whole messages", schedules.Problem{Form: schedules.Whole}},
		{"average of models, searched in parts", schedules.Problem{Form: schedules.Parts}},
	} {
		s.Cluster = l.c
		found, err := schedules.Search(ctx, s.Problem, settings)
		if err != nil {
			l.add(s.name, nil, err)
			continue
		}
		plan, err := found.Plan(ctx, l.c, settings)
		if s.Form == schedules.Gossip {
			l.addSchedule(ctx, s.name, plan, err)
		} else {
			l.addPlan(ctx, s.name, plan, err)
		}
	}
}
