package report_test

import (
	"fmt"
	"strconv"
)

// A written is an upright text of a picture and the room it takes.
type written struct {
	text                     string
	left, top, right, bottom float64
}

// A measure says how wide a text is.
type measure func(text string, size float64, bold bool) float64

// writtens returns the texts of a picture. Turned ones are left to the eye.
func writtens(elements []element, wide measure) []written {
	var out []written
	for k, e := range elements {
		if e.name != "text" || e.attrs["transform"] != "" {
			continue
		}
		size, bold := value(e, "font-size"), e.attrs["font-weight"] == "bold"
		text, width := e.text, wide(e.text, size, bold)
		for _, piece := range elements[k+1:] {
			if piece.name != "tspan" {
				break
			}
			text, width = text+piece.text, width+wide(piece.text, value(piece, "font-size"), bold)
		}
		left := value(e, "x")
		switch e.attrs["text-anchor"] {
		case "middle":
			left -= width / 2
		case "end":
			left -= width
		}
		// Without room for descenders, which digits lack.
		out = append(out, written{text, left, value(e, "y") - 0.8*size, left + width, value(e, "y")})
	}
	return out
}

func value(e element, attribute string) float64 {
	v, err := strconv.ParseFloat(e.attrs[attribute], 64)
	if err != nil {
		panic(err)
	}
	return v
}

// overflows names the texts that stick out of the figure.
func overflows(elements []element, wide measure) []string {
	var out []string
	width, height := value(elements[0], "width"), value(elements[0], "height")
	for _, w := range writtens(elements, wide) {
		if w.left < 0 || w.top < 0 || w.right > width || w.bottom > height {
			out = append(out, fmt.Sprintf("%q at %.0f,%.0f to %.0f,%.0f in %.0f × %.0f",
				w.text, w.left, w.top, w.right, w.bottom, width, height))
		}
	}
	return out
}

// collisions names the texts that overlap another text.
func collisions(elements []element, wide measure) []string {
	var out []string
	all := writtens(elements, wide)
	for i, a := range all {
		for _, b := range all[:i] {
			if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
				out = append(out, fmt.Sprintf("%q and %q near %.0f,%.0f", a.text, b.text, a.left, a.bottom))
			}
		}
	}
	return out
}
