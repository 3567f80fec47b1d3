package advise

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
)

// A list of what can be run on a cluster. Nothing is on it that python/batopo or PyTorch cannot run.
type list struct {
	c         *cluster.Cluster
	seed      uint64
	processes []*process
	skipped   []planner.Skipped
}

func (l *list) add(name string, p *process, err error) {
	if err != nil {
		l.skipped = append(l.skipped, planner.Skipped{Name: name, Status: planner.Infeasible, Err: err})
		return
	}
	if p.plan != nil && slices.ContainsFunc(l.processes, func(q *process) bool {
		return q.plan != nil && q.plan.Hash == p.plan.Hash
	}) {
		return // the same under another name
	}
	p.name = name
	l.processes = append(l.processes, p)
}

func (l *list) addPlan(ctx context.Context, name string, plan *design.Plan, err error) {
	var p *process
	if err == nil {
		p, err = newProcess(ctx, plan)
	}
	l.add(name, p, err)
}

// static lists the solved budgets.
func (l *list) static(ctx context.Context, sweep *planner.Sweep) {
	for _, o := range sweep.Outcomes {
		if o.Plan == nil {
			continue
		}
		name := staticName(len(o.Plan.Edges()))
		l.addPlan(ctx, name, o.Plan, nil)
	}
}

func staticName(edges int) string {
	if edges == 1 {
		return "static graph, 1 edge"
	}
	return fmt.Sprintf("static graph, %d edges", edges)
}

// known lists the topologies beside them, schedules also with half the weight given away.
func (l *list) known(ctx context.Context, sweep *planner.Sweep) {
	for _, row := range sweep.Baselines {
		if row.Plan == nil || row.Iterations == nil || row.Plan.Kind != design.GossipKind {
			continue // all-reduce is listed as such, and what never agrees is of no use
		}
		row.Name = strings.Replace(row.Name, "this plan's", "the static graph's", 1)
		row.Plan.Method = row.Name
		p, err := newProcess(ctx, row.Plan)
		l.add(row.Name, p, err)
		if err != nil || p.kind != Scheduled {
			continue
		}
		name := row.Name + ", lazy"
		half, err := lazy(ctx, l.c, row.Plan)
		if err == nil {
			half.Method = name
			half.Notes = append(half.Notes, "every node keeps half of the weight that it would give away")
			if p, err = newProcess(ctx, half); err == nil {
				p.lazy = true
			}
		}
		l.add(name, p, err)
	}
}
