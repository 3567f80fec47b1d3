package page

import (
	"fmt"

	"batopo/experiments/internal/verdict"
	"batopo/report"
)

// facts are what a reader in a hurry should know.
func facts(e *verdict.Evidence, _ string) ([]report.Block, error) {
	findings, err := e.Sentences()
	if err != nil {
		return nil, err
	}
	better, sizes := 0, e.Paper.Table1.Nodes
	for k := range sizes {
		if e.Compare(verdict.Ours.Column(), verdict.Rate, k).Verdict() == "better" {
			better++
		}
	}
	list := report.Facts{{Label: "Table I, our r_asym below the printed BA-Topo",
		Value: fmt.Sprintf("%d of %d sizes", better, len(sizes)), Note: "the others agree to the printed digits"}}
	last := len(sizes) - 1
	if c := e.Compare(verdict.Ours.Column(), verdict.Time, last); c.Missing == "" {
		list = append(list, report.Fact{Label: fmt.Sprintf("Time to error 10⁻⁴, %d nodes", sizes[last]),
			Value: fmt.Sprintf("%.0f ms", c.Ours.TimeMS), Note: fmt.Sprintf("printed %s ms", c.Theirs)})
	}
	whole, all := e.WholeEpochs()
	list = append(list, report.Fact{Label: "Table II, times that are whole epochs",
		Value: fmt.Sprintf("%d of %d", whole, all), Note: "for the slowest edge that we compute"})
	for _, who := range verdict.Subjects {
		list = append(list, report.Fact{Label: "Sentences of the paper, " + who.Name, Value: of(findings, who.ID).Summary()})
	}
	return []report.Block{list}, nil
}

// sentences lists what the paper says and how it fares with the numbers of one subject.
func sentences(e *verdict.Evidence, subject string) ([]report.Block, error) {
	findings, err := e.Sentences()
	return []report.Block{of(findings, subject)}, err
}

func of(findings []verdict.Finding, subject string) report.Verdicts {
	var list report.Verdicts
	for _, f := range findings {
		if f.Subject.ID == subject {
			list = append(list, report.Verdict{Claim: f.Sentence.Text + " (" + f.Sentence.Where + ")",
				Result: f.Result, Found: f.Shown, Note: f.Note})
		}
	}
	return list
}
