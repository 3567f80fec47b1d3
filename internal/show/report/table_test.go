package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/show/report"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sampleTable() report.Table {
	t := report.Table{
		Caption: "16 nodes",
		Columns: []report.Column{{Title: "topology"}, {Title: "r_asym", Numeric: true}, {Title: "note"}},
	}
	t.Add("ring", "0.949", "")
	t.AddStrong("带宽 plan", "0.458", "λ₂ = 0.458")
	t.Add("cafe\u0301 | a", "12.3", "*x* <b>")
	return t
}

func TestTableText(t *testing.T) {
	var b bytes.Buffer
	if err := sampleTable().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := "16 nodes\n" +
		"  topology   r_asym  note\n" +
		"  ---------  ------  ----------\n" +
		"  ring        0.949\n" +
		"* 带宽 plan   0.458  λ₂ = 0.458\n" +
		"  cafe\u0301 | a     12.3  *x* <b>\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("text table (-want +got):\n%s", diff)
	}
}

// A row that is wider than the screen has its note in a line below, and no line below without a note.
func TestWideRowsHaveNoEmptyLines(t *testing.T) {
	wide := strings.Repeat("w", 130)
	table := report.Table{Columns: []report.Column{{Title: "#"}, {Title: "what"}, {Title: "note"}}}
	table.Add("1", wide, "a tie")
	table.Add("2", wide, "")
	var b bytes.Buffer
	if err := table.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if want := "1  " + wide + "\n   a tie\n2  " + wide + "\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("got\n%s\nwant at the end\n%s", b.String(), want)
	}
}

func TestTableErrors(t *testing.T) {
	noColumns := report.Table{Caption: "empty"}
	short := report.Table{Caption: "short", Columns: []report.Column{{Title: "a"}, {Title: "b"}}}
	short.Add("1", "2")
	short.Add("1")
	for want, table := range map[string]report.Table{"has no columns": noColumns,
		`row 1 of table "short" has 1 cells for 2 columns`: short} {
		for name, write := range map[string]func(*bytes.Buffer) error{
			"text": func(b *bytes.Buffer) error { return table.WriteText(b) },
			"HTML": func(b *bytes.Buffer) error {
				return report.Page{Title: "x", Sections: []report.Section{{Blocks: []report.Block{table}}}}.WriteHTML(b)
			},
		} {
			var b bytes.Buffer
			if err := write(&b); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
				t.Errorf("%s of table %q: %v after %d bytes; want an error with %q and no output", name, table.Caption, err,
					b.Len(), want)
			}
		}
	}
}

// Whatever the cells hold, every line of the table ends its columns at the same place and no
// control character reaches the terminal.
func TestTableLinesAreAligned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := report.Table{Columns: []report.Column{{Title: "name"}, {Title: "value", Numeric: true}}}
		rows := rapid.IntRange(0, 5).Draw(t, "rows")
		for range rows {
			table.Add(rapid.String().Draw(t, "name"), rapid.String().Draw(t, "value")+"x")
		}
		var b bytes.Buffer
		if err := table.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != 2+rows {
			t.Fatalf("%d lines for %d rows:\n%s", len(lines), rows, b.String())
		}
		for _, line := range lines {
			if strings.ContainsAny(line, "\x00\x07\x1b\t\r\u0085\u009b") {
				t.Fatalf("control character in %q", line)
			}
			if report.DisplayWidth(line) != report.DisplayWidth(lines[0]) {
				t.Fatalf("lines of different width:\n%s", b.String())
			}
		}
	})
}

func TestDisplayWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "带宽": 4,
		"ｗ": 2, "λ₂": 2, "a\u200bb": 2, "→": 1} {
		if got := report.DisplayWidth(text); got != want {
			t.Errorf("DisplayWidth(%q) = %d, want %d", text, got, want)
		}
	}
}

// A note that is wider than a screen does not widen the rule under its title; narrow ones are ruled whole.
func TestRuleEndsWithTheScreen(t *testing.T) {
	for _, tc := range []struct{ name, note, want string }{
		{"narrow", "a note", "----  ------"},
		{"wide", strings.Repeat("long ", 40), "----  " + strings.Repeat("-", 112)},
		{"no room", strings.Repeat("long ", 40), strings.Repeat("-", 130) + "  ----"},
	} {
		first := "ring"
		if tc.name == "no room" {
			first = strings.Repeat("x", 130)
		}
		table := report.Table{Columns: []report.Column{{Title: "what"}, {Title: "note"}}}
		table.Add(first, tc.note)
		var b strings.Builder
		if err := table.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(b.String(), "\n")[1]; got != tc.want {
			t.Errorf("%s: rule of %d characters, want %d:\n%s", tc.name, len(got), len(tc.want), got)
		}
	}
}

// Words that would go beyond the screen stand below their row, beside the names.
func TestLongNotesStandBelowTheirRows(t *testing.T) {
	table := report.Table{Columns: []report.Column{{Title: "topology"}, {Title: "ms", Numeric: true}, {Title: "note"}}}
	table.Add("ring", "5.01", "exact")
	table.AddStrong("star", "40.08", strings.TrimSpace(strings.Repeat("every node waits for one ", 9)))
	var out strings.Builder
	if err := table.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	want := `  topology     ms  note
  --------  -----  -----------------------------------------------------------------------------------------------------
  ring       5.01  exact
* star      40.08
            every node waits for one every node waits for one every node waits for one every node waits for one every
            node waits for one every node waits for one every node waits for one every node waits for one every node
            waits for one
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
