package report

import (
	"bytes"
	_ "embed" // the page template
	"fmt"
	"html/template"
	"io"
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
var pageSource string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"kind": kind}).Parse(pageSource))

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
func (p Page) WriteHTML(w io.Writer) error {
	if err := p.validate(); err != nil {
		return err
	}
	// Into memory first: an error half-way must not leave half a page.
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, p); err != nil {
		return fmt.Errorf("report: page %q: %w", p.Title, err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// WriteMarkdown writes the page as GitHub Markdown. Every picture must say in which File
// the caller has put it.
func (p Page) WriteMarkdown(w io.Writer) error {
	if err := p.validate(); err != nil {
		return err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s\n", markdown(p.Title))
	if p.Intro != "" {
		fmt.Fprintf(&out, "\n%s\n", markdown(p.Intro))
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&out, "\n## %s\n", markdown(s.Heading))
		for _, b := range s.Blocks {
			out.WriteString("\n" + b.asMarkdown())
		}
	}
	if p.Foot != "" {
		fmt.Fprintf(&out, "\n---\n\n%s\n", markdown(p.Foot))
	}
	_, err := w.Write(out.Bytes())
	return err
}
