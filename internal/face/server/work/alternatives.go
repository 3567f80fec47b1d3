package work

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/show/present"
)

// An Alternative is a way of averaging beside others, priced on the cluster.
type Alternative struct {
	sweep.Row
	IterationMS float64 `json:"iteration_ms"` // a training step and the communication after it
	Found       bool    `json:"found"`        // searched for here, not a known topology
	Recommended bool    `json:"recommended"`
}

// sweepAlternatives lists the plans of a sweep and the known topologies, soonest first.
func sweepAlternatives(c *cluster.Cluster, s *sweep.Sweep) ([]Alternative, error) {
	var rows []sweep.Row
	found := map[*design.Plan]bool{s.Best(): true} // nil, where there is no graph, is no row's
	for _, o := range s.Outcomes {
		if o.Plan != nil {
			found[o.Plan] = true
			rows = append(rows, sweep.PlanRow(foundName(o.Plan), o.Plan))
		}
	}
	return alternatives(append(rows, s.Baselines...), c, found, s.Best())
}

// foundName is what a plan that was searched for is called.
func foundName(p *design.Plan) string {
	return present.PlanName + ", " + present.Count(len(p.Edges()), "edge")
}

func alternatives(
	rows []sweep.Row, c *cluster.Cluster, found map[*design.Plan]bool, best *design.Plan,
) ([]Alternative, error) {
	sweep.SortByTime(rows)
	out := make([]Alternative, 0, len(rows))
	for _, r := range rows {
		ms, err := iterationMS(c, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		a := Alternative{Row: r, IterationMS: ms}
		if r.Plan != nil {
			a.Found, a.Recommended = found[r.Plan], r.Plan == best
		}
		out = append(out, a)
	}
	return out, nil
}

// iterationMS is how long an iteration of training takes; where there is no plan, all nodes wait for each other.
func iterationMS(c *cluster.Cluster, r sweep.Row) (float64, error) {
	if r.Plan != nil {
		return r.Plan.IterationMS(c)
	}
	return cost.Together(c, r.CommunicationMS).OnCluster(c)
}

// A Curve is the consensus error over time.
type Curve struct {
	Name        string       `json:"name"`
	Recommended bool         `json:"recommended"`
	Points      [][2]float64 `json:"points"` // milliseconds, error
}

// curves simulates every alternative that reaches the target, until ctx ends.
func curves(ctx context.Context, all []Alternative, target float64) (out []Curve, leftOut []string) {
	out = make([]Curve, 0, len(all)) // a list in JSON, also where no graph fits
	for _, a := range all {
		if a.Plan == nil {
			if a.TimeMS != nil { // exact at the end, nothing before
				out = append(out, Curve{a.Name, a.Recommended, [][2]float64{{0, 1}, {*a.TimeMS, 1}, {*a.TimeMS, 0}}})
			}
			continue
		}
		series, err := present.RowCurves(ctx, []sweep.Row{a.Row}, target, nil)
		if err != nil {
			return out, append(leftOut, fmt.Sprintf("no curve of %s and later ones: %v", a.Name, err))
		}
		for _, s := range series {
			out = append(out, Curve{a.Name, a.Recommended, thinned(s.X, s.Y)})
		}
	}
	return out, leftOut
}

// mostPoints of a curve are more than a screen has columns for one of many.
const mostPoints = 240

// thinned keeps evenly spread points and the last.
func thinned(x, y []float64) [][2]float64 {
	stride := (len(x) + mostPoints - 1) / mostPoints
	var out [][2]float64
	for k := range x {
		if k%stride == 0 || k == len(x)-1 {
			out = append(out, [2]float64{x[k], y[k]})
		}
	}
	return out
}
