package work

import (
	"context"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/launch"
	"github.com/batopo/batopo/internal/show/present"
)

// A PlanRequest asks what to run: everything is chosen.
type PlanRequest struct{ Question }

// A PlanAnswer is what plan and optimize found.
type PlanAnswer struct {
	Sentence     string             `json:"sentence"`
	Reasons      []string           `json:"reasons"`
	Plan         *design.Plan       `json:"plan"`
	Advice       *Advice            `json:"advice,omitempty"` // of plan for training: all that could be run
	Sweep        *present.SweepJSON `json:"sweep,omitempty"`  // of plan only
	Alternatives []Alternative      `json:"alternatives"`
	Curves       []Curve            `json:"curves"`
	LeftOut      []string           `json:"left_out,omitempty"`
}

func (r *PlanRequest) check(l Limits) (title string, err error) {
	p, err := r.Question.check(l, batopo.Options.AdviseProblem)
	if err != nil {
		return "", err
	}
	return "plan for " + nodesTitle(p.Cluster), nil
}

func (r *PlanRequest) run(ctx context.Context, l Limits, feed *jobs.Feed) ([]outfile.File, error) {
	c, o, err := r.search(l, feed)
	if err != nil {
		return nil, err
	}
	found, err := batopo.Advise(ctx, c, o)
	if err != nil {
		return nil, err
	}
	c = found.Problem.Cluster // corrected by a trial, or without machines that are left out
	all, err := sweepAlternatives(c, found.Sweep)
	if err != nil {
		return nil, err
	}
	answer := PlanAnswer{Plan: found.Plan, Alternatives: all}
	if found.Advice != nil {
		answer.Reasons = present.StaticReasons(found.Sweep)
		answer.Sentence, answer.Advice = newAdvice(c, found.Sweep, found.Advice)
		if found.Correction != nil {
			answer.Advice.Notes = append(present.CorrectionSentences(found.Correction), answer.Advice.Notes...)
		}
	} else {
		reasons := present.Reasons(found.Sweep)
		answer.Sentence, answer.Reasons = reasons[0], reasons[1:]
	}
	late, cancel := grace.After(ctx, l.Drawing)
	defer cancel()
	return answer.files(late, found)
}

// files are what the answer leaves.
func (a PlanAnswer) files(ctx context.Context, found *batopo.Answer) ([]outfile.File, error) {
	c := found.Problem.Cluster
	j := present.NewSweepJSON(found.Sweep)
	j.Measured = present.NewCorrectionJSON(found.Correction)
	a.Sweep = &j
	a.Curves, a.LeftOut = curves(ctx, a.Alternatives, c.Model().TargetError)
	pictures, leftOut := present.PlanPictures(ctx, found.Sweep, found.Advice)
	a.LeftOut = append(a.LeftOut, leftOut...)
	page := present.PlanPage(found.Problem, found.Sweep, found.Advice, pictures, leftOut)
	python := launch.Attach(present.PlanFile, "")
	if a.Advice != nil {
		python = a.Advice.Python
	}
	files := append(planFiles(c, a.Plan, python), jsonFile(ResultFile, a), outfile.File{
		Name: "report.html", Write: page.WriteHTML})
	for _, picture := range pictures {
		files = append(files, outfile.File{Name: picture.File, Write: picture.Figure.Write})
	}
	return written(files)
}
