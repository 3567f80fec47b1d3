package work

import (
	"context"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/internal/outfile"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/present"
	"github.com/batopo/batopo/server/jobs"
)

// A PlanRequest asks for everything: how many edges, which, and with what weights.
type PlanRequest struct{ Question }

// A PlanAnswer is what plan and optimize found.
type PlanAnswer struct {
	Sentence     string             `json:"sentence"`
	Reasons      []string           `json:"reasons"`
	Plan         *design.Plan       `json:"plan"`
	Sweep        *present.SweepJSON `json:"sweep,omitempty"` // of plan only
	Alternatives []Alternative      `json:"alternatives"`
	Curves       []Curve            `json:"curves"`
	LeftOut      []string           `json:"left_out,omitempty"`
}

func (r *PlanRequest) check(l Limits) error { return r.Question.check(l, false) }

func (r *PlanRequest) title() string { return "plan for " + r.Question.nodes() }

func (q *Question) nodes() string {
	p, err := q.problem(design.Time)
	if err != nil {
		return "an unknown cluster"
	}
	return nodesTitle(p.Cluster.Nodes())
}

func (r *PlanRequest) run(ctx context.Context, feed *jobs.Feed) ([]outfile.File, error) {
	started := time.Now()
	p, err := r.problem(design.Time)
	if err != nil {
		return nil, err
	}
	s := r.settings()
	watch(feed, &s)
	sweep, err := planner.Plan(ctx, p, s)
	if err != nil {
		return nil, err
	}
	run := design.NewRun(started)
	for _, o := range sweep.Outcomes {
		if o.Plan != nil {
			o.Plan.Run = run
		}
	}
	sweep.Best().Run = run
	late, cancel := grace.After(ctx, drawingTime)
	defer cancel()
	reasons, all := present.Reasons(sweep), sweepAlternatives(sweep)
	j := present.NewSweepJSON(sweep)
	answer := PlanAnswer{Sentence: reasons[0], Reasons: reasons[1:], Plan: sweep.Best(), Sweep: &j, Alternatives: all}
	answer.Curves, answer.LeftOut = curves(late, all, p.Cluster.Model().TargetError)
	pictures, leftOut := present.SweepPictures(late, sweep)
	answer.LeftOut = append(answer.LeftOut, leftOut...)
	files := append(planFiles(answer.Plan), jsonFile(ResultFile, answer), jsonFile(AlternativesFile, plansOf(all)),
		outfile.File{Name: "report.html", Write: present.SweepPage(p, sweep, pictures, leftOut).WriteHTML})
	for _, picture := range pictures {
		files = append(files, outfile.File{Name: picture.File, Write: picture.Figure.Write})
	}
	return written(files)
}

// drawingTime is how long curves and pictures may take after a search that was stopped.
const drawingTime = 2 * time.Second
