package planner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/mixing"
)

// A RowKind says what a row of a comparison is.
type RowKind string

// The kinds of rows.
const (
	Static    RowKind = "static"
	Scheduled RowKind = "schedule"
	AllReduce RowKind = "allreduce"
)

// A Row is one topology priced on a cluster. Numbers that do not exist are nil: an
// all-reduce has no spectrum, a schedule no eigenvalues.
type Row struct {
	Name            string   `json:"name"`
	Kind            RowKind  `json:"kind"`
	Edges           int      `json:"edges"` // undirected pairs that ever talk
	MaxDegree       int      `json:"max_degree"`
	RAsym           *float64 `json:"r_asym"`
	Lambda2         *float64 `json:"lambda_2"`
	LambdaN         *float64 `json:"lambda_n"`
	MinEdgeGBs      float64  `json:"min_edge_gb_s"`
	CommunicationMS float64  `json:"communication_ms"` // per round, of the slowest
	Iterations      *int     `json:"iterations"`       // nil: never reaches the target
	TimeMS          *float64 `json:"time_ms"`
	Note            string   `json:"note,omitempty"`

	Plan *design.Plan `json:"-"` // nil for all-reduce
}

// A Skipped family does not exist for this cluster; Reason says why.
type Skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// PlanRow prices a finished plan.
func PlanRow(name string, p *design.Plan) Row {
	r := Row{Name: name, Kind: Static, Plan: p, Edges: len(p.Edges()), MaxDegree: p.MaxDegree, RAsym: &p.RAsym,
		Lambda2: p.Lambda2, LambdaN: p.LambdaN, MinEdgeGBs: p.MinEdgeGBs, CommunicationMS: p.CommunicationMS}
	if !p.Static() {
		r.Kind = Scheduled
	}
	if !p.Static() || p.Directed {
		r.Edges = pairs(p)
	}
	if p.Iterations > 0 {
		r.Iterations, r.TimeMS = &p.Iterations, &p.TimeMS
	}
	if len(p.Notes) > 0 {
		r.Note = p.Notes[0]
	}
	return r
}

// pairs counts the pairs of nodes that talk in either direction in any round.
func pairs(p *design.Plan) int {
	seen := map[[2]int]bool{}
	count := func(edges []design.PlanEdge) {
		for _, e := range edges {
			seen[[2]int{min(e.I, e.J), max(e.I, e.J)}] = true
		}
	}
	for _, r := range p.Rounds {
		count(r.Edges)
	}
	return len(seen)
}

// Opponents prices every known topology on a cluster: the static families, the
// time-varying schedules and ring all-reduce. Families that do not exist for the
// number of nodes, and those that ctx left no time for, are listed as skipped, never left out silently.
func Opponents(ctx context.Context, c *cluster.Cluster, seed uint64) ([]Row, []Skipped) {
	var rows []Row
	var skipped []Skipped
	price := func(name string, row func() (Row, error)) {
		if r, err := within(ctx, row); err != nil {
			skipped = append(skipped, Skipped{name, err.Error()})
		} else {
			rows = append(rows, r)
		}
	}
	price(allReduceName, func() (Row, error) { return allReduceRow(c) })
	for _, f := range mixing.Families {
		price(f.Name, func() (Row, error) { return familyRow(ctx, c, f, seed) })
	}
	for _, f := range mixing.Schedules {
		if !f.Takes(mixing.ParamBase) { // the matchings of what? Of a plan; see the export of a plan
			price(f.Name, func() (Row, error) { return scheduleRow(ctx, c, f, seed) })
		}
	}
	// Shown last, but priced first: it is quick and matters most.
	if len(rows) > 0 && rows[0].Kind == AllReduce {
		rows = append(rows[1:], rows[0])
	}
	return rows, skipped
}

// errNoTime is why a row is missing.
var errNoTime = errors.New("not priced: the time ran out")

// within returns the row that work computes, or errNoTime once ctx ends; see [grace.Await].
func within(ctx context.Context, work func() (Row, error)) (Row, error) {
	row, err := grace.Await(ctx, work)
	if errors.Is(err, grace.ErrGivenUp) {
		err = errNoTime
	}
	return row, err
}

func familyRow(ctx context.Context, c *cluster.Cluster, f mixing.Family, seed uint64) (Row, error) {
	w, note, err := buildFamily(f, c.Nodes(), seed)
	if err != nil {
		return Row{}, err
	}
	p, err := Describe(ctx, c, w)
	if err != nil {
		return Row{}, err
	}
	row := PlanRow(f.Name, p)
	row.Note = cmp.Or(row.Note, note)
	return row, nil
}

func scheduleRow(ctx context.Context, c *cluster.Cluster, f mixing.ScheduleFamily, seed uint64) (Row, error) {
	s, err := f.Build(mixing.ScheduleParams{Nodes: c.Nodes(), Seed: seed})
	if err != nil {
		return Row{}, err
	}
	p, err := design.NewSchedulePlan(ctx, c, s)
	if err != nil {
		return Row{}, err
	}
	row := PlanRow(f.Name, p)
	row.Note = cmp.Or(row.Note, s.Note)
	return row, nil
}

// Describe prices a static matrix on a cluster, with its spectrum computed afresh.
func Describe(ctx context.Context, c *cluster.Cluster, w *mixing.Matrix) (*design.Plan, error) {
	s, err := w.Spectrum(ctx)
	if err != nil {
		return nil, err
	}
	return design.NewPlan(ctx, c, w, s)
}

// maxDraws is how many seeds are tried until a random family gives a connected graph.
const maxDraws = 100

// buildFamily takes the first connected draw of a random family and says which it was.
func buildFamily(f mixing.Family, nodes int, seed uint64) (*mixing.Matrix, string, error) {
	if !f.Takes(mixing.ParamSeed) {
		w, err := f.Build(mixing.Params{Nodes: nodes})
		return w, "", err
	}
	for draw := seed; draw < seed+maxDraws; draw++ {
		w, err := f.Build(mixing.Params{Nodes: nodes, Seed: draw})
		if err != nil {
			return nil, "", err
		}
		if w.Graph().Connected() {
			return w, fmt.Sprintf("seed %d, the first connected draw from seed %d on", draw, seed), nil
		}
	}
	return nil, "", fmt.Errorf("no connected draw for seeds %d … %d", seed, seed+maxDraws-1)
}

func allReduceRow(c *cluster.Cluster) (Row, error) {
	a, err := c.RingAllReduce()
	if err != nil {
		return Row{}, err
	}
	once := 1
	return Row{Name: allReduceName, Kind: AllReduce, Edges: c.Nodes(), MaxDegree: 1, MinEdgeGBs: a.MinEdgeGBs,
		CommunicationMS: a.CommunicationMS, Iterations: &once, TimeMS: &a.CommunicationMS,
		Note: fmt.Sprintf("exact; %d steps of 1/%d message, every node waits for all", a.Steps, c.Nodes())}, nil
}

const (
	matchingsName = "this plan's edges in turn"
	allReduceName = "ring all-reduce"
)

// matchingsRow prices the plan's own graph as a schedule: its edges take turns in matchings, so that a round
// costs one message. The weights are then 1/2 and not the plan's.
func matchingsRow(ctx context.Context, c *cluster.Cluster, p *design.Plan) (Row, error) {
	rounds, err := p.Matrices()
	if err != nil {
		return Row{}, err
	}
	s, err := mixing.Matchings(rounds[0])
	if err != nil {
		return Row{}, err
	}
	inTurn, err := design.NewSchedulePlan(ctx, c, s)
	if err != nil {
		return Row{}, err
	}
	row := PlanRow(matchingsName, inTurn)
	row.Note = fmt.Sprintf("matchings: %d; every pair averages by halves", len(s.Rounds))
	return row, nil
}

// SortByTime orders rows by time to target; those that never reach it come last.
func SortByTime(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		switch {
		case a.TimeMS == nil && b.TimeMS == nil:
			return 0
		case a.TimeMS == nil:
			return 1
		case b.TimeMS == nil:
			return -1
		}
		return cmp.Compare(*a.TimeMS, *b.TimeMS)
	})
}
