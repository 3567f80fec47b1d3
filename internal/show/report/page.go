package report

import (
	"bytes"
	_ "embed" // the template of the page
	"fmt"
	"html/template"
	"io"
)

// A Page is a report: an introduction and sections, in one HTML file that needs nothing else, fits a phone, and
// follows the reader's light or dark setting.
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
var source string

var asHTML = template.Must(template.New("page").Funcs(template.FuncMap{"kind": Block.kind, "spread": Table.spread}).
	Parse(source))

// WriteHTML writes the page as one self-contained file.
func (p Page) WriteHTML(w io.Writer) error {
	// Into memory first: an error half-way must not leave half a page.
	var out bytes.Buffer
	if err := asHTML.Execute(&out, p); err != nil {
		return fmt.Errorf("report: page %q: %w", p.Title, err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// A Block is a Paragraph, List, Code, Facts, Table or Picture. Its kind says how the template of the page
// shows it; a table that cannot be laid out has none.
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

// A Picture is a figure with a caption, which the page holds inline. File is where the caller puts it besides.
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
