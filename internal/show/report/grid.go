package report

import "slices"

// grid places node i at row i / columns and bends edges that would run through other nodes.
func (n *network) grid(rows, columns int) {
	cell := min(96, max(16, 620/float64(max(rows, columns))))
	n.spacing = cell
	n.radius = min(15, 0.28*cell)
	n.inside = n.namesFitInside()
	n.crowd = len(n.links) / 6 // edges of a grid are short and seldom cross
	bent := func(l link) int { // how many grid steps an edge could be cut into; 1 runs free of other nodes
		return gcd(abs(l.to/columns-l.from/columns), abs(l.to%columns-l.from%columns))
	}
	pad := margin + n.radius
	if !n.inside {
		pad += nameSize
	}
	if slices.ContainsFunc(n.links, func(l link) bool { return bent(l) > 1 }) {
		pad += 0.2 * cell
	}
	n.width, n.height = 2*pad+float64(columns-1)*cell, 2*pad+float64(rows-1)*cell
	n.places = make([]point, rows*columns)
	for i := range n.places {
		n.places[i] = point{pad + float64(i%columns)*cell, pad + float64(i/columns)*cell}
	}
	n.beside = func(i int) []shape {
		size := n.outsideSize()
		name := label{text: shorten(n.names[i], 0.95*cell, size, false), anchor: "middle", size: size, paint: ink}
		name.at = point{n.places[i].x, n.places[i].y + n.radius + size}
		b := name.box() // it lies on the edge below
		back := rectangle(b.left-1, b.top, b.right-b.left+2, b.bottom-b.top)
		return []shape{back.shape(style{fill: paper.faded(0.85)}), name.shape()}
	}
	n.route = func(l link, a, b point) []curve {
		if bent(l) > 1 {
			return bypass(a, b, cell)
		}
		return []curve{{a, a, b, b}} // straight
	}
}

// bypass leads from a to b beside the straight line, past the nodes that stand on it: to
// the left of the direction of travel, 0.4 cells away, which is halfway to the next row.
func bypass(a, b point, cell float64) []curve {
	step := b.minus(a).times(cell / a.distance(b)) // one cell along
	beside := func(p point, along, left float64) point {
		return p.plus(step.times(along)).plus(step.left().times(left))
	}
	const out, side = 0.6, 0.4
	from, to := beside(a, out, side), beside(b, -out, side)
	return []curve{
		{a, beside(a, 0.2, 0.3), beside(a, 0.35, side), from},
		{from, from, to, to}, // straight
		{to, beside(b, -0.35, side), beside(b, -0.2, 0.3), b},
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func abs(v int) int { return max(v, -v) }
