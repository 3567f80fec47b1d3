package report

// okabeIto is the palette of Okabe and Ito (2008), "Color universal design", told apart
// under all common kinds of colour blindness. Its yellow is left out, being invisible as
// a line on white, and its black comes last because text and axes are black already.
var okabeIto = []paint{
	{"blue", rgb(0x0072b2)},
	{"vermilion", rgb(0xd55e00)},
	{"green", rgb(0x009e73)},
	{"purple", rgb(0xcc79a7)},
	{"orange", rgb(0xe69f00)},
	{"sky", rgb(0x56b4e9)},
	ink,
}

// dashes tell apart lines that share a colour; they also survive a grey print.
var dashes = [][]float64{nil, {7, 3}, {2, 2.5}, {9, 3, 2, 3}}

// A pen is how one of many series looks. Colour, dash and marker all differ between any
// two of the first seven, and the triple never repeats for 7·4·5 series.
type pen struct {
	paint  paint
	dash   []float64
	marker int
}

func penOf(k int) pen {
	lap := k / len(okabeIto)
	return pen{
		paint:  okabeIto[k%len(okabeIto)],
		dash:   dashes[lap%len(dashes)],
		marker: (k + lap) % markers,
	}
}

const markers = 5

// marker returns the k-th marker, about 2·size wide, centred on at. Odd ones are hollow.
func marker(k int, at point, size float64, c paint) shape {
	s := shape{fill: c, stroke: paper, width: 1}
	around := func(offsets ...point) path {
		for i, o := range offsets {
			offsets[i] = point{at.x + o.x*size, at.y + o.y*size}
		}
		return polygon(offsets...)
	}
	switch k % markers {
	case 0:
		s.center, s.radius = at, size
	case 1:
		s.path = around(point{-.9, -.9}, point{.9, -.9}, point{.9, .9}, point{-.9, .9})
	case 2:
		s.path = around(point{0, -1.2}, point{1.15, .85}, point{-1.15, .85})
	case 3:
		s.path = around(point{0, -1.3}, point{1.3, 0}, point{0, 1.3}, point{-1.3, 0})
	case 4:
		s.path = around(point{0, 1.2}, point{1.15, -.85}, point{-1.15, -.85})
	}
	if k%2 == 1 {
		s.fill, s.stroke, s.width = paper, c, 1.6
	}
	return s
}
