package report

import (
	"sort"
	"strings"

	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// Sizes of type, in units.
const (
	titleSize  = 16
	textSize   = 13
	tickSize   = 12
	capHeight  = 0.72 // of the font size; centres a line of text on a point
	lineHeight = 1.45 // of the font size
)

type anchor uint8

const (
	start anchor = iota
	middle
	end
)

// A label is one line of text. Its baseline begins, is centred or ends at at, and turns
// around that point by turn degrees, clockwise.
type label struct {
	text   string
	at     point
	anchor anchor
	size   float64
	bold   bool
	turn   float64
	paint  paint
}

// A run is a piece of a label at one size: digits in superscript or subscript are set as
// smaller, shifted ordinary digits because few fonts have all of them.
type run struct {
	text  string
	scale float64 // of the label's size
	rise  float64 // of the label's size, upwards
}

const (
	superscript = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵏⁿ"
	subscript   = "₀₁₂₃₄₅₆₇₈₉₋₊ₖₙ"
	plainDigits = "0123456789−+kn"
)

// runs splits text at changes between plain, raised and lowered characters.
func runs(text string) []run {
	if !strings.ContainsAny(text, superscript+subscript) {
		return []run{{text, 1, 0}}
	}
	var out []run
	var piece []rune
	now := run{scale: 1}
	flush := func() {
		if len(piece) > 0 {
			now.text = string(piece)
			out, piece = append(out, now), piece[:0]
		}
	}
	for _, r := range text {
		next := run{scale: 1}
		if k := runeIndex(superscript, r); k >= 0 {
			next, r = run{scale: 0.72, rise: 0.36}, []rune(plainDigits)[k]
		} else if k := runeIndex(subscript, r); k >= 0 {
			next, r = run{scale: 0.72, rise: -0.16}, []rune(plainDigits)[k]
		}
		if next != (run{scale: now.scale, rise: now.rise}) {
			flush()
			now = next
		}
		piece = append(piece, r)
	}
	flush()
	return out
}

func runeIndex(set string, r rune) int {
	at := strings.IndexRune(set, r)
	if at < 0 {
		return -1
	}
	return len([]rune(set[:at]))
}

var fonts = font.NewCache(liberation.Collection())

// face returns the font that PNG is drawn with. It has the widths of Arial and Helvetica,
// which SVG names as substitutes.
func face(size float64, bold bool) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return fonts.Lookup(f, font.Length(size))
}

// inFont replaces the characters that the font of PNG and PDF lacks, such as Chinese ones,
// by a box. SVG keeps them: browsers look for another font.
func inFont(text string) string {
	const box = '□'
	regular := face(textSize, false).Face
	var buf sfnt.Buffer
	return strings.Map(func(r rune) rune {
		if glyph, err := regular.GlyphIndex(&buf, r); err != nil || glyph == 0 {
			return box
		}
		return r
	}, text)
}

func (r run) width(size float64, bold bool) float64 {
	f := face(size*r.scale, bold)
	return float64(f.Width(r.text))
}

// textWidth returns how wide text is at the given size.
func textWidth(text string, size float64, bold bool) float64 {
	total := 0.0
	for _, r := range runs(text) {
		total += r.width(size, bold)
	}
	return total
}

// width returns how wide l is before it is turned.
func (l label) width() float64 { return textWidth(l.text, l.size, l.bold) }

// offset returns how far left of l.at the text begins.
func (l label) offset() float64 {
	switch l.anchor {
	case middle:
		return l.width() / 2
	case end:
		return l.width()
	}
	return 0
}

// shorten cuts text so that it is at most limit wide, with an ellipsis where it was cut.
func shorten(text string, limit, size float64, bold bool) string {
	if textWidth(text, size, bold) <= limit {
		return text
	}
	const readable = 1000 // letters; names may come from files of any size
	letters := []rune(text)
	letters = letters[:min(len(letters), readable)]
	// The first length that is too long, by bisection.
	keep := sort.Search(len(letters), func(k int) bool {
		return textWidth(string(letters[:k])+"…", size, bold) > limit
	})
	return strings.TrimRight(string(letters[:max(keep-1, 0)]), " ") + "…"
}

// wrap breaks text into lines of at most limit, between words, and cuts what is longer
// than a reader would read.
func wrap(text string, limit, size float64, bold bool) []string {
	const most = 8
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		switch {
		case last >= 0 && textWidth(lines[last]+" "+word, size, bold) <= limit:
			lines[last] += " " + word
		case len(lines) == most:
			lines[last] = shorten(lines[last]+" …", limit, size, bold)
			return lines
		default:
			lines = append(lines, shorten(word, limit, size, bold))
		}
	}
	return lines
}
