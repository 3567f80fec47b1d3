// Command report writes what the experiments found as one self-contained HTML page and as Markdown with pictures
// beside it: the paper's tables and figures next to ours, every sentence that can be checked with its verdict, and
// where the numbers come from.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/internal/show/report"
)

func main() {
	results := flag.String("results", "experiments/results", "folder of the result files; the report goes there too")
	flag.Parse()
	if err := write(*results); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "wrote", filepath.Join(*results, "report.html"), "and report.md")
}

// write composes the page and puts its pictures beside the Markdown.
func write(results string) error {
	p, err := load(results)
	if err != nil {
		return err
	}
	composed, err := p.compose()
	if err != nil {
		return err
	}
	markdown := func(w io.Writer) error { return writeMarkdown(w, composed) }
	files := map[string]func(io.Writer) error{"report.html": composed.WriteHTML, "report.md": markdown}
	for _, s := range composed.Sections {
		for _, b := range s.Blocks {
			if picture, ok := b.(report.Picture); ok {
				files[picture.File] = picture.Figure.Write
			}
		}
	}
	for name, put := range files {
		if err := ledger.Write(filepath.Join(results, name), put); err != nil {
			return err
		}
	}
	return nil
}
