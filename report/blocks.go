package report

import (
	"fmt"
	"html/template"
	"strings"
)

// A Block is a Paragraph, Code, Facts, Table, Picture or Verdicts. Its kind says how the templates of the page show it.
type Block interface{ kind() string }

func (Paragraph) kind() string { return "paragraph" }
func (Code) kind() string      { return "code" }
func (Facts) kind() string     { return "facts" }
func (Table) kind() string     { return "table" }
func (Picture) kind() string   { return "picture" }
func (Verdicts) kind() string  { return "verdicts" }

// A Paragraph is running text.
type Paragraph string

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

// A Result says whether a claim survived its check. The zero value is Open.
type Result uint8

// What a check can find.
const (
	Open  Result = iota // could not be decided
	Holds               // as claimed
	Fails               // not as claimed
)

func (r Result) String() string { return [...]string{"open", "holds", "fails"}[r] }

// A Verdict is one claim, checked.
type Verdict struct {
	Claim  string
	Result Result
	Found  string // the values that decide; may be empty
	Note   string // how they were read, or why nothing was decided
}

// Verdicts are shown as a list with a count.
type Verdicts []Verdict

// SVG returns the figure for the page. It is safe as it stands: every text in it was
// escaped when it was written.
func (p Picture) SVG() template.HTML { return template.HTML(p.Figure.svg()) }

// Width is the width at which the page shows the figure where there is room.
func (p Picture) Width() int { return int(p.Figure.width + 0.5) }

// MinWidth is the width below which texts would be too small; on a narrower screen the figure scrolls.
func (p Picture) MinWidth() int { return int(min(p.Figure.width, max(300, 0.7*p.Figure.width))) }

// Summary counts the results.
func (v Verdicts) Summary() string {
	var count [3]int
	for _, one := range v {
		count[one.Result]++
	}
	s := fmt.Sprintf("%d of %d hold", count[Holds], len(v))
	if count[Fails] > 0 {
		s += fmt.Sprintf(", %d fail", count[Fails])
	}
	if count[Open] > 0 {
		s += fmt.Sprintf(", %d open", count[Open])
	}
	return s
}

// Link is the file as a link of Markdown: angle brackets around it allow spaces, but neither brackets nor line breaks.
func (p Picture) Link() string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "%0A").Replace(p.File)
}

// Table lists the verdicts without their colours.
func (v Verdicts) Table() Table {
	t := Table{Caption: v.Summary(), Columns: []Column{
		{Title: "result"}, {Title: "claim"}, {Title: "found"}, {Title: "note"},
	}}
	for _, one := range v {
		cells := []string{one.Result.String(), one.Claim, one.Found, one.Note}
		t.Rows = append(t.Rows, Row{Cells: cells, Strong: one.Result == Fails})
	}
	return t
}
