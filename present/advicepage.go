package present

import (
	"fmt"
	"strings"

	"github.com/batopo/batopo/advise"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/report"
)

// AdvicePage is the report of a sweep with what to run at its head; the rest is about the best static graph.
func AdvicePage(sweep report.Page, c *cluster.Cluster, a *advise.Advice) report.Page {
	answer := report.Section{Heading: "What to run"}
	for _, line := range AdviceSentences(c, a) {
		answer.Blocks = append(answer.Blocks, report.Paragraph(line))
	}
	answer.Blocks = append(answer.Blocks, AdviceTable(a))
	for _, line := range adviceNotes(a) {
		answer.Blocks = append(answer.Blocks, report.Paragraph(line))
	}
	answer.Blocks = append(answer.Blocks, report.Paragraph("To run it: "+strings.Join(PythonLines(a), "; ")))
	sections := []report.Section{answer}
	for _, s := range sweep.Sections {
		if s.Heading == "Recommendation" {
			s.Heading = "The best static graph"
		}
		sections = append(sections, s)
	}
	sweep.Sections = sections
	sweep.Title = fmt.Sprintf("What to run on %d nodes", c.Nodes())
	sweep.Intro = ""
	return sweep
}
