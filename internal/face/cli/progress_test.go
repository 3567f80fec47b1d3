package cli

import (
	"strings"
	"testing"
)

// On a terminal a line is rewritten without ever reaching the next one, whatever the terminal's width; one that knows
// no escape sequences gets none.
func TestProgressStaysInItsLine(t *testing.T) {
	for dumb, want := range map[bool]string{
		false: "\r\x1b[?7llong text\x1b[?7h\r\x1b[?7lshort    \x1b[?7h\r\x1b[?7l     \r\x1b[?7h",
		true:  "\rlong text\rshort    \r     \r",
	} {
		var out strings.Builder
		p := &progressLine{out: &out, terminal: true, dumb: dumb}
		p.show("%s text", "long")
		p.show("short")
		p.done()
		p.show("too late")
		if out.String() != want {
			t.Errorf("dumb %v: written is %q, want %q", dumb, out.String(), want)
		}
	}
}
