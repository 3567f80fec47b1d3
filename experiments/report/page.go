package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/batopo/batopo/experiments/internal/verdict"
	"github.com/batopo/batopo/report"
)

// The text is a template of headings, paragraphs, tables and named pictures, set apart by empty lines. Its numbers are
// facts of package verdict.
//
//go:embed page.txt
var text string

// A page is made from the evidence and from the facts that follow from it.
type page struct {
	*verdict.Evidence
	facts    verdict.Facts
	findings []verdict.Finding
}

// compose builds the page from whatever results there are.
func compose(e *verdict.Evidence) (report.Page, error) {
	out := report.Page{Title: "The BA-Topo paper, reproduced", Foot: foot(e)}
	p := page{Evidence: e}
	var err error
	if p.facts, err = e.Facts(); err != nil {
		return out, err
	}
	if p.findings, err = e.Sentences(); err != nil {
		return out, err
	}
	parsed, err := template.New("page.txt").Funcs(p.functions()).Parse(text)
	if err != nil {
		return out, err
	}
	var filled strings.Builder
	if err := parsed.Execute(&filled, e); err != nil {
		return out, err
	}
	parts := strings.Split(strings.TrimSpace(filled.String()), "\n\n")
	out.Intro = oneLine(parts[0])
	for _, part := range parts[1:] {
		if heading, ok := strings.CutPrefix(part, "## "); ok {
			out.Sections = append(out.Sections, report.Section{Heading: heading})
			continue
		}
		block, err := p.block(part)
		if err != nil {
			return out, err
		}
		section := &out.Sections[len(out.Sections)-1]
		section.Blocks = append(section.Blocks, block)
	}
	return out, nil
}

// block turns one part of the text into what it stands for: [kind argument] or a paragraph.
func (p page) block(part string) (report.Block, error) {
	head, rows, _ := strings.Cut(part, "\n")
	kind, argument, _ := strings.Cut(strings.Trim(head, "[]"), " ")
	switch {
	case !strings.HasPrefix(part, "["):
		return report.Paragraph(oneLine(part)), nil
	case kind == "glance":
		return p.glance(), nil
	case kind == "table":
		return table(argument, strings.Split(rows, "\n")), nil
	case kind == "picture":
		return p.picture(argument)
	case kind == "sentences":
		return p.sentences(argument), nil
	}
	return nil, fmt.Errorf("page.txt: nothing is called %s", head)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// table reads lines of cells. The first has the titles, with # before those that stand over numbers; a row that
// begins with a star stands out.
func table(caption string, lines []string) report.Table {
	t := report.Table{Caption: caption}
	for _, title := range strings.Split(lines[0], " | ") {
		name, numeric := strings.CutPrefix(title, "#")
		t.Columns = append(t.Columns, report.Column{Title: name, Numeric: numeric})
	}
	for _, line := range lines[1:] {
		cells, strong := strings.CutPrefix(line, "* ")
		t.Rows = append(t.Rows, report.Row{Cells: strings.Split(cells, " | "), Strong: strong})
	}
	return t
}

// glance is what a reader in a hurry should know.
func (p page) glance() report.Facts {
	sizes := p.Paper.Table1.Nodes
	last := sizes[len(sizes)-1]
	list := report.Facts{
		{Label: "Table I, our r_asym below the printed BA-Topo", Note: "the others agree to the printed digits",
			Value: fmt.Sprintf("%s of %d sizes", p.fact("%v", "Table I/our best/r_asym/better"), len(sizes))},
		{Label: fmt.Sprintf("Time to error 10⁻⁴, %d nodes", last),
			Value: p.fact("%.0f ms", "Table I/n=%d/our best/time_ms", last),
			Note:  p.fact("printed %s ms", "Table I/n=%d/our best/printed time_ms", last)},
		{Label: "Table II, times that are whole epochs", Note: "for the slowest edge that we compute",
			Value: p.fact("%v", "Table II/whole epochs") + " of " + p.fact("%v", "Table II/times")},
	}
	for _, who := range verdict.Subjects {
		list = append(list, report.Fact{Label: "Sentences of the paper, " + who.Name, Value: p.sentences(who.ID).Summary()})
	}
	return list
}

// sentences lists what the paper says and how it fares with the numbers of one subject.
func (p page) sentences(subject string) (list report.Verdicts) {
	for _, f := range p.findings {
		if f.Subject.ID == subject {
			list = append(list, report.Verdict{Claim: f.Sentence.Text + " (" + f.Sentence.Where + ")",
				Result: f.Result, Found: f.Shown, Note: f.Note})
		}
	}
	return list
}

// foot says where the numbers come from.
func foot(e *verdict.Evidence) string {
	var runs []string
	for _, p := range slices.Concat(e.Table1.Runs, e.Figures.Runs, e.Table2.Runs, e.Ablations.Runs) {
		run := strings.Join([]string{p.Program, p.Go, p.Machine, "eigenvalues by " + p.LAPACK}, ", ")
		if !slices.Contains(runs, run) {
			runs = append(runs, run)
		}
	}
	return "Computed by " + strings.Join(runs, "; ") + ". Settings and seeds of every row: table1.json, figures.json, " +
		"table2.json, ablations.json. Repeat with: make reproduce."
}
