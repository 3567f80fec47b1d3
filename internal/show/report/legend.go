package report

const (
	legendRow    = 21.0
	swatchWidth  = 38.0
	legendName   = 240.0 // widest name before it is shortened
	legendNote   = 150.0 // widest note
	legendSpaces = 10.0
)

// A legendEntry is one row of a legend; swatch draws its sample around a point.
type legendEntry struct {
	name, note string
	strong     bool
	swatch     func(at point) []shape
}

func legendWidth(entries []legendEntry) float64 {
	name, note := legendColumns(entries)
	return swatchWidth + legendSpaces + name + note
}

func legendColumns(entries []legendEntry) (name, note float64) {
	for _, e := range entries {
		name = max(name, min(legendName, textWidth(e.name, textSize, e.strong)))
		if e.note != "" {
			note = max(note, legendSpaces+min(legendNote, textWidth(e.note, textSize, e.strong)))
		}
	}
	return name, note
}

// legend lists the entries from at down.
func (f *Figure) legend(entries []legendEntry, at point) {
	name, note := legendColumns(entries)
	left := at.x + swatchWidth + legendSpaces
	for k, e := range entries {
		center := point{at.x + swatchWidth/2, at.y + (float64(k)+0.5)*legendRow}
		baseline := lowered(center.y, textSize)
		shown := label{text: shorten(e.name, legendName, textSize, e.strong), at: point{left, baseline},
			size: textSize, bold: e.strong, paint: ink}
		shapes := append(e.swatch(center), shown.shape())
		if e.note != "" {
			beside := caption(shorten(e.note, legendNote, textSize, e.strong), point{left + name + note, baseline})
			beside.anchor, beside.bold = "end", e.strong
			shapes = append(shapes, beside.shape())
		}
		hover := ""
		if shown.text != e.name {
			hover = e.name
		}
		f.group("legend", hover, shapes...)
	}
}

// legendLines writes the entries side by side, in lines of at most the given width, and returns the y below them.
func (f *Figure) legendLines(entries []legendEntry, start point, width float64) float64 {
	if len(entries) == 0 {
		return start.y
	}
	at := start
	for k := range entries {
		one := entries[k : k+1]
		wide := legendWidth(one)
		if at.x > start.x && at.x+wide > start.x+width {
			at = point{start.x, at.y + legendRow}
		}
		f.legend(one, at)
		at.x += wide + 30
	}
	return at.y + legendRow
}

// lineSwatch is a legend sample of the k-th pen without a marker.
func lineSwatch(k int) func(point) []shape {
	return func(at point) []shape { return []shape{penOf(k).sample(at, 2.5)} }
}
