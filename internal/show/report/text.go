package report

import (
	"slices"
	"sort"
	"strings"
)

// Sizes of type, in units.
const (
	titleSize  = 16.0
	textSize   = 13.0
	tickSize   = 12.0
	capHeight  = 0.72 // of the font size; centres a line of text on a point
	lineHeight = 1.45 // of the font size
)

// A label is one line of text. Its baseline begins, is centred or ends at at, and turns
// around that point by turn degrees, clockwise.
type label struct {
	text   string
	at     point
	anchor string // "middle", "end", or empty: at is where the text begins
	size   float64
	bold   bool
	turn   float64
	paint  paint
}

// caption is a label that explains; tickLabel is a value on an axis.
func caption(text string, at point) label {
	return label{text: text, at: at, size: textSize, paint: muted}
}

func tickLabel(text string, at point, anchor string) label {
	return label{text: text, at: at, anchor: anchor, size: tickSize, paint: muted}
}

// lowered returns the baseline that centres letters of the given size on y.
func lowered(y, size float64) float64 { return y + capHeight*size/2 }

func (l label) shape() shape {
	text := "<text" + attribute("x", number(l.at.x)) + attribute("y", number(l.at.y)) +
		attribute("font-size", number(l.size)) + attribute("text-anchor", l.anchor)
	if l.bold {
		text += attribute("font-weight", "bold")
	}
	if l.turn != 0 {
		text += attribute("transform", "rotate("+numbers(l.turn, l.at.x, l.at.y)+")")
	}
	pieces := runs(l.text)
	if len(pieces) > 1 {
		text += attribute("xml:space", "preserve") // a piece may begin with a space
	}
	text += style{fill: l.paint}.attributes() + ">"
	rise := 0.0
	for _, r := range pieces {
		if r.rise == rise {
			text += escape(r.text)
			continue
		}
		text += "<tspan" + attribute("dy", number((rise-r.rise)*l.size)) +
			attribute("font-size", number(r.scale*l.size)) + ">" + escape(r.text) + "</tspan>"
		rise = r.rise
	}
	return shape(text + "</text>\n")
}

// width returns how wide l is before it is turned.
func (l label) width() float64 { return textWidth(l.text, l.size, l.bold) }

// box returns the room that an unturned label takes.
func (l label) box() box {
	left := l.at.x
	switch l.anchor {
	case "middle":
		left -= l.width() / 2
	case "end":
		left -= l.width()
	}
	return box{left, l.at.y - 0.8*l.size, left + l.width(), l.at.y + 0.25*l.size}
}

// A run is a piece of a label at one height: digits in superscript or subscript are set as
// smaller, shifted ordinary digits because few fonts have all of them.
type run struct {
	text  string
	scale float64 // of the label's size
	rise  float64 // of the label's size, upwards
}

var (
	superscript = []rune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵏⁿ")
	subscript   = []rune("₀₁₂₃₄₅₆₇₈₉₋₊ₖₙ")
	unshifted   = []rune("0123456789−+kn")
)

// runOf returns how one character is set.
func runOf(r rune) run {
	if k := slices.Index(superscript, r); k >= 0 {
		return run{string(unshifted[k]), 0.72, 0.36}
	}
	if k := slices.Index(subscript, r); k >= 0 {
		return run{string(unshifted[k]), 0.72, -0.16}
	}
	return run{string(r), 1, 0}
}

// runs splits text at changes between plain, raised and lowered characters.
func runs(text string) []run {
	var out []run
	for _, r := range text {
		next := runOf(r)
		if last := len(out) - 1; last >= 0 && out[last].rise == next.rise {
			out[last].text += next.text
		} else {
			out = append(out, next)
		}
	}
	return out
}

// textWidth returns how wide text is at most, whatever font shows it: where Arial and its like are not installed,
// pictures are often set in DejaVu Sans, which is up to a fifth wider.
func textWidth(text string, size float64, bold bool) float64 {
	return max(liberation.width(text, size, bold), dejaVu.width(text, size, bold))
}

// widest returns the room that the widest text takes.
func widest(texts []string, size float64) float64 {
	width := 0.0
	for _, text := range texts {
		width = max(width, textWidth(text, size, false))
	}
	return width
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
func wrap(text string, limit float64) []string {
	const most = 8
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		switch {
		case last >= 0 && textWidth(lines[last]+" "+word, textSize, false) <= limit:
			lines[last] += " " + word
		case len(lines) == most:
			lines[last] = shorten(lines[last]+" …", limit, textSize, false)
			return lines
		default:
			lines = append(lines, shorten(word, limit, textSize, false))
		}
	}
	return lines
}
