package report_test

import (
	"fmt"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
)

// Where Arial and its like are not installed, pictures are often set in DejaVu Sans, which is wider: nothing runs into
// anything else or out of the picture, and what is written into boxes stays inside.
func TestEveryPictureIsReadableInDejaVu(t *testing.T) {
	for name, d := range gallery(t) {
		elements := parse(t, bytesOf(t, draw(t, d)))
		if out := append(overflows(elements, report.InDejaVu), collisions(elements, report.InDejaVu)...); len(out) > 0 {
			t.Errorf("%s: %d texts stick out of the figure or overlap, the first is %s", name, len(out), out[0])
		}
		_, hardware := d.(report.HardwareDrawing)
		if out := tooWide(elements); hardware && len(out) > 0 {
			t.Errorf("%s: %d texts stick out of their boxes, the first is %s", name, len(out), out[0])
		}
	}
}

// tooWide names the texts that are wider than the box they are written into.
func tooWide(elements []element) []string {
	var out []string
	var left, right, y float64
	for k, e := range elements {
		switch {
		case e.name == "g":
			left, right = 0, 0
		case e.name == "path":
			if _, err := fmt.Sscanf(e.attrs["d"], "M%f %fL%f", &left, &y, &right); err != nil {
				left, right = 0, 0 // a line, no box
			}
		case e.name == "text" && e.attrs["text-anchor"] == "middle" && right > left:
			for _, w := range writtens(elements[k:k+1], report.InDejaVu) {
				if w.left < left || w.right > right {
					out = append(out, fmt.Sprintf("%q from %.1f to %.1f in %.1f to %.1f", w.text, w.left, w.right, left, right))
				}
			}
		}
	}
	return out
}

// The facts of the font: 0.636 em for digits, 0.696 em for bold ones.
func TestDigitsInDejaVu(t *testing.T) {
	if got, bold := report.InDejaVu("0123", 100, false), report.InDejaVu("0123", 100, true); got != 254.4 || bold != 278.4 {
		t.Errorf("four digits at size 100 are %g and, bold, %g wide; want 254.4 and 278.4", got, bold)
	}
}
