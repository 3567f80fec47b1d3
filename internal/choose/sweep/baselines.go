package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/mixing"
)

// A Skipped baseline has no row. It is Infeasible where it does not exist on this cluster, Undecided where it was not
// found, TooLarge where there are too many nodes to compute it, and NotAttempted where the time was over.
type Skipped struct {
	Name   string
	Status Status
	Err    error // why
}

// Skip says that there is no row because of an error, which may be that the time was over.
func Skip(name string, why error) Skipped {
	s := Skipped{Name: name, Status: Infeasible, Err: why}
	var size limits.TooLarge
	switch {
	case s.Late():
		s.Status = NotAttempted
	case errors.As(why, &size):
		s.Status = TooLarge
	case errors.Is(why, feasible.ErrUndecided):
		s.Status = Undecided
	}
	return s
}

// Late reports whether the time was over before there was a row.
func (s Skipped) Late() bool {
	return s.Err == nil || errors.Is(s.Err, grace.ErrGivenUp) || errors.Is(s.Err, context.Canceled) ||
		errors.Is(s.Err, context.DeadlineExceeded)
}

// Baselines prices every known topology on a cluster: the static families, the time-varying schedules and all-reduce
// in several forms. Those that do not exist for the number of nodes, and those that ctx left no time for, are
// listed as skipped, never left out silently.
func Baselines(ctx context.Context, c *cluster.Cluster, seed uint64) ([]Row, []Skipped) {
	return (&pricing{c: c, seed: seed}).baselines(ctx)
}

// A pricing of baselines on a cluster. Where it places, every topology gets the best order of the nodes that was found
// for it.
type pricing struct {
	c      *cluster.Cluster
	seed   uint64
	places bool
	found  schedules.Memo
}

func (g *pricing) baselines(ctx context.Context) ([]Row, []Skipped) {
	var list priceList
	price := func(name string, row func() (Row, error)) { list.add(ctx, name, row) }
	for _, form := range schedules.Collectives {
		row := g.collectiveRow
		if form.Name == schedules.RingAllReduce {
			row = g.allReduceRow
		}
		if form.Name != schedules.Tree || g.sparse() {
			price(form.Title, func() (Row, error) { return row(ctx, form) })
		}
	}
	for _, f := range mixing.Families {
		price(f.Name, func() (Row, error) { return g.familyRow(ctx, f) })
	}
	for _, f := range mixing.Schedules {
		if !f.Takes(mixing.ParamBase) { // the matchings of what? Of a plan; see the export of a plan
			price(f.Name, func() (Row, error) { return g.scheduleRow(ctx, f) })
		}
	}
	for _, own := range g.ownTopologies() {
		price(own.name, func() (Row, error) { return g.ownRow(ctx, own) })
	}
	// Shown last, but priced first: they are quick and matter most.
	rows := list.rows
	gossip := slices.IndexFunc(rows, func(r Row) bool { return r.Kind != AllReduce })
	if gossip > 0 {
		rows = slices.Concat(rows[gossip:], rows[:gossip])
	}
	return rows, list.skipped
}

// A priceList collects rows, and why others are missing.
type priceList struct {
	rows    []Row
	skipped []Skipped
}

// add appends the row that work computes, or why there is none; it waits no longer than until ctx ends.
func (l *priceList) add(ctx context.Context, name string, work func() (Row, error)) {
	row, err := grace.Await(ctx, work)
	if err != nil {
		l.skipped = append(l.skipped, Skip(name, err))
		return
	}
	l.rows = append(l.rows, row)
}

func (g *pricing) familyRow(ctx context.Context, f mixing.Family) (Row, error) {
	w, seed, err := f.Draw(mixing.Params{Nodes: g.c.Nodes(), Seed: g.seed})
	if err != nil {
		return Row{}, err
	}
	note := ""
	if f.Takes(mixing.ParamSeed) {
		note = fmt.Sprintf("seed %d, the first connected draw from seed %d on", seed, g.seed)
	}
	placed, how, err := g.placed(ctx, []*mixing.Matrix{w})
	if err != nil {
		return Row{}, err
	}
	p, err := Describe(ctx, g.c, placed[0])
	if err != nil {
		return Row{}, err
	}
	row := PlanRow(f.Name, p)
	row.Note = joined(cmp.Or(row.Note, note), how)
	return row, nil
}

func (g *pricing) scheduleRow(ctx context.Context, f mixing.ScheduleFamily) (Row, error) {
	s, err := f.Build(mixing.ScheduleParams{Nodes: g.c.Nodes(), Seed: g.seed})
	if err != nil {
		return Row{}, err
	}
	rounds, how, err := g.placed(ctx, s.Rounds)
	if err != nil {
		return Row{}, err
	}
	in := *s
	in.Rounds = rounds
	p, err := design.NewSchedulePlan(ctx, g.c, &in)
	if err != nil {
		return Row{}, err
	}
	row := PlanRow(f.Name, p)
	row.Note = joined(cmp.Or(row.Note, s.Note), how)
	return row, nil
}

// Describe prices a static matrix on a cluster, with its spectrum computed again.
func Describe(ctx context.Context, c *cluster.Cluster, w *mixing.Matrix) (*design.Plan, error) {
	s, err := w.Spectrum(ctx)
	if err != nil {
		return nil, err
	}
	return design.NewPlan(ctx, c, w, s)
}

func (g *pricing) allReduceRow(ctx context.Context, ring schedules.Collective) (Row, error) {
	way, err := g.way(ctx, ring)
	if err != nil {
		return Row{}, err
	}
	c, price, once := g.c, way.Price, 1
	return Row{
		Name: ring.Title, Kind: AllReduce, Edges: c.Nodes(), MaxDegree: 1, MinEdgeGBs: price.MinGBs,
		CommunicationMS: price.MS, Iterations: &once, TimeMS: &price.MS,
		Note: joined(fmt.Sprintf("exact; %d steps of 1/%d message, every node waits for all", price.Slots, c.Nodes()),
			way.Note),
	}, nil
}

const (
	matchingsName = "one-peer schedule over this plan's links"
	allReduceName = "ring all-reduce"
)

// addMatchings lists the recommended plan's own graph as a baseline.
func (w *sweeper) addMatchings(ctx context.Context) {
	list := priceList{w.Baselines, w.Skipped}
	list.add(ctx, matchingsName, func() (Row, error) { return matchingsRow(ctx, w.problem.Cluster, w.Best()) })
	w.Baselines, w.Skipped = list.rows, list.skipped
}

func matchingsRow(ctx context.Context, c *cluster.Cluster, p *design.Plan) (Row, error) {
	inTurn, err := EdgesInTurn(ctx, c, p)
	if err != nil {
		return Row{}, err
	}
	row := PlanRow(matchingsName, inTurn)
	row.Note = fmt.Sprintf("matchings: %d; every pair averages by halves", len(inTurn.Rounds))
	return row, nil
}

// EdgesInTurn is a static plan's graph as a schedule: its edges take turns in matchings, so that a round costs one
// message. The weights are then 1/2 and not the plan's.
func EdgesInTurn(ctx context.Context, c *cluster.Cluster, static *design.Plan) (*design.Plan, error) {
	rounds, err := static.Matrices()
	if err != nil {
		return nil, err
	}
	s, err := mixing.Matchings(rounds[0])
	if err != nil {
		return nil, err
	}
	return design.NewSchedulePlan(ctx, c, s)
}
