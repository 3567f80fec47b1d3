package present

import (
	"context"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/show/report"
)

// The pictures of a plan by the names of their files.
const (
	clusterPicture = "cluster.svg"
	graphPicture   = "graph.svg"
	tradePicture   = "front.svg"
	timePicture    = "time.svg"
	errorPicture   = "error.svg"
)

// PictureFiles lists the names of the files that PlanPictures may return.
var PictureFiles = []string{clusterPicture, graphPicture, tradePicture, timePicture, errorPicture}

// named are the pictures of these files, those that there are.
func named(pictures []report.Picture, files ...string) (blocks []report.Block) {
	for _, p := range pictures {
		if slices.Contains(files, p.File) {
			blocks = append(blocks, p)
		}
	}
	return blocks
}

// PlanPictures draws the cluster and the recommended plan, which is the sweep's own without an advice, which is nil
// then; and what the sweep found: the trade between time per round and rate, the time over the number of edges, and
// the error over time against the baselines. A picture that cannot be drawn does not cost the plan: it is left out,
// and leftOut says why.
func PlanPictures(
	ctx context.Context, s *sweep.Sweep, a *advise.Advice,
) (pictures []report.Picture, leftOut []string) {
	plan := s.Best()
	if a != nil {
		plan = a.Recommended.Plan
	}
	if plan == nil {
		return nil, nil // one node by itself
	}
	add := func(file, caption string, draw func() (*report.Figure, error)) {
		f, err := grace.Await(ctx, draw)
		if err != nil {
			leftOut = append(leftOut, fmt.Sprintf("%s was left out: %s", file, Reason(err)))
			return
		}
		pictures = append(pictures, report.Picture{Figure: f, Caption: caption, File: file})
	}
	add(clusterPicture, "The cluster as described.", func() (*report.Figure, error) {
		c, err := cluster.New(plan.Cluster)
		if err != nil {
			return nil, err
		}
		return DrawCluster(c)
	})
	add(graphPicture, graphCaption(plan, a), func() (*report.Figure, error) { return DrawGraph(plan) })
	if s.Best() == nil || a != nil && a.Recommended.Kind != advise.Static {
		return pictures, leftOut // the others are about static graphs, and another answer was found
	}
	add(tradePicture, "Every budget: fewer milliseconds per round, or fewer rounds. "+
		"The dashed line is what is proved to be impossible to beat.", tradeChart(s, roleBeside(a)).Draw)
	add(timePicture, "Time to the target over the number of edges.", timeChart(s, roleBeside(a)).Draw)
	add(errorPicture, "Consensus error over time.",
		func() (*report.Figure, error) { return drawRace(ctx, s, roleBeside(a)) })
	return pictures, leftOut
}

// graphCaption says what the picture of a plan shows.
func graphCaption(p *design.Plan, a *advise.Advice) string {
	const weights = "; thicker lines have larger weights."
	if a == nil {
		return "Who averages with whom" + weights
	}
	which := "The recommended plan: "
	if a.Instead != nil {
		which = "The plan that you chose: "
	}
	switch {
	case a.Recommended.Kind.Gradients():
		return which + "who sends to whom while gradients are averaged."
	case p.Kind == design.CollectiveKind || p.Inside != nil:
		return which + "who sends to whom."
	case !p.Static():
		return which + "who averages with whom in each round" + weights
	}
	return which + "who averages with whom" + weights
}

// drawRace simulates the sweep's plan and the baselines that finish within ten times its time.
func drawRace(ctx context.Context, s *sweep.Sweep, as role) (*report.Figure, error) {
	best := s.Best()
	rows := []sweep.Row{sweep.PlanRow(as.row, best)}
	for _, r := range as.baselines(s) {
		if r.TimeMS != nil && *r.TimeMS <= 10*best.TimeMS {
			rows = append(rows, r)
		}
	}
	sweep.SortByTime(rows[1:])
	curves, err := RowCurves(ctx, rows, best.TargetError, nil)
	if err != nil {
		return nil, err
	}
	if rows[0].Iterations != nil {
		curves[0].Strong = true
	}
	return ErrorChart(as.against, curves, best.TargetError, true).Draw()
}
