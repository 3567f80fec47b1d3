package report

// A placed is a name that wants to stand near a place.
type placed struct {
	at     point
	name   string
	strong bool
}

// nameAll writes each name beside its place, at the first of eight sides where it touches
// neither another name, nor a marker, nor the edge, preferring to cross no line. A name that finds no room is
// left out: its marker still tells it on hover.
func (f *frame) nameAll(places []placed) {
	var taken []box
	for _, p := range places {
		const r = markerSize + 3
		taken = append(taken, box{p.at.x - r, p.at.y - r, p.at.x + r, p.at.y + r})
	}
	for _, p := range places {
		best, fewest := label{}, len(f.busy)+1
		for _, l := range sides(p) {
			b := l.box()
			if b.left < f.left || b.right > f.right || b.top < f.top || b.bottom > f.bottom || overlapsAny(b, taken) {
				continue
			}
			crossed := 0
			for _, q := range f.busy {
				if b.holds(q) {
					crossed++
				}
			}
			if crossed < fewest {
				best, fewest = l, crossed
			}
		}
		if best.text != "" {
			const apart = 5 // or two names read as one
			b := best.box()
			taken = append(taken, box{b.left - apart, b.top, b.right + apart, b.bottom})
			f.write(best)
		}
	}
}

// sides returns the name at the eight places around p, the most readable first.
func sides(p placed) []label {
	away := markerSize + 6.0
	if p.strong {
		away += 5
	}
	const drop = capHeight * textSize / 2
	at := func(dx, dy float64, a anchor) label {
		return label{text: p.name, at: point{p.at.x + dx, p.at.y + dy}, anchor: a, size: textSize, bold: p.strong, paint: ink}
	}
	near := away * 0.75
	return []label{
		at(away, drop, start),
		at(near, -near, start),
		at(near, near+2*drop, start),
		at(0, -away, middle),
		at(0, away+2*drop, middle),
		at(-away, drop, end),
		at(-near, -near, end),
		at(-near, near+2*drop, end),
	}
}

func overlapsAny(b box, others []box) bool {
	for _, o := range others {
		if b.overlaps(o) {
			return true
		}
	}
	return false
}
