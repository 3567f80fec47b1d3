package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
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

// PlanRow prices a finished plan.
func PlanRow(name string, p *design.Plan) Row {
	r := Row{
		Name: name, Kind: kind(p), Plan: p, Edges: pairs(p), MaxDegree: p.MaxDegree, RAsym: &p.RAsym,
		Lambda2: p.Lambda2, LambdaN: p.LambdaN, MinEdgeGBs: p.MinEdgeGBs, CommunicationMS: p.CommunicationMS,
	}
	if p.Iterations > 0 {
		r.Iterations, r.TimeMS = &p.Iterations, &p.TimeMS
	}
	if len(p.Notes) > 0 {
		r.Note = p.Notes[0]
	}
	return r
}

func kind(p *design.Plan) RowKind {
	switch {
	case p.Kind == design.CollectiveKind:
		return AllReduce
	case p.Static():
		return Static
	}
	return Scheduled
}

// pairs counts the pairs of nodes that ever talk, in either direction.
func pairs(p *design.Plan) int {
	if p.Kind == design.CollectiveKind {
		return p.Collective.Runs().Pairs()
	}
	seen := map[[2]int]bool{}
	for _, r := range p.Rounds {
		for _, e := range r.Edges {
			seen[[2]int{min(e.I, e.J), max(e.I, e.J)}] = true
		}
	}
	return len(seen)
}

// SortByTime orders rows by time to target; those that never reach it come last.
func SortByTime(rows []Row) {
	never := math.Inf(1)
	time := func(r Row) float64 { return *cmp.Or(r.TimeMS, &never) }
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(time(a), time(b)) })
}
