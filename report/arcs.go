package report

import (
	"math"
	"slices"
)

// arcs draws links between nodes in a row as bows below them. Bows that end at one node
// are spread over its lower edge so that those from the same side do not cross.
func (f *Figure) arcs(links []link, names []string, center func(int) point, size, depth float64) {
	if len(links) == 0 {
		return
	}
	n := len(names)
	// Left partners from the nearest to the farthest, then right partners from the
	// farthest to the nearest: then bows nest.
	peers := make([][]int, n)
	for _, l := range links {
		peers[l.from], peers[l.to] = append(peers[l.from], l.to), append(peers[l.to], l.from)
	}
	for i := range peers {
		slices.SortFunc(peers[i], func(a, b int) int {
			if (a < i) != (b < i) {
				if a < i {
					return -1
				}
				return 1
			}
			return b - a
		})
		peers[i] = slices.Compact(peers[i])
	}
	dock := func(i, peer int) point {
		c := center(i)
		k := slices.Index(peers[i], peer)
		return point{c.x + ((float64(k)+1)/(float64(len(peers[i]))+1)-0.5)*0.9*size, c.y + nodeSize/2}
	}
	b := newBrush(links, len(links))
	farthest := 0
	for _, l := range links {
		farthest = max(farthest, abs(l.from-l.to))
	}
	// Long bows first: the short ones stay visible on top.
	order := slices.Clone(links)
	slices.SortStableFunc(order, func(a, b link) int { return abs(b.from-b.to) - abs(a.from-a.to) })
	for _, l := range order {
		from, to := dock(l.from, l.to), dock(l.to, l.from)
		reach := depth * math.Pow(float64(abs(l.from-l.to))/float64(farthest), 0.75)
		bow := max(18, reach) * 4 / 3 // a cubic reaches three quarters of the way to its control points
		if l.directed && l.from > l.to {
			bow *= 0.93 // i→j and j→i side by side
		}
		var p path
		p.move(from)
		p.curve(point{from.x, from.y + bow}, point{to.x, to.y + bow}, to)
		f.add("edge", l.describe(names, true), b.shapes(l, p, 1)...)
	}
}

// chips draws the nodes of a row, all names upright or, where that is too narrow, all on
// their side, or none where neither can be read.
func (f *Figure) chips(names []string, center func(int) point, size float64) {
	const smallest = 8.5
	widest := 1.0
	for _, name := range names {
		widest = max(widest, textWidth(name, tickSize, false))
	}
	upright := min(tickSize, tickSize*(size-4)/widest)
	sideways := min(tickSize, 0.9*size, tickSize*(nodeSize-4)/widest)
	for i, name := range names {
		at := center(i)
		outline := rectangle(at.x-size/2, at.y-nodeSize/2, size, nodeSize)
		shapes := []shape{{path: outline, fill: paper, stroke: ink, width: 1.4}}
		l := label{text: name, anchor: middle, paint: ink}
		switch {
		case upright >= smallest:
			l.size, l.at = upright, point{at.x, at.y + capHeight*upright/2}
			shapes = append(shapes, shape{text: &l})
		case sideways >= smallest:
			l.size, l.at, l.turn = sideways, point{at.x + capHeight*sideways/2, at.y}, -90
			shapes = append(shapes, shape{text: &l})
		}
		f.add("node", "node "+name, shapes...)
	}
}

// legendRows writes the entries in lines of at most the given width.
func (f *Figure) legendRows(entries []legendEntry, x, y, width float64) {
	at := point{x, y}
	for _, e := range entries {
		one := []legendEntry{e}
		if w := legendWidth(one); at.x > x && at.x+w > x+width {
			at = point{x, at.y + legendRow}
		}
		f.legend(one, at.x, at.y)
		at.x += legendWidth(one) + 30
	}
}

// legendLines returns how many lines legendRows will take.
func legendLines(entries []legendEntry, width float64) float64 {
	if len(entries) == 0 {
		return 0
	}
	lines, at := 1.0, 0.0
	for _, e := range entries {
		w := legendWidth([]legendEntry{e})
		if at > 0 && at+w > width {
			lines, at = lines+1, 0
		}
		at += w + 30
	}
	return lines
}
