package advise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
)

// A list of what can be run on a cluster. Nothing is on it that python/batopo or PyTorch cannot run.
type list struct {
	c         *cluster.Cluster
	seed      uint64
	limit     limit
	processes []*process
	skipped   []planner.Skipped
}

// leave says why something is not on the list.
func (l *list) leave(name string, status planner.Status, why error) {
	l.skipped = append(l.skipped, planner.Skipped{Name: name, Status: status, Err: why})
}

// nothing is the error of a list on which nothing can be run. Where there is no graph either, that is the reason first.
func (l *list) nothing(sweep *planner.Sweep, err error) error {
	if sweep.NoGraph == nil || len(l.skipped) == 0 {
		return err
	}
	why, other := sweep.NoGraph.Error(), l.skipped[0]
	var caps *cluster.Unconnected
	if errors.As(sweep.NoGraph, &caps) {
		why = caps.Why()
	}
	return fmt.Errorf("%w: %s; and nothing else can be run, neither all-reduce nor schedules; %s: %w",
		planner.ErrInfeasible, why, other.Name, other.Err)
}

func (l *list) add(as label, p *process, err error) {
	if err == nil {
		err = l.limit.check(p)
	}
	if err != nil {
		l.leave(as.name, planner.Infeasible, err)
		return
	}
	if p.plan != nil && slices.ContainsFunc(l.processes, func(q *process) bool {
		return q.plan != nil && q.plan.Hash == p.plan.Hash
	}) {
		return // the same under another name
	}
	p.label = as
	// Graphs of two budgets may have as many edges.
	for k := 2; slices.ContainsFunc(l.processes, func(q *process) bool { return q.name == p.name }); k++ {
		p.label = as.again(k)
	}
	l.processes = append(l.processes, p)
}

func (l *list) addPlan(ctx context.Context, as label, plan *design.Plan, err error) {
	var p *process
	if err == nil {
		p, err = newProcess(ctx, plan)
	}
	l.add(as, p, err)
}

// static lists the solved budgets.
func (l *list) static(ctx context.Context, sweep *planner.Sweep) {
	for _, o := range sweep.Outcomes {
		if o.Plan == nil {
			continue
		}
		l.addPlan(ctx, staticLabel(len(o.Plan.Edges())), o.Plan, nil)
	}
}

// known lists the topologies beside them.
func (l *list) known(ctx context.Context, sweep *planner.Sweep) {
	for _, row := range sweep.Baselines {
		if row.Plan == nil || row.Plan.Kind != design.GossipKind {
			continue // all-reduce is listed as such
		}
		if row.Iterations == nil {
			l.leave(row.Name, planner.Infeasible, errors.New("its nodes never agree"))
			continue
		}
		if unchanging(row.Plan) {
			l.leave(row.Name, planner.Infeasible, fmt.Errorf("all its rounds are the same among %d nodes", row.Plan.Nodes))
			continue
		}
		row.Plan.Method = row.Name
		l.addSchedule(ctx, familyLabel(row.Name, row.Plan.Static()), row.Plan, nil)
	}
}

// unchanging reports whether a schedule repeats one round, as every drawing of pairs of two nodes does.
func unchanging(p *design.Plan) bool {
	return len(p.Rounds) > 1 && !slices.ContainsFunc(p.Rounds[1:], func(r design.Round) bool {
		return !slices.Equal(r.Edges, p.Rounds[0].Edges) || !slices.Equal(r.SelfWeights, p.Rounds[0].SelfWeights)
	})
}

// turns lists the edges of every solved budget in turn. The sweep lists those of its best one, and which one that is
// depends on the compute time.
func (l *list) turns(ctx context.Context, sweep *planner.Sweep) {
	for _, o := range sweep.Outcomes {
		if o.Plan == nil {
			continue
		}
		plan, err := planner.EdgesInTurn(ctx, l.c, o.Plan)
		if err == nil && plan.Static() {
			continue // one edge, which is the static graph again
		}
		as := turnsLabel(len(o.Plan.Edges()))
		if err != nil {
			l.leave(as.name, planner.Infeasible, err)
			continue
		}
		plan.Method = as.name
		l.addSchedule(ctx, as, plan, nil)
	}
}

// addSchedule lists a plan; if its peers change, also with half the weight given away.
func (l *list) addSchedule(ctx context.Context, as label, plan *design.Plan, err error) {
	var p *process
	if err == nil {
		p, err = newProcess(ctx, plan)
	}
	l.add(as, p, err)
	if err != nil || p.kind != Scheduled {
		return
	}
	half, err := lazy(ctx, l.c, plan)
	if err == nil {
		half.Method = as.lazily().name
		half.Notes = append(half.Notes, "every node keeps half of the weight that it would give away")
		if p, err = newProcess(ctx, half); err == nil {
			p.lazy = true
		}
	}
	l.add(as.lazily(), p, err)
}
