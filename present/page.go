package present

import (
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/report"
)

// SweepPage is the report of a sweep with the pictures of SweepPictures, and why some of them were left out.
func SweepPage(p design.Problem, s *planner.Sweep, pictures []report.Picture, leftOut []string) report.Page {
	best := s.Best()
	answer := report.Section{Heading: "Recommendation", Blocks: []report.Block{planFacts(best)}}
	for _, line := range Reasons(s) {
		answer.Blocks = append(answer.Blocks, report.Paragraph(line))
	}
	budgets := report.Section{Heading: "Budgets", Blocks: []report.Block{BudgetTable(p.Cluster, s)}}
	if best.Bound != nil {
		budgets.Blocks = append(budgets.Blocks, report.Paragraph("Bound: "+best.Bound.Detail+"."))
	}
	if beyond := BeyondText(s); beyond != "" {
		budgets.Blocks = append(budgets.Blocks, report.Paragraph(beyond))
	}
	race := report.Section{Heading: "Baselines"}
	for _, picture := range pictures {
		switch picture.File {
		case graphPicture:
			answer.Blocks = append(answer.Blocks, picture)
		case errorPicture:
			race.Blocks = append(race.Blocks, picture)
		default:
			budgets.Blocks = append(budgets.Blocks, picture)
		}
	}
	rows := append([]planner.Row{planner.PlanRow("this plan", best)}, s.Baselines...)
	planner.SortByTime(rows)
	race.Blocks = append(race.Blocks, RowTable(rows, best))
	for _, line := range leftOut {
		race.Blocks = append(race.Blocks, report.Paragraph(line))
	}
	return report.Page{
		Title: fmt.Sprintf("Averaging plan for %d nodes", p.Cluster.Nodes()),
		Intro: fmt.Sprintf("Purpose %s, objective %s, method %s, seed %d. Plan %s.",
			p.Purpose, p.Objective, best.Method, best.Seed, best.Hash[:16]),
		Foot:     fmt.Sprintf("%s, eigenvalues by %s, %s", best.Run.Program, best.Run.LAPACK, best.Run.Started),
		Sections: []report.Section{answer, budgets, race},
	}
}

// planFacts are the numbers at the head of the page.
func planFacts(p *design.Plan) report.Facts {
	gap := "not known"
	if p.Gap != nil {
		gap = fmt.Sprintf("%.1f %%", 100**p.Gap)
	}
	rounds := fmt.Sprintf("%s of %s", Count(p.Iterations, "round"), report.Time(p.CommunicationMS))
	return report.Facts{
		{Label: "edges", Value: fmt.Sprint(planner.PlanRow(p.Method, p).Edges),
			Note: "at most " + Count(p.MaxDegree, "neighbour")},
		{Label: "time to target", Value: report.Duration(p.TimeMS), Note: rounds},
		{Label: "r_asym", Value: fmt.Sprintf("%.4f", p.RAsym), Note: "factor per round"},
		{Label: "gap", Value: gap, Note: "at most above the best possible for this budget"},
	}
}
