package report

import "strings"

// Filled puts words into lines that begin with indent and take at most width columns of a terminal; a longer word has
// a line of its own.
func Filled(text, indent string, width int) string {
	var out strings.Builder
	room := 0
	for k, word := range strings.Fields(text) {
		n := displayWidth(word)
		switch {
		case k == 0:
			out.WriteString(indent + word)
		case n+1 > room:
			out.WriteString("\n" + indent + word)
		default:
			out.WriteString(" " + word)
			room -= n + 1
			continue
		}
		room = width - len(indent) - n
	}
	return out.String() + "\n"
}
