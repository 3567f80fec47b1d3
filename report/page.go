package report

import (
	"bytes"
	_ "embed" // the templates of the page
	"fmt"
	"html/template"
	"io"
	"strings"
	text "text/template"
)

// A Page is a report: an introduction and sections. As HTML it is one file that needs
// nothing else, fits a phone, and follows the reader's light or dark setting; as Markdown
// its pictures are links.
type Page struct {
	Title    string
	Intro    string
	Sections []Section
	Foot     string // provenance: program, seed, settings
}

// A Section is a heading and what stands under it.
type Section struct {
	Heading string
	Blocks  []Block
}

//go:embed page.html
var htmlSource string

//go:embed page.md
var markdownSource string

var (
	asHTML = template.Must(template.New("page").Funcs(template.FuncMap{"kind": Block.kind}).Parse(htmlSource))

	asMarkdown = text.Must(text.New("page").Funcs(text.FuncMap{"kind": Block.kind, "table": Table.asMarkdown,
		"lines": func(c Code) []string { return strings.Split(string(c), "\n") },
		"md":    func(value any) string { return markdown(fmt.Sprint(value)) }}).Parse(markdownSource))
)

// validate finds a table that cannot be laid out before anything is written.
func (p Page) validate() error {
	for _, s := range p.Sections {
		for _, b := range s.Blocks {
			if t, ok := b.(Table); ok {
				if err := t.validate(); err != nil {
					return fmt.Errorf("%w (in section %q)", err, s.Heading)
				}
			}
		}
	}
	return nil
}

// WriteHTML writes the page as one self-contained file.
func (p Page) WriteHTML(w io.Writer) error { return p.write(w, asHTML) }

// WriteMarkdown writes the page as GitHub Markdown. Every picture must say in which File
// the caller has put it.
func (p Page) WriteMarkdown(w io.Writer) error { return p.write(w, asMarkdown) }

func (p Page) write(w io.Writer, t interface{ Execute(io.Writer, any) error }) error {
	if err := p.validate(); err != nil {
		return err
	}
	// Into memory first: an error half-way must not leave half a page.
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return fmt.Errorf("report: page %q: %w", p.Title, err)
	}
	_, err := w.Write(out.Bytes())
	return err
}
