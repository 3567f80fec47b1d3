package report

import "fmt"

// Overflows names the texts of f that stick out of the figure, and Collisions those that
// overlap another text. Turned texts are left to the eye.
func Overflows(f *Figure) []string {
	var out []string
	for _, l := range uprightLabels(f) {
		if b := l.box(); b.left < 0 || b.top < 0 || b.right > f.width || b.bottom > f.height {
			out = append(out, fmt.Sprintf("%q at %.0f,%.0f to %.0f,%.0f in %.0f × %.0f", l.text, b.left, b.top, b.right, b.bottom, f.width, f.height))
		}
	}
	return out
}

func Collisions(f *Figure) []string {
	var out []string
	labels := uprightLabels(f)
	boxes := make([]box, len(labels))
	for k, l := range labels {
		boxes[k] = l.box()
		boxes[k].bottom = l.at.y // without the room for descenders, which digits lack
	}
	for i, a := range labels {
		for j, b := range labels[:i] {
			if boxes[i].overlaps(boxes[j]) {
				out = append(out, fmt.Sprintf("%q and %q near %.0f,%.0f", a.text, b.text, a.at.x, a.at.y))
			}
		}
	}
	return out
}

func uprightLabels(f *Figure) []label {
	var out []label
	for _, m := range f.marks {
		for _, s := range m.shapes {
			if s.text != nil && s.text.turn == 0 && s.text.text != "" {
				out = append(out, *s.text)
			}
		}
	}
	return out
}

// DisplayWidth and Markdown are tested directly.
var (
	DisplayWidth = displayWidth
	Markdown     = markdown
)
