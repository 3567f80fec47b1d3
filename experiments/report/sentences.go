package main

import (
	"fmt"
	"strings"

	"batopo/experiments/internal/ledger"
	"batopo/experiments/internal/paper"
	"batopo/experiments/internal/verdict"
	"batopo/report"
)

// glance is what a reader in a hurry should know.
func glance(e *verdict.Evidence, findings []verdict.Finding) report.Section {
	var facts report.Facts
	better, sizes := 0, e.Paper.Table1.Nodes
	for k, n := range sizes {
		if m, err := e.Solved(verdict.Ours, n, verdict.Rate); err == nil && m.RAsym < e.Paper.Table1.RAsym[paper.BATopo][k]-paper.HalfRAsym {
			better++
		}
	}
	facts = append(facts, report.Fact{Label: "Table I, our r_asym below the printed BA-Topo", Value: fmt.Sprintf("%d of %d sizes", better, len(sizes)), Note: "the others agree to the printed digits"})
	last := len(sizes) - 1
	if m, err := e.Solved(verdict.Ours, sizes[last], verdict.Time); err == nil {
		facts = append(facts, report.Fact{Label: fmt.Sprintf("Time to error 10⁻⁴, %d nodes", sizes[last]), Value: fmt.Sprintf("%.0f ms", m.TimeMS), Note: fmt.Sprintf("printed %.0f ms", e.Paper.Table1.TimeMS[paper.BATopo][last])})
	}
	whole, all := e.WholeEpochs()
	facts = append(facts, report.Fact{Label: "Table II, times that are whole epochs", Value: fmt.Sprintf("%d of %d", whole, all), Note: "for the slowest edge that we compute"})
	for _, who := range []verdict.Subject{verdict.Method, verdict.Ours, verdict.Printed} {
		facts = append(facts, report.Fact{Label: "Sentences of the paper, " + string(who), Value: verdicts(findings, who).Summary()})
	}
	return report.Section{Heading: "At a glance", Blocks: []report.Block{facts}}
}

// sentences lists what the paper says, by subject.
func sentences(findings []verdict.Finding) []report.Section {
	var out []report.Section
	for _, s := range []struct {
		subject verdict.Subject
		heading string
		lead    string
	}{
		{verdict.Method, "What the paper says, and its method as reproduced", "Each sentence is a predicate over the rows above; times are to consensus error 10⁻⁴."},
		{verdict.Ours, "The same sentences, and our best plans", "A sentence about BA-Topo is asked of our plan with at most as many edges."},
		{verdict.Printed, "What the paper says, and its own printed numbers", "Decided by arithmetic on the printed tables alone."},
	} {
		out = append(out, report.Section{Heading: s.heading, Blocks: []report.Block{report.Paragraph(s.lead), verdicts(findings, s.subject)}})
	}
	return out
}

func verdicts(findings []verdict.Finding, who verdict.Subject) report.Verdicts {
	var list report.Verdicts
	for _, f := range findings {
		if f.Subject == who {
			list = append(list, report.Verdict{Claim: f.Sentence.Text + " (" + f.Sentence.Where + ")", Result: f.Result, Found: f.Shown, Note: f.Note})
		}
	}
	return list
}

// foot says where the numbers come from.
func foot(e *verdict.Evidence) string {
	seen := map[string]bool{}
	var runs []string
	for _, list := range [][]ledger.Provenance{e.Table1.Runs, e.Figures.Runs, e.Table2.Runs, e.Ablations.Runs} {
		for _, p := range list {
			if run := strings.Join([]string{p.Program, p.Go, p.Machine, "eigenvalues by " + p.LAPACK}, ", "); !seen[run] {
				seen[run] = true
				runs = append(runs, run)
			}
		}
	}
	return "Computed by " + strings.Join(runs, "; ") + ". Settings and seeds of every row: table1.json, figures.json, table2.json, ablations.json. Repeat with: make reproduce."
}
