package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/experiments/internal/verdict"
	"github.com/batopo/batopo/internal/show/report"
)

// The text is a template of headings and blocks, set apart by empty lines. Its numbers are facts of package verdict.
//
//go:embed page.txt
var text string

// A page is made from the evidence and from what follows from it.
type page struct {
	*verdict.Evidence
	figures []ledger.Row[measure.Measurement]
}

// load reads whatever results there are.
func load(results string) (p page, err error) {
	if p.Evidence, err = verdict.Load(results); err != nil {
		return p, err
	}
	figures, err := ledger.Read[measure.Measurement](results, "figures")
	if err == nil {
		p.figures = figures.Rows
	}
	return p, err
}

// compose fills in the text and turns every part of it into what it stands for.
func (p page) compose() (report.Page, error) {
	out := report.Page{Title: "The BA-Topo paper, reproduced", Foot: p.foot()}
	parsed, err := template.New("page.txt").Funcs(p.functions()).Parse(text)
	if err != nil {
		return out, err
	}
	var filled strings.Builder
	if err := parsed.Execute(&filled, p.Evidence); err != nil {
		return out, err
	}
	parts := strings.Split(strings.TrimSpace(filled.String()), "\n\n")
	out.Intro = oneLine(parts[0])
	for _, part := range parts[1:] {
		if heading, ok := strings.CutPrefix(part, "## "); ok {
			out.Sections = append(out.Sections, report.Section{Heading: heading})
			continue
		}
		section := &out.Sections[len(out.Sections)-1]
		blocks, err := p.blocks(part, section.Heading)
		if err != nil {
			return out, err
		}
		section.Blocks = append(section.Blocks, blocks...)
	}
	return out, nil
}

// blocks turns one part of the text into what it stands for: a paragraph, or [kind argument] and lines.
func (p page) blocks(part, heading string) ([]report.Block, error) {
	head, rest, _ := strings.Cut(part, "\n")
	kind, argument, _ := strings.Cut(strings.Trim(head, "[]"), " ")
	lines := strings.Split(rest, "\n")
	switch {
	case !strings.HasPrefix(part, "["):
		return []report.Block{report.Paragraph(oneLine(part))}, nil
	case kind == "facts":
		return []report.Block{glance(lines)}, nil
	case kind == "table":
		return []report.Block{table(argument, lines)}, nil
	case kind == "starts":
		return []report.Block{p.StartsTable()}, nil
	case kind == "sentences":
		return []report.Block{p.sentences(argument)}, nil
	case kind == "chart":
		return p.overNodes(argument, lines)
	case kind == "figure":
		return p.views(argument, heading, rest)
	}
	return nil, fmt.Errorf("page.txt: nothing is called %s", head)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// glance is what a reader in a hurry should know: lines of label, value and note.
func glance(lines []string) (list report.Facts) {
	for _, line := range lines {
		cells := strings.Split(line+" ", " | ")
		list = append(list, report.Fact{Label: cells[0], Value: cells[1], Note: strings.TrimSpace(cells[2])})
	}
	return list
}

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

// sentences lists what the paper says and how it fares with the numbers of one subject.
func (p page) sentences(subject string) report.Table {
	t := report.Table{Columns: []report.Column{{Title: "result"}, {Title: "claim"}, {Title: "found"}, {Title: "note"}}}
	var count [3]int
	for _, f := range p.Findings {
		if f.Subject.ID == subject {
			count[f.Result]++
			t.Rows = append(t.Rows, report.Row{Strong: f.Result == verdict.Fails, Cells: []string{f.Result.String(),
				f.Sentence.Text + " (" + f.Sentence.Where + ")", f.Shown, f.Note}})
		}
	}
	t.Caption = fmt.Sprintf("%d of %d hold", count[verdict.Holds], len(t.Rows))
	for _, r := range []verdict.Result{verdict.Fails, verdict.Open} {
		if n := count[r]; n > 0 {
			t.Caption += fmt.Sprintf(", %d %s", n, strings.TrimSuffix(r.String(), "s"))
		}
	}
	return t
}

// foot says where the numbers come from.
func (p page) foot() string {
	var runs []string
	for _, r := range p.Runs {
		parts := []string{r.Program, r.Machine} // of training
		if r.LAPACK != "" {
			parts = []string{r.Program, r.Go, r.Machine, "eigenvalues by " + r.LAPACK}
		}
		run := strings.Join(parts, ", ")
		if !slices.Contains(runs, run) {
			runs = append(runs, run)
		}
	}
	return "Computed by " + strings.Join(runs, "; ") + ". Settings and seeds of every row: table1.json, figures.json, " +
		"table2.json, ablations.json, solver.json; training.json: python3 -m training facts. Repeat with: make reproduce."
}
