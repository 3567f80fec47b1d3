package report

import (
	"math"
	"slices"
)

// grid places node i at row i / columns and bends edges that would run through other nodes.
func (n *network) grid(rows, columns int) {
	cell := min(96, max(16, 620/float64(max(rows, columns))))
	n.spacing = cell
	n.radius = min(15, 0.28*cell)
	n.inside = n.namesFitInside()
	bent := func(l link) int { // how many grid steps an edge could be cut into; 1 runs free of other nodes
		return gcd(abs(l.to/columns-l.from/columns), abs(l.to%columns-l.from%columns))
	}
	pad := margin + n.radius
	if slices.ContainsFunc(n.links, func(l link) bool { return bent(l) > 1 }) {
		pad += 0.2 * cell
	}
	n.width, n.height = 2*pad+float64(columns-1)*cell, 2*pad+float64(rows-1)*cell
	n.places = make([]point, rows*columns)
	for i := range n.places {
		n.places[i] = point{pad + float64(i%columns)*cell, pad + float64(i/columns)*cell}
	}
	n.route = func(l link, a, b point) path {
		bend := 0.0
		switch {
		case bent(l) > 1:
			bend = 0.5 * cell
		case l.directed:
			bend = 0.2 * cell
		}
		length := math.Hypot(b.x-a.x, b.y-a.y)
		nx, ny := (b.y-a.y)/length*bend, -(b.x-a.x)/length*bend
		third := point{(b.x - a.x) / 4, (b.y - a.y) / 4}
		var p path
		p.move(a)
		p.curve(point{a.x + third.x + nx, a.y + third.y + ny}, point{b.x - third.x + nx, b.y - third.y + ny}, b)
		return p
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func abs(v int) int { return max(v, -v) }
