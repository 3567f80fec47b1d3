// Command check prints Table I with both warm starts of the printed method and the verdict on every sentence of the
// paper, and holds every number that our documents print against the results. It exits with 1 if one of these no longer
// holds. The other tables are in report.md.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/batopo/batopo/experiments/internal/verdict"
	"github.com/batopo/batopo/internal/show/report"
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
	e, err := verdict.Load(results)
	if err != nil {
		return 0, err
	}
	checked, err := e.Check(root)
	if err != nil {
		return 0, err
	}
	sentences := report.Table{Caption: "Sentences of the paper",
		Columns: []report.Column{{Title: "verdict"}, {Title: "subject"}, {Title: "sentence"}, {Title: "shown"}}}
	for _, f := range e.Findings {
		sentences.Add(f.Result.String(), f.Subject.Name, f.Sentence.ID, f.Shown)
	}
	claims := report.Table{Caption: "Claims of our documents; those that do not hold are marked",
		Columns: []report.Column{{Title: "document"}, {Title: "claim"}, {Title: "said"}, {Title: "found"}}}
	for _, c := range checked {
		if !c.OK {
			broken++
		}
		claims.Rows = append(claims.Rows, report.Row{Cells: []string{c.Document, c.ID, c.Said, c.Found}, Strong: !c.OK})
	}
	for _, t := range []report.Table{e.StartsTable(), sentences, claims} {
		if err := t.WriteText(out); err != nil {
			return 0, err
		}
		fmt.Fprintln(out)
	}
	return broken, nil
}
