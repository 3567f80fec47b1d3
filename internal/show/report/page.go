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
	asHTML = template.Must(template.New("page").Funcs(template.FuncMap{"kind": Block.kind, "spread": Table.spread}).
		Parse(htmlSource))

	asMarkdown = text.Must(text.New("page").Funcs(text.FuncMap{"kind": Block.kind, "table": Table.asMarkdown,
		"lines": func(c Code) []string { return strings.Split(string(c), "\n") },
		"md":    func(value any) string { return markdown(fmt.Sprint(value)) }}).Parse(markdownSource))
)

// WriteHTML writes the page as one self-contained file.
func (p Page) WriteHTML(w io.Writer) error { return p.write(w, asHTML) }

// WriteMarkdown writes the page as GitHub Markdown. Every picture must say in which File
// the caller has put it.
func (p Page) WriteMarkdown(w io.Writer) error { return p.write(w, asMarkdown) }

func (p Page) write(w io.Writer, t interface{ Execute(io.Writer, any) error }) error {
	// Into memory first: an error half-way must not leave half a page.
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return fmt.Errorf("report: page %q: %w", p.Title, err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// A Block is a Paragraph, List, Code, Facts, Table or Picture. Its kind says how the templates of the page
// show it; a table that cannot be laid out has none.
type Block interface{ kind() (string, error) }

func (Paragraph) kind() (string, error) { return "paragraph", nil }
func (List) kind() (string, error)      { return "list", nil }
func (Code) kind() (string, error)      { return "code", nil }
func (Facts) kind() (string, error)     { return "facts", nil }
func (t Table) kind() (string, error)   { return "table", t.validate() }
func (Picture) kind() (string, error)   { return "picture", nil }

// A Paragraph is running text.
type Paragraph string

// A List is short texts, one below the other.
type List []string

// Code is lines of a program, or of a terminal.
type Code string

// A Fact is a number worth seeing first.
type Fact struct{ Label, Value, Note string }

// Facts are shown side by side.
type Facts []Fact

// A Picture is a figure with a caption. HTML holds it inline; for Markdown, File is where
// the caller puts it.
type Picture struct {
	Figure  *Figure
	Caption string
	File    string
}

// SVG returns the figure for the page. It is safe as it stands: every text in it was
// escaped when it was written.
func (p Picture) SVG() template.HTML { return template.HTML(p.Figure.svg()) }

// Width is the width at which the page shows the figure where there is room.
func (p Picture) Width() int { return int(p.Figure.width + 0.5) }

// Link is the file as a link of Markdown: angle brackets around it allow spaces, but neither brackets nor line breaks.
func (p Picture) Link() string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "%0A").Replace(p.File)
}
