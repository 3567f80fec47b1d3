package report

import (
	"cmp"
	"math"
	"slices"
)

// A bow is a link between nodes in a row, drawn below them.
type bow struct {
	link
	line curve
}

// span returns how many places of the row l bridges.
func (l link) span() int { return max(l.from, l.to) - min(l.from, l.to) }

// bows lays out the links below n nodes, the longest first, so that the short ones stay visible on top. Those that
// end at one node are spread over its lower edge so that bows to the same side do not cross.
func bows(links []link, n int, center func(int) point, size, depth float64) []bow {
	peers := make([][]int, n)
	farthest := 0
	for _, l := range links {
		peers[l.from], peers[l.to] = append(peers[l.from], l.to), append(peers[l.to], l.from)
		farthest = max(farthest, l.span())
	}
	for i := range peers {
		// Left partners from the nearest to the farthest, then right partners from the
		// farthest to the nearest: then bows nest.
		rank := func(j int) int { return (i - j + n) % n }
		slices.SortFunc(peers[i], func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
		peers[i] = slices.Compact(peers[i])
	}
	dock := func(i, peer int) point {
		c := center(i)
		k := slices.Index(peers[i], peer)
		return point{c.x + ((float64(k)+1)/(float64(len(peers[i]))+1)-0.5)*0.9*size, c.y + nodeSize/2}
	}
	var out []bow
	for _, l := range links {
		from, to := dock(l.from, l.to), dock(l.to, l.from)
		reach := depth * math.Pow(float64(l.span())/float64(farthest), 0.75)
		down := max(18, reach) * 4 / 3 // a cubic reaches three quarters of the way to its control points
		if l.directed && l.from > l.to {
			down *= 0.93 // i→j and j→i side by side
		}
		out = append(out, bow{l, curve{from, {from.x, from.y + down}, {to.x, to.y + down}, to}})
	}
	slices.SortStableFunc(out, func(a, b bow) int { return b.span() - a.span() })
	return out
}

// smallestName is the smallest size at which the name of a node can be read.
const smallestName = 8.5

// chipSize is how wide nodes of a row are: as they are high, or wider where their names need that and there is room.
func chipSize(names []string, pitch float64) float64 {
	room, wide := pitch-3, max(1, widest(names, tickSize))
	if tickSize*(nodeSize-4)/wide >= smallestName {
		return min(nodeSize, room)
	}
	if needs := wide*smallestName/tickSize + 5; needs <= room {
		return min(wide+8, room)
	}
	return min(nodeSize, room)
}

// chips draws the nodes of a row, all names upright or, where that is too narrow, all on
// their side, or none where neither can be read.
func (f *Figure) chips(names []string, center func(int) point, size float64) {
	wide := max(1, widest(names, tickSize))
	upright := min(tickSize, tickSize*(size-4)/wide)
	sideways := min(tickSize, 0.9*size, tickSize*(nodeSize-4)/wide)
	for i, name := range names {
		at := center(i)
		outline := rectangle(at.x-size/2, at.y-nodeSize/2, size, nodeSize)
		shapes := []shape{outline.shape(style{fill: paper, stroke: ink, width: 1.4})}
		l := label{text: name, at: point{at.x, lowered(at.y, upright)}, anchor: "middle", size: upright, paint: ink}
		if upright < smallestName {
			l.size, l.at, l.turn = sideways, point{lowered(at.x, sideways), at.y}, -90
		}
		if l.size >= smallestName {
			shapes = append(shapes, l.shape())
		}
		f.group("node", "node "+name, shapes...)
	}
}
