package work

import (
	"cmp"
	"context"
	"fmt"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/launch"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/show/report"
)

// An OptimizeRequest asks for the best graph with at most MaxEdges edges.
type OptimizeRequest struct{ Question }

func (r *OptimizeRequest) check(l Limits) (title string, err error) {
	p, err := r.Question.check(l, batopo.Options.OptimizeProblem)
	if err != nil {
		return "", err
	}
	return nodesTitle(p.Cluster) + ", at most " + present.Count(r.MaxEdges, "edge"), nil
}

func (r *OptimizeRequest) run(ctx context.Context, l Limits, feed *jobs.Feed) ([]outfile.File, error) {
	c, o, err := r.search(l, feed)
	if err != nil {
		return nil, err
	}
	best, err := batopo.Optimize(ctx, c, o)
	if err != nil {
		return nil, err
	}
	late, cancel := grace.After(ctx, l.Drawing)
	defer cancel()
	rows, skipped := sweep.Baselines(late, c, cmp.Or(o.Seed, 1))
	rows = append(rows, sweep.PlanRow(foundName(best), best))
	all, err := alternatives(rows, c, map[*design.Plan]bool{best: true}, best)
	if err != nil {
		return nil, err
	}
	answer := PlanAnswer{Sentence: sentence(best), Plan: best, Alternatives: all}
	answer.Curves, answer.LeftOut = curves(late, all, c.Model().TargetError)
	for _, s := range skipped {
		answer.LeftOut = append(answer.LeftOut, s.Name+": "+present.SkippedText(s))
	}
	files := append(planFiles(c, best, launch.Attach(present.PlanFile, "")), jsonFile(ResultFile, answer))
	return written(append(files, graphFile(late, best)...))
}

// sentence says what was found.
func sentence(p *design.Plan) string {
	text := fmt.Sprintf("Found: %s, at most %s; every round of %[4]s leaves %.4[3]f of the consensus error",
		present.Count(len(p.Edges()), "edge"), present.Count(p.MaxDegree, "neighbour"), p.RAsym,
		report.Duration(p.CommunicationMS))
	if p.Iterations > 0 {
		text += fmt.Sprintf(": %s to an error of %.0e after %s",
			report.Duration(p.TimeMS), p.TargetError, present.Count(p.Iterations, "round"))
	}
	switch {
	case p.MeetsBound():
		text += ". Nothing better exists for this many edges"
	case p.Gap != nil:
		text += fmt.Sprintf(". It is at most %.1f %% above the best possible", 100**p.Gap)
	}
	return text + "."
}
