package report

// A box is an upright rectangle.
type box struct{ left, top, right, bottom float64 }

func (b box) holds(p point) bool {
	return p.x >= b.left && p.x <= b.right && p.y >= b.top && p.y <= b.bottom
}

func (b box) overlaps(c box) bool {
	return b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom
}

// box returns the room that an unturned label takes.
func (l label) box() box {
	left := l.at.x - l.offset()
	return box{left, l.at.y - 0.8*l.size, left + l.width(), l.at.y + 0.25*l.size}
}
