package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// A Column of a table. Numbers are set flush right.
type Column struct {
	Title   string
	Numeric bool
}

// A Row of a table. Strong rows stand out: bold in HTML, a star in text.
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

// NewTable is a table without rows. Titles that begin with > are those of numbers.
func NewTable(titles ...string) (t Table) {
	for _, title := range titles {
		name, numeric := strings.CutPrefix(title, ">")
		t.Columns = append(t.Columns, Column{name, numeric})
	}
	return t
}

// Add appends a plain row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, Row{Cells: cells}) }

// AddStrong appends a row that stands out.
func (t *Table) AddStrong(cells ...string) {
	t.Rows = append(t.Rows, Row{Cells: cells, Strong: true})
}

// A cell of a table in HTML, which may take the room of several columns.
type cell struct {
	Text    string
	Column  string // shown beside the text where the screen is too narrow for columns
	Numeric bool
	Span    int
}

// spread returns the cells of a row for HTML. Words of the last column take the room of the empty cells before them:
// a column beside many numbers is narrow, and a sentence in it would be a tower of words.
func (t Table) spread(r Row) []cell {
	cells := make([]cell, len(r.Cells))
	for k, text := range r.Cells {
		cells[k] = cell{Text: text, Column: t.Columns[k].Title, Numeric: t.Columns[k].Numeric, Span: 1}
	}
	last := len(cells) - 1
	if cells[last].Numeric || cells[last].Text == "" {
		return cells
	}
	for ; last > 1 && cells[last-1].Text == ""; last-- {
		cells[last].Span++
		cells = slices.Delete(cells, last-1, last)
	}
	return cells
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

// screen is how wide lines of text may be; longer ones are broken by terminals.
const screen = 120

// WriteText writes the table for a terminal with a fixed-width font: columns aligned, two spaces apart, a rule under
// the titles. Where words of the last column would go beyond the screen, they stand below their row.
func (t Table) WriteText(w io.Writer) error {
	if err := t.validate(); err != nil {
		return err
	}
	var b strings.Builder
	if t.Caption != "" {
		b.WriteString(printable(t.Caption) + "\n")
	}
	starred := slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Strong })
	line := func(mark string, cells []string, width int) {
		if starred {
			cells[0] = mark + " " + cells[0]
		}
		b.WriteString(t.line(cells, width))
	}
	widths, lines := t.aligned()
	rules := make([]string, len(widths))
	used := 2 // the star
	for k, width := range widths {
		if last := k == len(widths)-1; last && !t.Columns[k].Numeric {
			width = min(width, max(displayWidth(t.Columns[k].Title), screen-used))
		}
		rules[k] = strings.Repeat("-", width)
		used += width + 2
	}
	line(" ", lines[0], math.MaxInt)
	line(" ", rules, math.MaxInt)
	for k, r := range t.Rows {
		mark := " "
		if r.Strong {
			mark = "*"
		}
		line(mark, lines[k+1], screen)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCompact writes the table without a rule, a star at strong rows. Where rows are wider than allowed, the widest
// column of words is cut.
func (t Table) WriteCompact(w io.Writer, width int) error {
	if err := t.validate(); err != nil {
		return err
	}
	widths, lines := t.aligned()
	used, widest := 0, -1
	for k, w := range widths {
		used += w + 2
		if !t.Columns[k].Numeric && (widest < 0 || w > widths[widest]) {
			widest = k
		}
	}
	if over := used - width; over > 0 && widest >= 0 {
		room := max(1, widths[widest]-over)
		for _, cells := range lines {
			cells[widest] = cut(cells[widest], room)
		}
	}
	var b strings.Builder
	for k, cells := range lines {
		mark := "  "
		if k > 0 && t.Rows[k-1].Strong {
			mark = "* "
		}
		b.WriteString(strings.TrimRight(mark+strings.Join(cells, "  "), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cut shortens text, or the spaces after it, to that many columns; where letters are lost, it ends in an ellipsis.
func cut(text string, width int) string {
	words := strings.TrimRight(text, " ")
	if used := displayWidth(words); used <= width {
		return words + strings.Repeat(" ", width-used)
	}
	var b strings.Builder
	used := 0
	for _, r := range words {
		if used += columns(r); used >= width {
			break
		}
		b.WriteRune(r)
	}
	out := b.String() + "…"
	return out + strings.Repeat(" ", width-displayWidth(out))
}

// line joins cells. Where that is wider than allowed, words of the last cell stand in lines of their own.
func (t Table) line(cells []string, width int) string {
	line := strings.TrimRight(strings.Join(cells, "  "), " ")
	last := len(cells) - 1
	if displayWidth(line) <= width || last == 0 || t.Columns[last].Numeric {
		return line + "\n"
	}
	row := strings.TrimRight(strings.Join(cells[:last], "  "), " ")
	if strings.TrimSpace(cells[last]) == "" {
		return row + "\n"
	}
	indent := strings.Repeat(" ", min(displayWidth(cells[0])+2, width/2))
	return row + "\n" + Filled(cells[last], indent, width)
}

// aligned returns the titles and then the rows, each cell filled up with spaces to the width of its column.
func (t Table) aligned() (widths []int, lines [][]string) {
	lines = make([][]string, 1+len(t.Rows))
	widths = make([]int, len(t.Columns))
	for k, c := range t.Columns {
		lines[0] = append(lines[0], printable(c.Title))
		for i, r := range t.Rows {
			lines[i+1] = append(lines[i+1], printable(r.Cells[k]))
		}
		for _, cells := range lines {
			widths[k] = max(widths[k], displayWidth(cells[k]))
		}
		for _, cells := range lines {
			space := strings.Repeat(" ", widths[k]-displayWidth(cells[k]))
			if c.Numeric {
				cells[k] = space + cells[k]
			} else {
				cells[k] += space
			}
		}
	}
	return widths, lines
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
