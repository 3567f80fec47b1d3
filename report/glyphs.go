package report

// Widths of the characters from space to ~ in 1/1000 of the font size. Liberation Sans, Arial and Helvetica
// share them.
var (
	regularWidths = [...]float64{
		278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556,
		556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778,
		722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278,
		278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
		556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
	}
	boldWidths = [...]float64{
		278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556,
		556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778,
		722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333,
		278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
		611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
	}
)

// glyphWidth returns the width of r in 1/1000 of the font size. Beyond ASCII it is a good guess: mathematical
// signs and most letters of other alphabets are about as wide as a minus sign.
func glyphWidth(r rune, bold bool) float64 {
	switch k := int(r - ' '); {
	case k >= 0 && k < len(regularWidths) && bold:
		return boldWidths[k]
	case k >= 0 && k < len(regularWidths):
		return regularWidths[k]
	case r == '…' || r == '→' || r == '—':
		return 1000
	}
	return []float64{0, 584, 1000}[columns(r)]
}
