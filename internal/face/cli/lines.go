package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/batopo/batopo/internal/show/report"

	"github.com/spf13/cobra"
)

const (
	helpWidth     = 100 // of help texts, which are also a page
	terminalWidth = 80  // of sentences on a terminal, which has at least 80 columns
)

// folded breaks lines of words that are longer than width, and indents what follows as the line itself. Lines of tables
// stay whole: they have cells apart by two spaces.
func folded(text string, width int) string {
	lines := strings.SplitAfter(text, "\n")
	for k, line := range lines {
		words := strings.TrimLeft(line, " ")
		if utf8.RuneCountInString(line) > width && !strings.Contains(words, "  ") {
			lines[k] = report.Filled(words, line[:len(line)-len(words)], width)
		}
	}
	return strings.Join(lines, "")
}

// fitHelp fills the paragraphs of help texts, and gives long entries of lists and flags second lines.
func fitHelp(root *cobra.Command) {
	wrapped := fmt.Sprintf(".FlagUsagesWrapped %d ", helpWidth)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", wrapped))
	fillHelp(root)
}

func fillHelp(c *cobra.Command) {
	var out, paragraph strings.Builder
	end := func() {
		if paragraph.Len() > 0 {
			out.WriteString(report.Filled(paragraph.String(), "", helpWidth))
			paragraph.Reset()
		}
	}
	for line := range strings.Lines(c.Long) {
		switch {
		case strings.TrimSpace(line) == "":
			end()
			out.WriteString("\n")
		case strings.HasPrefix(line, "  "):
			end()
			out.WriteString(entry(line))
		default:
			paragraph.WriteString(line)
		}
	}
	end()
	c.Long = strings.TrimSuffix(out.String(), "\n")
	for _, inner := range c.Commands() {
		fillHelp(inner)
	}
}

// entry is a line of a list: a name, two spaces or more, and what it means.
func entry(line string) string {
	name := strings.TrimLeft(line, " ")
	gap := strings.Index(name, "  ")
	if gap < 0 || utf8.RuneCountInString(line) <= helpWidth {
		return line
	}
	means := strings.TrimLeft(name[gap:], " ")
	at := len(line) - len(means)
	text := report.Filled(means, strings.Repeat(" ", at), helpWidth)
	return line[:at] + text[at:]
}

// sentences is standard output for people: on a terminal long lines end between words.
func sentences(env Env) io.Writer {
	out := env.Stdout
	if checked, ok := out.(*checkedWriter); ok {
		out = checked.Writer
	}
	if file, ok := out.(*os.File); ok && isTerminal(file) {
		return &foldingWriter{out: env.Stdout}
	}
	return env.Stdout
}

// columns is how wide the terminal says that it is; 0 where there is none, or it does not say.
func columns(env Env) int {
	if _, folding := sentences(env).(*foldingWriter); !folding {
		return 0
	}
	wide, _ := strconv.Atoi(env.Getenv("COLUMNS")) // not a number: not known
	return wide
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// A foldingWriter folds what is written, a line at a time.
type foldingWriter struct {
	out   io.Writer
	begun []byte // of a line
}

func (w *foldingWriter) Write(b []byte) (int, error) {
	w.begun = append(w.begun, b...)
	whole := bytes.LastIndexByte(w.begun, '\n') + 1
	if _, err := io.WriteString(w.out, folded(string(w.begun[:whole]), terminalWidth)); err != nil {
		return 0, err
	}
	w.begun = w.begun[whole:]
	return len(b), nil
}
