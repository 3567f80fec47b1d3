package cli

import (
	"context"
	"fmt"

	"batopo/consensus"
	"batopo/design"
	"batopo/internal/limits"
	"batopo/planner"
	"batopo/report"
)

// planFigures draws what a sweep found: the graph, the trade between time per round and rate,
// the time over the number of edges, and the error over time against the opponents. A picture that cannot be drawn
// does not cost the plan: it is left out, and leftOut says why.
func planFigures(ctx context.Context, s *planner.Sweep) (figures []report.Picture, leftOut []string) {
	add := func(file, caption string, draw func() (*report.Figure, error)) {
		f, err := draw()
		if err != nil {
			leftOut = append(leftOut, fmt.Sprintf("%s was left out: %v", file, err))
			return
		}
		figures = append(figures, report.Picture{Figure: f, Caption: caption, File: file})
	}
	add("graph.svg", "Who averages with whom; thicker lines weigh more.", func() (*report.Figure, error) { return planFigure(s.Best()) })
	add("front.svg", "Every budget: fewer milliseconds per round, or fewer rounds. The dashed line is what is proved to be impossible to beat.", tradeChart(s).Draw)
	add("time.svg", "Time to the target over the number of edges.", timeChart(s).Draw)
	add("error.svg", "Consensus error over time.", func() (*report.Figure, error) {
		series, err := raceSeries(ctx, s)
		if err != nil {
			return nil, err
		}
		return report.LineChart{
			Text:   report.Text{Title: "The plan against its opponents", Subtitle: "root mean square consensus error from Gaussian starts"},
			X:      report.Axis{Label: "time", Unit: "ms"},
			Y:      report.Axis{Label: "consensus error", Log: true},
			Series: series,
			Levels: []report.Level{{Name: fmt.Sprintf("target %.0e", s.Best().TargetError), Value: s.Best().TargetError}},
		}.Draw()
	})
	return figures, leftOut
}

func tradeChart(s *planner.Sweep) report.ScatterChart {
	c := report.ScatterChart{
		Text: report.Text{Title: "Rate against time per round"},
		X:    report.Axis{Label: "time per round", Unit: "ms", Log: true},
		Y:    report.Axis{Label: "r_asym"},
	}
	limit := report.Path{Name: "proved bound", Dashed: true}
	for k, b := range s.Budgets {
		if b.Plan == nil {
			continue
		}
		c.Points = append(c.Points, report.Point{
			Name: fmt.Sprintf("r = %d", len(b.Plan.Edges())), Note: fmt.Sprintf("%s, %s ms", count(b.Plan.Iterations, "round"), short(b.Plan.TimeMS)),
			X: b.Plan.CommunicationMS, Y: b.Plan.RAsym, Strong: k == s.Recommended,
		})
		limit.X, limit.Y = append(limit.X, b.Plan.CommunicationMS), append(limit.Y, b.Plan.Bound.RAsym)
	}
	c.Paths = []report.Path{report.Front("best found", c.Points), limit}
	return c
}

func timeChart(s *planner.Sweep) report.ScatterChart {
	c := report.ScatterChart{
		Text: report.Text{Title: "Time to target over edges"},
		X:    report.Axis{Label: "edges", Log: true},
		Y:    report.Axis{Label: "time to target", Unit: "ms", Log: true},
	}
	line := report.Path{Name: "best found"}
	for k, b := range s.Budgets {
		if b.Plan == nil || b.Plan.Iterations == 0 {
			continue
		}
		c.Points = append(c.Points, report.Point{Name: fixed(b.Plan.TimeMS, 0) + " ms", X: float64(len(b.Plan.Edges())), Y: b.Plan.TimeMS, Strong: k == s.Recommended})
		line.X, line.Y = append(line.X, float64(len(b.Plan.Edges()))), append(line.Y, b.Plan.TimeMS)
	}
	c.Paths = []report.Path{line}
	return c
}

// raceSeries simulates the plan and the opponents that finish within ten times its time.
func raceSeries(ctx context.Context, s *planner.Sweep) ([]report.Series, error) {
	best := s.Best()
	rows := append([]planner.Row{planner.PlanRow("this plan", best)}, s.Opponents...)
	planner.SortByTime(rows[1:])
	var series []report.Series
	for _, r := range rows {
		if r.Plan == nil || r.TimeMS == nil || *r.TimeMS > 10*best.TimeMS || len(series) == mostCurves {
			continue
		}
		subject, err := r.Plan.Schedule()
		if err != nil {
			return nil, err
		}
		result, err := consensus.Simulate(ctx, subject, consensus.Settings{Seed: 1, Target: best.TargetError, MaxRounds: min(10**r.Iterations, limits.Rounds)})
		if err != nil {
			return nil, err
		}
		if !result.Complete {
			return nil, stopped(ctx)
		}
		curve := errorSeries(r.Name, result, true)
		curve.Strong = r.Plan == best
		series = append(series, curve)
	}
	return series, nil
}

// planPage is the report of a sweep.
func planPage(p design.Problem, s *planner.Sweep, figures []report.Picture, leftOut []string) report.Page {
	best := s.Best()
	gap := "not known"
	if best.Gap != nil {
		gap = fmt.Sprintf("%.1f %%", 100**best.Gap)
	}
	facts := report.Facts{
		{Label: "edges", Value: fmt.Sprint(len(best.Edges())), Note: "at most " + count(best.MaxDegree, "neighbour")},
		{Label: "time to target", Value: report.Duration(best.TimeMS), Note: fmt.Sprintf("%s of %s ms", count(best.Iterations, "round"), short(best.CommunicationMS))},
		{Label: "r_asym", Value: fmt.Sprintf("%.4f", best.RAsym), Note: "factor per round"},
		{Label: "gap", Value: gap, Note: "at most above the best possible for this budget"},
	}
	page := report.Page{
		Title: fmt.Sprintf("Averaging plan for %d nodes", p.Cluster.Nodes()),
		Intro: fmt.Sprintf("Purpose %s, objective %s, method %s, seed %d. Plan %s.", p.Purpose, p.Objective, best.Method, best.Seed, best.Hash[:16]),
		Foot:  fmt.Sprintf("%s, eigenvalues by %s, %s", best.Run.Program, best.Run.LAPACK, best.Run.Started),
	}
	answer := report.Section{Heading: "Recommendation", Blocks: []report.Block{facts}}
	for _, line := range reasons(s) {
		answer.Blocks = append(answer.Blocks, report.Paragraph(line))
	}
	budgets := report.Section{Heading: "Budgets", Blocks: []report.Block{budgetTable(p.Cluster, s), report.Paragraph("Bound: " + best.Bound.Detail + ".")}}
	if s.Beyond != "" {
		budgets.Blocks = append(budgets.Blocks, report.Paragraph(s.Beyond))
	}
	race := report.Section{Heading: "Opponents"}
	for _, f := range figures {
		switch f.File {
		case "graph.svg":
			answer.Blocks = append(answer.Blocks, f)
		case "error.svg":
			race.Blocks = append(race.Blocks, f)
		default:
			budgets.Blocks = append(budgets.Blocks, f)
		}
	}
	rows := append([]planner.Row{planner.PlanRow("this plan", best)}, s.Opponents...)
	planner.SortByTime(rows)
	race.Blocks = append(race.Blocks, rowTable(rows, best))
	for _, line := range leftOut {
		race.Blocks = append(race.Blocks, report.Paragraph(line))
	}
	page.Sections = []report.Section{answer, budgets, race}
	return page
}
