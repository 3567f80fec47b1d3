package work

import (
	"context"
	"time"

	"github.com/batopo/batopo/advise"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/internal/outfile"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/present"
	"github.com/batopo/batopo/server/jobs"
)

// A PlanRequest asks for everything: how many edges, which, and with what weights.
type PlanRequest struct {
	Question
	Skew float64 `json:"skew,omitempty"` // training: classes are spread over nodes by Dirichlet(skew); 0 means evenly
}

// A PlanAnswer is what plan and optimize found.
type PlanAnswer struct {
	Sentence     string             `json:"sentence"`
	Reasons      []string           `json:"reasons"`
	Plan         *design.Plan       `json:"plan"`
	Graph        *Sketch            `json:"graph,omitempty"`  // of the plan, where it has one that can be drawn
	Advice       *Advice            `json:"advice,omitempty"` // of plan for training: all that could be run
	Sweep        *present.SweepJSON `json:"sweep,omitempty"`  // of plan only
	Alternatives []Alternative      `json:"alternatives"`
	Curves       []Curve            `json:"curves"`
	LeftOut      []string           `json:"left_out,omitempty"`
}

func (r *PlanRequest) check(l Limits) (title string, err error) {
	if err := r.setting().Validate(); err != nil {
		return "", err
	}
	p, err := r.Question.check(l, false)
	if err != nil {
		return "", err
	}
	return "plan for " + nodesTitle(p.Cluster), nil
}

func (r *PlanRequest) setting() advise.Setting {
	return advise.Setting{Skew: r.Skew, Seed: r.settings().Seed}.WithDefaults()
}

func (r *PlanRequest) run(ctx context.Context, l Limits, feed *jobs.Feed) ([]outfile.File, error) {
	started := time.Now()
	p, s, err := r.search(design.Time, l, feed)
	if err != nil {
		return nil, err
	}
	solve, advises := planner.Plan, p.Purpose == design.Training && p.Objective == design.Time
	if advises {
		solve = planner.Survey
	}
	sweep, err := solve(ctx, p, s)
	if err != nil {
		return nil, err
	}
	all, err := sweepAlternatives(p.Cluster, sweep)
	if err != nil {
		return nil, err
	}
	answer := PlanAnswer{Plan: sweep.Best(), Alternatives: all}
	var advice *advise.Advice
	if advises {
		advice, err = advise.From(ctx, p.Cluster, sweep, r.setting(), s.Progress)
		if err != nil {
			return nil, err
		}
		answer.Reasons = present.StaticReasons(sweep)
		answer.Sentence, answer.Advice = newAdvice(p.Cluster, sweep, advice)
		answer.Plan = advice.Recommended.Plan
	} else {
		reasons := present.Reasons(sweep)
		answer.Sentence, answer.Reasons = reasons[0], reasons[1:]
	}
	answer.stamp(design.NewRun(started), sweep)
	late, cancel := grace.After(ctx, l.Drawing)
	defer cancel()
	return answer.files(late, p, sweep, advice)
}

// stamp writes the facts of the run into all plans.
func (a PlanAnswer) stamp(run design.Run, sweep *planner.Sweep) {
	for _, o := range sweep.Outcomes {
		if o.Plan != nil {
			o.Plan.Run = run
		}
	}
	if best := sweep.Best(); best != nil {
		best.Run = run
	}
	a.Plan.Run = run
}

// files are what the answer leaves; advice may be nil.
func (a PlanAnswer) files(
	ctx context.Context, p design.Problem, sweep *planner.Sweep, advice *advise.Advice,
) ([]outfile.File, error) {
	j := present.NewSweepJSON(sweep)
	a.Sweep, a.Graph = &j, sketch(p.Cluster, a.Plan)
	a.Curves, a.LeftOut = curves(ctx, a.Alternatives, p.Cluster.Model().TargetError)
	pictures, leftOut := present.PlanPictures(ctx, sweep, advice)
	a.LeftOut = append(a.LeftOut, leftOut...)
	page := present.PlanPage(p, sweep, advice, pictures, leftOut)
	python := present.AttachLines(present.PlanFile, "")
	if a.Advice != nil {
		python = a.Advice.Python
	}
	files := append(planFiles(p.Cluster, a.Plan, python), jsonFile(ResultFile, a),
		jsonFile(AlternativesFile, plansOf(a.Alternatives)),
		outfile.File{Name: "report.html", Write: page.WriteHTML})
	for _, picture := range pictures {
		files = append(files, outfile.File{Name: picture.File, Write: picture.Figure.Write})
	}
	return written(files)
}
