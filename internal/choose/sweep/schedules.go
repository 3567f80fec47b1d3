package sweep

import (
	"context"
	"fmt"
	"math"

	"github.com/batopo/batopo/internal/solve/schedules"
)

// searchedEvaluations is how many schedules a comparison looks at for each of its rows: seconds.
const searchedEvaluations = 20_000

// A searched schedule is a row that has to be looked for.
type searched struct {
	name    string
	problem schedules.Problem
}

// searchedSchedules lists what is searched on a cluster: exact gossip, gossip for training, and all-reduces that may
// collect sums, in whole messages and in parts.
var searchedSchedules = []searched{
	{"searched gossip", schedules.Problem{Form: schedules.Gossip}},
	{"searched gossip, W ⪰ 0", schedules.Problem{Form: schedules.Gossip, Positive: true}},
	{"searched average, whole messages", schedules.Problem{Form: schedules.Whole}},
	{"searched average, in parts", schedules.Problem{Form: schedules.Parts}},
}

// searchedRow searches a schedule and prices it.
func (g *pricing) searchedRow(ctx context.Context, s searched) (Row, error) {
	s.problem.Cluster = g.c
	settings := schedules.Settings{Seed: g.seed, Evaluations: searchedEvaluations}
	r, err := schedules.Search(ctx, s.problem, settings)
	if err != nil {
		return Row{}, err
	}
	note := r.Name
	if r.Bound != nil && r.Bound.MS > 0 {
		digits := max(0, 3-int(math.Floor(math.Log10(r.Bound.MS)))) // four that count
		note = fmt.Sprintf("%s; none takes less than %.*f ms", r.Name, digits, r.Bound.MS)
	}
	p, err := r.Plan(ctx, g.c, settings)
	if err != nil {
		return Row{}, err
	}
	row := PlanRow(s.name, p)
	row.Note = note
	return row, nil
}
