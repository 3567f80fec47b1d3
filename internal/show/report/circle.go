package report

import "math"

// circle places the nodes clockwise from the top.
func (n *network) circle() {
	count := len(n.names)
	r := min(400, 70+190*math.Sqrt(float64(count)/16))
	if count == 1 {
		r = 0
	}
	n.spacing = 2 * math.Pi * max(r, 30) / float64(count)
	n.radius = min(15, max(1, 0.36*n.spacing))
	n.inside = n.namesFitInside()
	besides, above := n.radius+2, n.radius+2
	if !n.inside && count <= mostNamed {
		besides += 6 + min(longestName, widest(n.names, n.outsideSize()))
		if above = besides; n.upright() {
			above = n.radius + 2*nameSize
		}
	}
	n.width, n.height = 2*(r+besides+margin), 2*(r+above+margin)
	n.center = point{n.width / 2, n.height / 2}
	n.places = make([]point, count)
	for i := range n.places {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(count))
		n.places[i] = point{n.center.x + r*sin, n.center.y - r*cos}
	}
	n.rim = r
}

// chord joins the places of a link. Pulling both ends towards the centre
// separates edges that leave a node on the same side; short ones are pulled less, so that
// neighbours stay joined along the rim.
func (n *network) chord(l link) curve {
	a, b := n.places[l.from], n.places[l.to]
	pull := min(0.22, 0.3*a.distance(b)/n.rim)
	side := point{}
	if l.directed { // i→j and j→i pass on different sides
		side = b.minus(a).left().times(0.1)
	}
	return curve{a, a.towards(n.center, pull).plus(side), b.towards(n.center, pull).plus(side), b}
}

// upright reports whether names outside the circle are few enough to be written horizontally.
func (n *network) upright() bool { return len(n.names) <= 24 }

// besideCircle returns node i's name outside the circle: horizontal where there is room,
// otherwise along the radius and never upside down.
func (n *network) besideCircle(i int, size float64) label {
	at := n.places[i]
	angle := math.Atan2(at.y-n.center.y, at.x-n.center.x)
	sin, cos := math.Sincos(angle)
	away, down := n.radius+6, capHeight*size/2
	l := label{text: shorten(n.names[i], longestName, size, false), size: size, paint: ink}
	if n.upright() {
		switch {
		case math.Abs(cos) < 0.2:
			l.anchor = "middle"
		case cos < 0:
			l.anchor = "end"
		}
		l.at = point{at.x + away*cos, at.y + (away+down)*sin + down}
		return l
	}
	l.turn = angle * 180 / math.Pi
	if cos < -1e-9 {
		l.anchor, l.turn, down = "end", l.turn+180, -down
	}
	// The baseline runs along the radius, half the height of the letters beside it.
	l.at = point{at.x + away*cos - down*sin, at.y + away*sin + down*cos}
	return l
}
