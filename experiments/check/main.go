// Command check holds the results of the experiments against the paper: it prints theirs, ours,
// the difference and a verdict, number by number and sentence by sentence, and then checks every
// claim that this project's documents make. It exits with 1 if one of these no longer holds.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"batopo/experiments/internal/verdict"
	"batopo/report"
)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	results := flag.String("results", "experiments/results", "folder of the result files")
	flag.Parse()
	broken, err := check(os.Stdout, *root, *results)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if broken > 0 {
		fmt.Fprintf(os.Stderr, "%d claims of our documents do not hold\n", broken)
		os.Exit(1)
	}
}

// check prints the comparison and returns how many of our claims are false.
func check(out io.Writer, root, results string) (broken int, err error) {
	e, err := verdict.Load(root, results)
	if err != nil {
		return 0, err
	}
	claims, err := verdict.ReadClaims(root)
	if err != nil {
		return 0, err
	}
	checked, err := e.Check(claims)
	if err != nil {
		return 0, err
	}
	findings, err := e.Sentences()
	if err != nil {
		return 0, err
	}
	for _, t := range []report.Table{numbers(e), cells(e), quotients(e), sentences(findings), ours(checked)} {
		if err := t.WriteText(out); err != nil {
			return 0, err
		}
		fmt.Fprintln(out)
	}
	for _, c := range checked {
		if !c.OK {
			broken++
		}
	}
	return broken, nil
}

func sentences(findings []verdict.Finding) report.Table {
	t := report.Table{Caption: "Sentences of the paper", Columns: []report.Column{{Title: "verdict"}, {Title: "subject"}, {Title: "sentence"}, {Title: "shown"}}}
	for _, f := range findings {
		shown := f.Shown
		if shown == "" {
			shown = f.Note
		}
		t.Add(f.Result.String(), string(f.Subject), f.Sentence.ID, shown)
	}
	return t
}

func ours(checked []verdict.Checked) report.Table {
	t := report.Table{Caption: "Claims of our documents", Columns: []report.Column{{Title: "holds"}, {Title: "claim"}, {Title: "found"}, {Title: "text"}}}
	for _, c := range checked {
		t.Add(map[bool]string{true: "yes", false: "NO"}[c.OK], c.ID, c.Found, c.Text)
	}
	return t
}
