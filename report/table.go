package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// A Column of a table. Numbers are set flush right.
type Column struct {
	Title   string
	Numeric bool
}

// A Row of a table. Strong rows stand out: bold in HTML and Markdown, a star in text.
type Row struct {
	Cells  []string
	Strong bool
}

// A Table is cells that have already been spelled; see Number and Duration.
type Table struct {
	Caption string
	Columns []Column
	Rows    []Row
}

// Add appends a plain row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, Row{Cells: cells}) }

// AddStrong appends a row that stands out.
func (t *Table) AddStrong(cells ...string) {
	t.Rows = append(t.Rows, Row{Cells: cells, Strong: true})
}

func (t Table) validate() error {
	if len(t.Columns) == 0 {
		return fmt.Errorf("report: table %q has no columns", t.Caption)
	}
	for k, r := range t.Rows {
		if len(r.Cells) != len(t.Columns) {
			return fmt.Errorf("report: row %d of table %q has %d cells for %d columns",
				k, t.Caption, len(r.Cells), len(t.Columns))
		}
	}
	return nil
}

// WriteText writes the table for a terminal with a fixed-width font: columns aligned, two
// spaces apart, a rule under the titles.
func (t Table) WriteText(w io.Writer) error {
	if err := t.validate(); err != nil {
		return err
	}
	widths := t.widths(printable)
	var b strings.Builder
	if t.Caption != "" {
		b.WriteString(printable(t.Caption) + "\n")
	}
	starred := false
	for _, r := range t.Rows {
		starred = starred || r.Strong
	}
	line := func(mark string, cell func(k int) string) {
		var row strings.Builder
		if starred {
			row.WriteString(mark + " ")
		}
		for k := range t.Columns {
			if k > 0 {
				row.WriteString("  ")
			}
			row.WriteString(cell(k))
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	line(" ", func(k int) string { return t.pad(k, printable(t.Columns[k].Title), widths) })
	line(" ", func(k int) string { return strings.Repeat("-", widths[k]) })
	for _, r := range t.Rows {
		mark := " "
		if r.Strong {
			mark = "*"
		}
		line(mark, func(k int) string { return t.pad(k, printable(r.Cells[k]), widths) })
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown writes the table in the pipe syntax of GitHub, aligned in the source too.
func (t Table) WriteMarkdown(w io.Writer) error {
	if err := t.validate(); err != nil {
		return err
	}
	spell := func(r Row, k int) string {
		s := markdown(r.Cells[k])
		if r.Strong && s != "" {
			s = "**" + s + "**"
		}
		return s
	}
	shown := Table{Columns: t.Columns}
	for _, r := range t.Rows {
		cells := make([]string, len(r.Cells))
		for k := range cells {
			cells[k] = spell(r, k)
		}
		shown.Add(cells...)
	}
	widths := shown.widths(func(s string) string { return s })
	for k, c := range t.Columns {
		widths[k] = max(widths[k], displayWidth(markdown(c.Title)), 3)
	}
	var b strings.Builder
	if t.Caption != "" {
		b.WriteString(markdown(t.Caption) + "\n\n")
	}
	for k, c := range t.Columns {
		b.WriteString("| " + t.pad(k, markdown(c.Title), widths) + " ")
	}
	b.WriteString("|\n")
	for k, c := range t.Columns {
		rule := strings.Repeat("-", widths[k]+1)
		if c.Numeric {
			b.WriteString("|" + rule + ":")
		} else {
			b.WriteString("|" + rule + "-")
		}
	}
	b.WriteString("|\n")
	for _, r := range shown.Rows {
		for k, cell := range r.Cells {
			b.WriteString("| " + t.pad(k, cell, widths) + " ")
		}
		b.WriteString("|\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Table) widths(spell func(string) string) []int {
	widths := make([]int, len(t.Columns))
	for k, c := range t.Columns {
		widths[k] = displayWidth(spell(c.Title))
	}
	for _, r := range t.Rows {
		for k, cell := range r.Cells {
			widths[k] = max(widths[k], displayWidth(spell(cell)))
		}
	}
	return widths
}

func (t Table) pad(k int, s string, widths []int) string {
	space := strings.Repeat(" ", widths[k]-displayWidth(s))
	if t.Columns[k].Numeric {
		return space + s
	}
	return s + space
}

// displayWidth returns how many columns of a terminal s takes.
func displayWidth(s string) int {
	total := 0
	for _, r := range s {
		total += columns(r)
	}
	return total
}

// columns returns how many columns of a terminal r takes: two for wide East Asian characters, none for accents that
// combine with the letter before.
func columns(r rune) int {
	kind := width.LookupRune(r).Kind()
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// printable replaces what would break a line or command a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}

// markdown escapes what Markdown would read as its own.
func markdown(s string) string {
	var b strings.Builder
	text := []rune(printable(s))
	for k, r := range text {
		inWord := k > 0 && k+1 < len(text) && isWord(text[k-1]) && isWord(text[k+1])
		if strings.ContainsRune("\\|*<>[]`~#", r) || (r == '_' && !inWord) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
