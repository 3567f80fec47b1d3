package advise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// A list of what can be run on a cluster. Nothing is on it that python/batopo or PyTorch cannot run.
type list struct {
	c         *cluster.Cluster
	setting   Setting
	tight     bool      // no static graph keeps the caps
	gossips   gossips   // which graphs and schedules are of use
	ranks     *Ranks    // nil where their order is all one
	levelled  [][][]int // the cluster's divisions into groups, the coarsest first
	groups    [][]int   // the first of these, such as sites or servers; none: nil
	processes []*process
	skipped   []sweep.Skipped
	methods   []method        // that wait to be looked at
	found     *schedules.Memo // what was found on this cluster before
}

// fill fills the list, and reports how far it is.
func (l *list) fill(ctx context.Context, swept *sweep.Sweep, tell func(design.Progress)) {
	l.divide()
	if l.gossips.why == nil {
		l.levels()
		l.static(swept)
		l.turns(swept)
	} else {
		l.leave(sweep.Skip("graphs and schedules", l.gossips.why))
	}
	l.known(swept)
	count := newCounter(design.Listing, 1+len(l.methods)+len(l.searched()), tell)
	l.made(ctx, swept, count)
	l.pairs(ctx)
}

// made lists what is made for this cluster and its messages, and the methods that were to be considered.
func (l *list) made(ctx context.Context, swept *sweep.Sweep, count *counter) {
	l.found = swept.Found()
	searched := l.begin(ctx, l.searched(), count)
	l.exact(ctx, swept) // before all others: something exact must be there when the time is over
	count.done()
	l.begin(ctx, l.methods, count)()
	l.methods = nil
	searched()
	if n := l.c.Nodes(); n > mostSearched {
		why := limits.Refuse("%d nodes; schedules are searched for at most %d", n, mostSearched)
		l.leave(sweep.Skip("searched schedules", why))
	}
	l.clocks(ctx)
	l.hooks(ctx)
	l.parts(ctx)
}

// gossips says which graphs and schedules are of use.
type gossips struct {
	why  error    // all but some are not; nil: all are
	some []string // by their names
}

func (g gossips) use(name string) bool { return g.why == nil || slices.Contains(g.some, name) }

// NoGraphs says why no static graph can be the answer on a cluster; nil: one can.
func (s Setting) NoGraphs(c *cluster.Cluster) error { return newPredictor(nil, s).gossips(c).why }

// gossips says which graphs and schedules a setting has use for on a cluster.
func (w *predictor) gossips(c *cluster.Cluster) (g gossips) {
	s := w.setting
	switch {
	case s.shares(c) != nil:
		g.why = fmt.Errorf("%w: they average all nodes with equal weight, whatever their batches", ErrWish)
	case s.Exact:
		g.why = fmt.Errorf("%w: they change training", ErrWish)
	case s.Optimizer == AdamW:
		g.why = adamw.Unmeasured("no runs with three seeds say how many steps they need; --optimizer sgd considers them")
		for _, a := range w.table.Measured(c.Nodes()) {
			g.some = append(g.some, a.Process)
		}
	}
	return g
}

// leave says why something is not on the list.
func (l *list) leave(s sweep.Skipped) { l.skipped = append(l.skipped, s) }

// nothing is the error of a list on which nothing can be run. Where there is no graph either, that is the reason first.
func (l *list) nothing(swept *sweep.Sweep, err error) error {
	if !l.tight || len(l.skipped) == 0 {
		return err
	}
	why, other := swept.NoGraph.Error(), l.skipped[0]
	var caps *feasible.Unconnected
	if errors.As(swept.NoGraph, &caps) {
		why = caps.Why()
	}
	if k := slices.IndexFunc(l.skipped, func(s sweep.Skipped) bool { return errors.Is(s.Err, errSlow) }); k >= 0 {
		return fmt.Errorf("%w: %s; no all-reduce can be run either, and of the schedule that was found (%s) %w; "+
			"\"batopo schedule --purpose training\" writes it", feasible.ErrInfeasible, why, l.skipped[k].Name, l.skipped[k].Err)
	}
	return fmt.Errorf("%w: %s; and nothing else can be run, neither all-reduce nor schedules; %s: %w",
		feasible.ErrInfeasible, why, other.Name, other.Err)
}

func (l *list) add(as label, p *process, err error) {
	if err == nil {
		p.meet(l.groups)
		if err = p.hold(); err == nil {
			err = l.setting.within(p)
		}
	}
	if err != nil {
		l.leave(sweep.Skip(as.name, err))
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
	if p, err = l.rounded(p); err != nil {
		l.leave(sweep.Skip(as.name, err))
		return
	}
	l.processes = append(l.processes, p)
}

// static considers the solved budgets.
func (l *list) static(sweep *sweep.Sweep) {
	for _, o := range sweep.Outcomes {
		if o.Plan != nil {
			l.consider(staticLabel(len(o.Plan.Edges())), func(context.Context) (*design.Plan, error) { return o.Plan, nil })
		}
	}
}

// known considers the topologies beside them.
func (l *list) known(sweep *sweep.Sweep) {
	for _, row := range sweep.Baselines {
		if row.Plan == nil || row.Plan.Kind != design.GossipKind || !l.gossips.use(row.Name) {
			continue // all-reduce is listed as such
		}
		as := familyLabel(row.Name, row.Plan.Static())
		var why error
		switch {
		case row.Iterations == nil:
			why = errors.New("its nodes never agree")
		case unchanging(row.Plan):
			why = fmt.Errorf("all its rounds are the same among %d nodes", row.Plan.Nodes)
		default:
			row.Plan.Method = row.Name
		}
		l.consider(as, func(context.Context) (*design.Plan, error) { return row.Plan, why })
	}
}

// unchanging reports whether a schedule repeats one round, as every drawing of pairs of two nodes does.
func unchanging(p *design.Plan) bool {
	return len(p.Rounds) > 1 && !slices.ContainsFunc(p.Rounds[1:], func(r design.Round) bool {
		return !slices.Equal(r.Edges, p.Rounds[0].Edges) || !slices.Equal(r.SelfWeights, p.Rounds[0].SelfWeights)
	})
}

// turns considers the edges of every solved budget in turn. The sweep lists those of its best one, and which one that
// is depends on the compute time.
func (l *list) turns(swept *sweep.Sweep) {
	for _, o := range swept.Outcomes {
		if o.Plan == nil {
			continue
		}
		as := turnsLabel(len(o.Plan.Edges()))
		l.consider(as, func(ctx context.Context) (*design.Plan, error) {
			plan, err := sweep.EdgesInTurn(ctx, l.c, o.Plan)
			if err != nil || plan.Static() {
				return nil, err // one edge, which is the static graph again
			}
			plan.Method = as.name
			return plan, nil
		})
	}
}
