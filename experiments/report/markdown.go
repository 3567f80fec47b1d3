package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/batopo/batopo/internal/show/report"
)

// writeMarkdown writes a page as GitHub Markdown, whose pictures are links to their files.
func writeMarkdown(w io.Writer, p report.Page) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", escaped(p.Title))
	if p.Intro != "" {
		fmt.Fprintf(&b, "\n%s\n", escaped(p.Intro))
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n", escaped(s.Heading))
		for _, block := range s.Blocks {
			switch block := block.(type) {
			case report.Paragraph:
				fmt.Fprintf(&b, "\n%s\n", escaped(string(block)))
			case report.Facts:
				b.WriteString("\n")
				for _, f := range block {
					fmt.Fprintf(&b, "- %s: **%s**", escaped(f.Label), escaped(f.Value))
					if f.Note != "" {
						fmt.Fprintf(&b, " (%s)", escaped(f.Note))
					}
					b.WriteString("\n")
				}
			case report.Table:
				b.WriteString("\n" + tableMarkdown(block))
			case report.Picture:
				fmt.Fprintf(&b, "\n![%s](<%s>)\n", escaped(block.Caption), block.File)
			default:
				return fmt.Errorf("no Markdown is known for a %T", block)
			}
		}
	}
	if p.Foot != "" {
		fmt.Fprintf(&b, "\n---\n\n%s\n", escaped(p.Foot))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tableMarkdown spells a table in the pipe syntax of GitHub, aligned in the source too.
func tableMarkdown(t report.Table) string {
	lines := make([]string, len(t.Rows)+2)
	for k, c := range t.Columns {
		cells, wide := []string{escaped(c.Title), ""}, 3
		for _, r := range t.Rows {
			text := escaped(r.Cells[k])
			if r.Strong && text != "" {
				text = "**" + text + "**"
			}
			cells = append(cells, text)
		}
		for _, text := range cells {
			wide = max(wide, utf8.RuneCountInString(text))
		}
		for i, text := range cells {
			space, end := strings.Repeat(" ", wide-utf8.RuneCountInString(text)), "-"
			if c.Numeric {
				text, space, end = space+text, "", ":"
			}
			if i == 1 {
				lines[i] += "|" + strings.Repeat("-", wide+1) + end
			} else {
				lines[i] += "| " + text + space + " "
			}
		}
	}
	out := strings.Join(lines, "|\n") + "|\n"
	if t.Caption != "" {
		out = escaped(t.Caption) + "\n\n" + out
	}
	return out
}

// escaped escapes what Markdown would read as its own.
func escaped(s string) string {
	var b strings.Builder
	text := []rune(strings.ReplaceAll(s, "\n", " "))
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for k, r := range text {
		inWord := k > 0 && k+1 < len(text) && isWord(text[k-1]) && isWord(text[k+1])
		if strings.ContainsRune("\\|*<>[]`~#", r) || (r == '_' && !inWord) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
