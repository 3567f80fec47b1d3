package report

const (
	legendRow    = 21.0
	swatchWidth  = 38.0
	legendName   = 190.0 // widest name before it is shortened
	legendNote   = 130.0 // widest note
	legendSpaces = 10.0
)

// A legendEntry is one row of a legend; swatch draws its sample around the centre of the row's left end.
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

// legend lists the entries from (x, y) down.
func (f *Figure) legend(entries []legendEntry, x, y float64) {
	name, note := legendColumns(entries)
	left := x + swatchWidth + legendSpaces
	for k, e := range entries {
		at := point{x + swatchWidth/2, y + (float64(k)+0.5)*legendRow}
		baseline := at.y + capHeight*textSize/2
		shown := shorten(e.name, legendName, textSize, e.strong)
		shapes := append(e.swatch(at), shape{text: &label{text: shown, at: point{left, baseline}, size: textSize, bold: e.strong, paint: ink}})
		if e.note != "" {
			shapes = append(shapes, shape{text: &label{text: shorten(e.note, legendNote, textSize, e.strong), at: point{left + name + note, baseline},
				anchor: end, size: textSize, bold: e.strong, paint: muted}})
		}
		hover := ""
		if shown != e.name {
			hover = e.name
		}
		f.add("legend", hover, shapes...)
	}
}

// swatchOf returns the sample of series k.
func swatchOf(k int, strong bool) func(point) []shape {
	return func(at point) []shape {
		p := penOf(k)
		line := polyline(point{at.x - swatchWidth/2, at.y}, point{at.x + swatchWidth/2, at.y})
		return []shape{
			{path: line, stroke: p.paint, width: lineWidth(strong), dash: p.dash},
			marker(p.marker, at, markerSize, p.paint),
		}
	}
}
