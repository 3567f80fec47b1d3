package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// Help texts fit a terminal of a hundred columns, and no flag has two defaults.
func TestHelpFits(t *testing.T) {
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		var out bytes.Buffer
		c.SetOut(&out)
		c.InitDefaultHelpFlag()
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth {
				t.Errorf("%s --help has a line of %d characters; the most is %d: %s", c.CommandPath(), n, helpWidth, line)
			}
		}
		for _, flag := range strings.Split(out.String(), " --")[1:] {
			if strings.Count(flag, "(default") > 1 {
				t.Errorf("%s --help gives two defaults: --%s", c.CommandPath(), flag)
			}
		}
		for _, inner := range c.Commands() {
			if c.Name() != "completion" { // cobra's own
				each(inner)
			}
		}
	}
	each(newRoot(Env{}))
}

// On a terminal sentences end between words; tables and what has no spaces stay whole, and nothing is lost.
func TestFoldingWriter(t *testing.T) {
	words, cells, path := strings.Repeat("word ", 30), strings.Repeat("cell  ", 30), strings.Repeat("/path", 30)
	text := "Short.\n  " + words + "\n" + cells + "\n" + path + "\n"
	var out strings.Builder
	w := &foldingWriter{out: &out}
	for part := range strings.SplitSeq(text, "o") { // written in pieces
		if _, err := w.Write([]byte(part + "o")); err != nil {
			t.Fatal(err)
		}
	}
	want := "Short.\n" + strings.Repeat("  "+strings.TrimSpace(strings.Repeat("word ", 15))+"\n", 2) + cells + "\n" + path + "\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
