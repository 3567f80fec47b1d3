package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/batopo/batopo/mixing"
)

// A link is an edge, or an arc of a directed matrix, as drawn.
type link struct {
	from, to int
	weight   float64
	directed bool
	pen      int // index of its pen; see penOf
	note     string
	says     string // in the place of its weight
}

// linksOf returns what a matrix connects: each undirected edge once, each arc of a directed matrix.
func linksOf(w *mixing.Matrix, traffic bool) []link {
	var out []link
	for i := range w.Nodes() {
		from, weight := w.Row(i)
		for k, j := range from {
			if w.Directed() || j < i {
				l := link{from: j, to: i, weight: weight[k], directed: w.Directed()}
				if traffic {
					l.says = plain(100*l.weight, 1) + " % of what the busiest node sends and receives"
				}
				out = append(out, l)
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

// newBrush looks at the weights and at how many links share the picture.
func newBrush(links []link) brush {
	b := brush{equal: true, widest: 4, alpha: 0.75}
	smallest := math.Inf(1)
	for _, l := range links {
		b.largest = max(b.largest, math.Abs(l.weight))
		smallest = min(smallest, math.Abs(l.weight))
	}
	b.equal = b.largest-smallest <= 1e-9*b.largest
	switch crowd := len(links); {
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

// shapes returns the line along the curve and, for a directed link, its head: a triangle whose
// tip touches the target's circle of the given radius.
func (b brush) shapes(l link, route curve, radius float64) []shape {
	look := penOf(l.pen)
	line := style{stroke: look.paint.faded(b.alpha), width: b.width(l.weight), dash: look.dash}
	if l.weight < 0 {
		line.dash = []float64{3, 2}
	}
	shapes := []shape{smooth(route).shape(line)}
	if l.directed {
		head := arrowHead(route, radius, max(4, 2.2*line.width))
		shapes = append(shapes, polygon(head[:]...).shape(style{fill: look.paint.faded(min(1, b.alpha+0.2))}))
	}
	return shapes
}

// arrowHead returns the corners, the tip first, of a triangle of the given size at the place where the curve enters
// the circle of the given radius around its end.
func arrowHead(c curve, radius, size float64) [3]point {
	lo, hi := 0.0, 1.0 // the curve is outside the circle at lo and inside at hi
	for range 30 {
		mid := (lo + hi) / 2
		if c.at(mid).distance(c[3]) > radius {
			lo = mid
		} else {
			hi = mid
		}
	}
	tip := c.at(lo)
	// Looking a little back along the curve gives the direction even where the tangent vanishes.
	back := c.at(max(0, lo-0.06))
	ahead := tip.minus(back).times(size / max(1e-9, tip.distance(back)))
	base, side := tip.minus(ahead.times(1.8)), ahead.left().times(0.8)
	return [3]point{tip, base.minus(side), base.plus(side)}
}

// describe is a link's hover text.
func (l link) describe(names []string) string {
	sign := "–"
	if l.directed {
		sign = "→"
	}
	what := l.says
	if what == "" {
		what = "weight " + plain(l.weight, 4)
	}
	s := names[l.from] + " " + sign + " " + names[l.to] + ", " + what + "\n" + l.note
	return strings.TrimSuffix(s, "\n")
}

// widthText says what the line widths mean.
func widthText(links []link, traffic bool) string {
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
	equal := hi-lo <= 1e-9*math.Abs(hi)
	switch {
	case traffic && equal:
		return fmt.Sprintf("%d %s that carry equally much", len(links), what)
	case traffic:
		return fmt.Sprintf("%d %s; line width shows how much they carry", len(links), what)
	case equal:
		return fmt.Sprintf("%d %s of weight %s", len(links), what, plain(hi, 4))
	}
	return fmt.Sprintf("%d %s; line width shows the weight, %s to %s", len(links), what, plain(lo, 4), plain(hi, 4))
}
