// Package page shows the results of the experiments beside the paper: page.txt holds the text and names the tables
// and pictures, and the functions here make them. Commands report and check share the tables.
package page

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"batopo/experiments/internal/verdict"
	"batopo/report"
)

//go:embed page.txt
var text string

const intro = `Shen, Zhu, Huang, Yan, Zhuo and Xu, “Bandwidth-Aware Network Topology Optimization for Decentralized
Learning”: its tables and consensus figures, computed again. “Paper’s method” is Algorithm 2 as reproduced here (several
starts, every plan within the hardware’s limits); “ours” is this program’s own search. W is the matrix of weights by which
nodes average, J the one that averages at once, r_asym = ‖W − J‖₂ the factor by which disagreement shrinks in a round; a
bound is proved for every graph within the budget. Every plan behind a number lies in the folder plans and passes batopo
verify. Where the paper cannot be right as printed, docs/reproduction.md says why.`

// A maker makes what page.txt names in brackets, [name] or [name argument].
type maker func(e *verdict.Evidence, argument string) ([]report.Block, error)

var makers = map[string]maker{
	"facts":                  facts,
	"rates":                  one(rates),
	"times":                  one(times),
	"verdicts on Table I":    one(TableOne),
	"chart of rates":         ratesChart,
	"chart of times":         timesChart,
	"implied degrees":        one(implied),
	"draws of U-EquiStatic":  one(draws),
	"figure":                 figure,
	"epochs":                 one(Epochs),
	"speed-ups":              one(Speedups),
	"runs":                   runs,
	"chart of solving times": scalingChart,
	"sentences":              sentences,
}

// one makes a single table.
func one(made func(*verdict.Evidence) report.Table) maker {
	return func(e *verdict.Evidence, _ string) ([]report.Block, error) { return []report.Block{made(e)}, nil }
}

// Compose builds the page from whatever results there are.
func Compose(e *verdict.Evidence) (report.Page, error) {
	page := report.Page{Title: "The BA-Topo paper, reproduced", Intro: oneLine(intro), Foot: foot(e)}
	var filled strings.Builder
	whole, cells := e.WholeEpochs()
	parsed, err := template.New("page.txt").Parse(text)
	if err == nil {
		err = parsed.Execute(&filled, struct {
			*verdict.Evidence
			Whole, Cells           int
			PrintedSolver, Highest string
		}{e, whole, cells, printedSolver(e), highest(e)})
	}
	if err != nil {
		return page, err
	}
	for _, part := range strings.Split(filled.String(), "\n\n") {
		if heading, ok := strings.CutPrefix(part, "## "); ok {
			page.Sections = append(page.Sections, report.Section{Heading: heading})
			continue
		}
		made, err := blocks(e, oneLine(part))
		if err != nil {
			return page, err
		}
		section := &page.Sections[len(page.Sections)-1]
		section.Blocks = append(section.Blocks, made...)
	}
	return page, nil
}

// blocks turns one part of the text into what it stands for.
func blocks(e *verdict.Evidence, part string) ([]report.Block, error) {
	if !strings.HasPrefix(part, "[") {
		return []report.Block{report.Paragraph(part)}, nil
	}
	name := strings.Trim(part, "[]")
	argument := ""
	if _, whole := makers[name]; !whole {
		name, argument, _ = strings.Cut(name, " ")
	}
	made, known := makers[name]
	if !known {
		return nil, fmt.Errorf("page.txt: nothing makes %s", part)
	}
	return made(e, argument)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Table starts a table; titles that begin with # stand over numbers.
func Table(caption string, titles ...string) report.Table {
	t := report.Table{Caption: caption}
	for _, title := range titles {
		name, numeric := strings.CutPrefix(title, "#")
		t.Columns = append(t.Columns, report.Column{Title: name, Numeric: numeric})
	}
	return t
}

// spell writes numbers where there are some.
func spell(ok bool, format string, values ...any) string {
	if !ok {
		return "—"
	}
	return fmt.Sprintf(format, values...)
}

// picture draws a chart into images/name.svg.
func picture(name, caption string, chart report.LineChart) ([]report.Block, error) {
	drawn, err := chart.Draw()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return []report.Block{report.Picture{Figure: drawn, Caption: caption, File: "images/" + name + ".svg"}}, nil
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
