package report

import (
	"math"
	"slices"
)

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
		best, found := f.quietest(sides(p), f.box, taken, 0)
		if !found {
			continue
		}
		const apart = 5 // or two names read as one
		b := best.box()
		taken = append(taken, box{b.left - apart, b.top, b.right + apart, b.bottom})
		f.add(best.shape())
	}
}

// quietest returns the first of the labels that lies within the room, touches nothing taken, and has the fewest
// lines pass closer than air.
func (f *frame) quietest(labels []label, room box, taken []box, air float64) (best label, found bool) {
	fewest := math.MaxInt
	for _, l := range labels {
		b := l.box()
		from, to := point{b.left, b.top}, point{b.right, b.bottom}
		if !room.holds(from, 0) || !room.holds(to, 0) || slices.ContainsFunc(taken, b.overlaps) {
			continue
		}
		crossed := 0
		for _, p := range f.busy {
			if b.holds(p, air) {
				crossed++
			}
		}
		if crossed < fewest {
			best, fewest, found = l, crossed, true
		}
	}
	return best, found
}

// sides returns the name at the eight places around p, the most readable first.
func sides(p placed) []label {
	away := markerSize + 6.0
	if p.strong {
		away += 5
	}
	const drop = capHeight * textSize / 2
	at := func(dx, dy float64, anchor string) label {
		where := point{p.at.x + dx, p.at.y + dy}
		return label{text: p.name, at: where, anchor: anchor, size: textSize, bold: p.strong, paint: ink}
	}
	near := away * 0.75
	return []label{
		at(away, drop, ""),
		at(near, -near, ""),
		at(near, near+2*drop, ""),
		at(0, -away, "middle"),
		at(0, away+2*drop, "middle"),
		at(-away, drop, "end"),
		at(-near, -near, "end"),
		at(-near, near+2*drop, "end"),
	}
}
