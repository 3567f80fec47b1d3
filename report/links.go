package report

import (
	"fmt"
	"math"

	"batopo/mixing"
)

// A link is an edge, or an arc of a directed matrix, as it is drawn.
type link struct {
	from, to int
	weight   float64
	directed bool
	pen      int // index of its pen; see penOf
	note     string
}

// linksOf returns what a matrix connects: each undirected edge once, each arc of a directed matrix.
func linksOf(w *mixing.Matrix) []link {
	var out []link
	for i := range w.Nodes() {
		from, weight := w.Row(i)
		for k, j := range from {
			if w.Directed() || j < i {
				out = append(out, link{from: j, to: i, weight: weight[k], directed: w.Directed()})
			}
		}
	}
	return out
}

// A brush turns weights into line widths: the heaviest link is as wide as there is room for.
type brush struct {
	largest, widest, alpha float64
	equal                  bool // all weights are the same and width says nothing
}

// newBrush looks at the weights and at the crowd, the number of links that share the picture's area.
func newBrush(links []link, crowd int) brush {
	b := brush{equal: true, widest: 4, alpha: 0.75}
	smallest := math.Inf(1)
	for _, l := range links {
		b.largest = max(b.largest, math.Abs(l.weight))
		smallest = min(smallest, math.Abs(l.weight))
	}
	b.equal = b.largest-smallest <= 1e-9*b.largest
	switch {
	case crowd > 2000:
		b.widest, b.alpha = 0.8, 0.25
	case crowd > 500:
		b.widest, b.alpha = 1.4, 0.4
	case crowd > 150:
		b.widest, b.alpha = 2.4, 0.6
	}
	return b
}

func (b brush) width(weight float64) float64 {
	if b.equal || b.largest == 0 {
		return max(0.5, 0.45*b.widest)
	}
	return b.widest * (0.15 + 0.85*math.Abs(weight)/b.largest)
}

// shapes returns the line along p and, for a directed link, its head: a triangle whose
// tip touches the target's circle of the given radius.
func (b brush) shapes(l link, p path, radius float64) []shape {
	look := penOf(l.pen)
	colour := look.paint.faded(b.alpha)
	line := shape{path: p, stroke: colour, width: b.width(l.weight), dash: look.dash}
	if l.weight < 0 {
		line.dash = []float64{3, 2}
	}
	if !l.directed {
		return []shape{line}
	}
	return []shape{line, {path: arrowHead(p, radius, max(4, 2.2*line.width)), fill: look.paint.faded(min(1, b.alpha+0.2))}}
}

// arrowHead returns a triangle of the given size at the place where the path, which must
// end in a curve, enters the circle of the given radius around its end.
func arrowHead(p path, radius, size float64) path {
	before, c := p[len(p)-2].points(), p[len(p)-1].p
	start, end := before[len(before)-1], c[2]
	lo, hi := 0.0, 1.0 // the curve is outside the circle at lo and inside at hi
	for range 30 {
		mid := (lo + hi) / 2
		if q := bezier(start, c, mid); math.Hypot(q.x-end.x, q.y-end.y) > radius {
			lo = mid
		} else {
			hi = mid
		}
	}
	tip := bezier(start, c, lo)
	// Looking a little back along the curve gives the direction even where the tangent vanishes.
	back := bezier(start, c, max(0, lo-0.06))
	length := math.Hypot(tip.x-back.x, tip.y-back.y)
	if length == 0 {
		return nil
	}
	dx, dy := (tip.x-back.x)/length*size, (tip.y-back.y)/length*size
	base := point{tip.x - 1.8*dx, tip.y - 1.8*dy}
	return polygon(tip, point{base.x - 0.8*dy, base.y + 0.8*dx}, point{base.x + 0.8*dy, base.y - 0.8*dx})
}

func bezier(a point, c [3]point, t float64) point {
	u := 1 - t
	k0, k1, k2, k3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return point{k0*a.x + k1*c[0].x + k2*c[1].x + k3*c[2].x, k0*a.y + k1*c[0].y + k2*c[1].y + k3*c[2].y}
}

// describe is a link's hover text.
func (l link) describe(names []string, weighted bool) string {
	sign := "–"
	if l.directed {
		sign = "→"
	}
	s := names[l.from] + " " + sign + " " + names[l.to]
	if weighted {
		s += ", weight " + plain(l.weight, 4)
	}
	if l.note != "" {
		s += "\n" + l.note
	}
	return s
}

// weightRange says in words what the line widths mean.
func weightRange(links []link) string {
	if len(links) == 0 {
		return "no edges"
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, l := range links {
		lo, hi = min(lo, l.weight), max(hi, l.weight)
	}
	what := "edge"
	if links[0].directed {
		what = "arc"
	}
	if len(links) > 1 {
		what += "s"
	}
	if hi-lo <= 1e-9*math.Abs(hi) {
		return fmt.Sprintf("%d %s of weight %s", len(links), what, plain(hi, 4))
	}
	return fmt.Sprintf("%d %s; line width shows the weight, %s to %s", len(links), what, plain(lo, 4), plain(hi, 4))
}
