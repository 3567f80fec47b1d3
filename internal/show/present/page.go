package present

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/launch"
	"github.com/batopo/batopo/internal/show/report"
)

// PlanPage is the report of a plan: the answer, how to run it, its alternatives, the cluster with its bottleneck, and
// the sweep of budgets behind it. Without an advice, which is nil then, the best static graph is the answer. The
// pictures are those of PlanPictures, which also says why some of them were left out.
func PlanPage(
	p design.Problem, s *sweep.Sweep, a *advise.Advice, pictures []report.Picture, leftOut []string,
) report.Page {
	best, as := s.Best(), roleBeside(a)
	if best == nil {
		best = a.Recommended.Plan // only an advice does without a graph
	}
	page := report.Page{Title: fmt.Sprintf("Averaging plan for %d nodes", p.Cluster.Nodes())}
	if best != nil { // one node by itself needs no plan
		page.Intro = fmt.Sprintf("Purpose %s, objective %s, method %s, seed %d. Plan %s.",
			p.Purpose, p.Objective, best.Method, best.Seed, best.Hash[:16])
		page.Foot = fmt.Sprintf("%s, eigenvalues by %s, %s", best.Run.Program, best.Run.LAPACK, best.Run.Started)
	}
	static := staticSection(s, as)
	hardware := report.Section{Heading: "The cluster", Blocks: named(pictures, clusterPicture)}
	if best == nil {
		if drawn, err := DrawCluster(p.Cluster); err == nil {
			hardware.Blocks = append(hardware.Blocks, report.Picture{Figure: drawn, Caption: "The cluster as described."})
		}
	}
	bottleneck := bottleneckText(p, best, a)
	hardware.Blocks = append(hardware.Blocks, report.Paragraph(bottleneck))
	if a == nil {
		static.Blocks = append(static.Blocks, named(pictures, graphPicture)...)
		next := nextStep(Answer{Start: launch.Torchrun(launch.Hosts(p.Cluster, &advise.Advice{})),
			Python: launch.Attach(PlanFile, "")}, best)
		page.Sections = []report.Section{static, next, hardware}
	} else {
		page.Title = fmt.Sprintf("What to run on %d nodes", p.Cluster.Nodes())
		answer := NewAnswer(p.Cluster, a, PlanFile)
		page.Intro = answer.Headline
		page.Sections = append(adviceSections(p.Cluster, a, answer, pictures, bottleneck), hardware)
		if a.Recommended.Kind != advise.Static {
			return page // static graphs are not the answer
		}
		static.Heading = theSearched.head
		page.Sections = append(page.Sections, static)
	}
	if s.Best() != nil {
		page.Sections = append(page.Sections, budgetSection(p, s, as, pictures))
	}
	page.Sections = append(page.Sections, baselineSection(s, as, pictures, leftOut))
	return page
}

// staticSection is about the static graph of the search, or says why there is none.
func staticSection(s *sweep.Sweep, as role) report.Section {
	static := report.Section{Heading: "Recommendation"}
	if best := s.Best(); best != nil {
		static.Blocks = append(static.Blocks, planFacts(best))
	}
	for _, line := range as.reasons(s) {
		static.Blocks = append(static.Blocks, report.Paragraph(line))
	}
	return static
}

// adviceSections are the answer in the order of every other place that shows it: why, what could be run, what would
// change it, how to run it; and what stands behind it. The bottleneck is named beside the cluster.
func adviceSections(c *cluster.Cluster, a *advise.Advice, answer Answer, pictures []report.Picture,
	bottleneck string) []report.Section {
	why := report.Section{Heading: "Why", Blocks: blocks(slices.Concat([]string{answer.Speed, "Why: " + answer.Why + ".",
		fmt.Sprintf("Confidence: %s; %s.", answer.Confidence, answer.Basis), answer.Assumed}, answer.Cautions))}
	if bars, err := candidateBars(a).Draw(); err == nil {
		why.Blocks = append(why.Blocks, report.Picture{Figure: bars, Caption: "What could be run: the milliseconds of a " +
			"step times the " + countedIn(a) + " that it needs, relative to DDP. The shorter, the faster."})
	}
	why.Blocks = append(why.Blocks, named(pictures, graphPicture)...)
	others := report.Section{Heading: "Candidates", Blocks: []report.Block{Rows(c, a, len(a.All)+1)}}
	change := report.Section{Heading: "What would change it", Blocks: blocks(changeNotes(c, a))}
	behind := report.Section{Heading: "Behind the answer"}
	for _, line := range details(c, a) {
		if line != bottleneck {
			behind.Blocks = append(behind.Blocks, report.Paragraph(line))
		}
	}
	behind.Blocks = append(behind.Blocks, AdviceTable(a, len(a.All)))
	behind.Blocks = append(behind.Blocks, blocks(adviceNotes(a, len(a.All)))...)
	return []report.Section{why, others, change, nextStep(answer, a.Recommended.Plan), behind}
}

// blocks are lines as paragraphs, and indented ones as lists.
func blocks(lines []string) (out []report.Block) {
	for _, line := range lines {
		item, inList := strings.CutPrefix(line, "  ")
		if !inList {
			out = append(out, report.Paragraph(line))
			continue
		}
		list, begun := out[len(out)-1].(report.List)
		if !begun {
			out = append(out, report.List{item})
		} else {
			out[len(out)-1] = append(list, item)
		}
	}
	return out
}

// nextStep says how to run the answer; a single node has no plan.
func nextStep(answer Answer, plan *design.Plan) report.Section {
	run := report.Section{Heading: "Run it"}
	if plan == nil {
		run.Blocks = append(run.Blocks, report.Paragraph("The training script stays as it is. Start it on that machine."))
	} else {
		run.Blocks = append(run.Blocks, report.Paragraph("Put these lines into the training script, with a copy of "+
			"plan.json that every process can read. batopo verify plan.json checks every claim of the plan again."),
			report.Code(strings.Join(answer.Python, "\n")), report.Paragraph(
				"Start one process for each node. On a machine of several, K is its place in the order of ranks."))
	}
	run.Blocks = append(run.Blocks, report.Code(answer.Start))
	return run
}

// bottleneckText names the bottleneck of the answer's longest round.
func bottleneckText(p design.Problem, best *design.Plan, a *advise.Advice) string {
	name, ms := "", 0.0
	if a != nil {
		name, ms = a.Recommended.Bottleneck, a.Recommended.LongestMS
	} else if rounds, err := best.RoundCosts(p.Cluster); err == nil {
		for _, r := range rounds {
			if r.CommunicationMS > ms {
				name, ms = r.Bottleneck, r.CommunicationMS
			}
		}
	}
	if name == "" {
		return "No single part of the cluster holds it up."
	}
	return holdsUp(name, ms)
}

func budgetSection(p design.Problem, s *sweep.Sweep, as role, pictures []report.Picture) report.Section {
	budgets := report.Section{Heading: "Budgets", Blocks: []report.Block{budgetTable(p.Cluster, s, as)}}
	if bound := s.Best().Bound; bound != nil {
		budgets.Blocks = append(budgets.Blocks, report.Paragraph("Bound: "+bound.Detail+"."))
	}
	if beyond := BeyondText(s); beyond != "" {
		budgets.Blocks = append(budgets.Blocks, report.Paragraph(beyond))
	}
	budgets.Blocks = append(budgets.Blocks, named(pictures, tradePicture, timePicture)...)
	return budgets
}

func baselineSection(s *sweep.Sweep, as role, pictures []report.Picture, leftOut []string) report.Section {
	rows := as.baselines(s)
	if best := s.Best(); best != nil {
		rows = append([]sweep.Row{sweep.PlanRow(as.row, best)}, rows...)
	}
	sweep.SortByTime(rows)
	race := report.Section{Heading: "Baselines", Blocks: named(pictures, errorPicture)}
	race.Blocks = append(race.Blocks, RowTable(rows, s.Best()))
	for _, line := range leftOut {
		race.Blocks = append(race.Blocks, report.Paragraph(line))
	}
	return race
}

// planFacts are the numbers at the head of the page.
func planFacts(p *design.Plan) report.Facts {
	gap := "not known"
	if p.Gap != nil {
		gap = fmt.Sprintf("%.1f %%", 100**p.Gap)
	}
	rounds := fmt.Sprintf("%s of %s", Count(p.Iterations, "round"), report.Time(p.CommunicationMS))
	return report.Facts{
		{Label: "edges", Value: fmt.Sprint(sweep.PlanRow(p.Method, p).Edges),
			Note: "at most " + Count(p.MaxDegree, "neighbour")},
		{Label: "time to target", Value: report.Duration(p.TimeMS), Note: rounds},
		{Label: "r_asym", Value: fmt.Sprintf("%.4f", p.RAsym), Note: "factor per round"},
		{Label: "gap", Value: gap, Note: "at most above the best possible for this budget"},
	}
}
