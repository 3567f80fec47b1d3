// Command report writes what the experiments found as one self-contained HTML page and as
// Markdown with pictures beside it: the paper's tables and figures next to ours, every sentence
// that can be checked with its verdict, and where the numbers come from.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"batopo/experiments/internal/ledger"
	"batopo/experiments/internal/verdict"
	"batopo/report"
)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	results := flag.String("results", "experiments/results", "folder of the result files; the report goes there too")
	flag.Parse()
	if err := write(*root, *results); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "wrote", filepath.Join(*results, "report.html"), "and report.md")
}

// write composes the page and puts its pictures beside the Markdown.
func write(root, results string) error {
	e, err := verdict.Load(root, results)
	if err != nil {
		return err
	}
	page, err := compose(e)
	if err != nil {
		return err
	}
	for _, s := range page.Sections {
		for _, b := range s.Blocks {
			picture, ok := b.(report.Picture)
			if !ok {
				continue
			}
			var svg bytes.Buffer
			if err := picture.Figure.Write(&svg, report.SVG); err != nil {
				return err
			}
			if err := ledger.WriteFile(filepath.Join(results, picture.File), svg.Bytes()); err != nil {
				return err
			}
		}
	}
	var html, markdown bytes.Buffer
	if err := page.WriteHTML(&html); err != nil {
		return err
	}
	if err := page.WriteMarkdown(&markdown); err != nil {
		return err
	}
	if err := ledger.WriteFile(filepath.Join(results, "report.html"), html.Bytes()); err != nil {
		return err
	}
	return ledger.WriteFile(filepath.Join(results, "report.md"), markdown.Bytes())
}

// compose builds the page from whatever results there are.
func compose(e *verdict.Evidence) (report.Page, error) {
	findings, err := e.Sentences()
	if err != nil {
		return report.Page{}, err
	}
	page := report.Page{
		Title: "The BA-Topo paper, reproduced",
		Intro: "Shen, Zhu, Huang, Yan, Zhuo and Xu, “Bandwidth-Aware Network Topology Optimization for Decentralized Learning”: its tables and consensus figures, " +
			"computed again. “Paper’s method” is Algorithm 2 as reproduced here (several starts, every plan within the hardware’s limits); “ours” is this program’s own search. " +
			"W is the matrix of weights by which nodes average, J the one that averages at once, r_asym = ‖W − J‖₂ the factor by which disagreement shrinks in a round; a bound is proved for every graph within the budget. " +
			"Every plan behind a number lies in the folder plans and passes batopo verify. Where the paper cannot be right as printed, docs/reproduction.md says why.",
		Foot: foot(e),
	}
	page.Sections = []report.Section{glance(e, findings)}
	for _, section := range []func(*verdict.Evidence) ([]report.Section, error){table1, figures, table2, ablations} {
		more, err := section(e)
		if err != nil {
			return page, err
		}
		page.Sections = append(page.Sections, more...)
	}
	page.Sections = append(page.Sections, sentences(findings)...)
	return page, nil
}

// picture draws a chart into images/name.svg.
func picture(name, caption string, chart interface {
	Draw() (*report.Figure, error)
}) (report.Picture, error) {
	figure, err := chart.Draw()
	if err != nil {
		return report.Picture{}, fmt.Errorf("%s: %w", name, err)
	}
	return report.Picture{Figure: figure, Caption: caption, File: "images/" + name + ".svg"}, nil
}
