package report

// A paint is a colour. An HTML page may replace a named one to follow the reader's light
// or dark setting.
type paint struct {
	name  string
	hex   string
	alpha float64 // opacity; 0 draws nothing
}

// faded returns p with the given opacity.
func (p paint) faded(alpha float64) paint {
	p.alpha = alpha
	return p
}

// The paints of the page.
var (
	ink   = paint{"ink", "#1f2328", 1}
	muted = paint{"muted", "#59636e", 1}
	rule  = paint{"rule", "#e1e4e8", 1}
	paper = paint{"paper", "#ffffff", 1}
)

// okabeIto is the palette of Okabe and Ito (2008), "Color universal design", which is distinguishable under all common
// kinds of colour blindness. Its yellow is left out, being invisible as a line on white, and its black comes last
// because text and axes are black already.
var okabeIto = []paint{
	{"blue", "#0072b2", 1},
	{"vermilion", "#d55e00", 1},
	{"green", "#009e73", 1},
	{"purple", "#cc79a7", 1},
	{"orange", "#e69f00", 1},
	{"sky", "#56b4e9", 1},
	ink,
}

// dashes distinguish lines that share a colour; they also survive a grey print.
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
		marker: (k + lap) % len(markers),
	}
}

const markerSize = 4.0

// markers are the outlines of data points, as corners around the centre; no corners are a circle.
var markers = [][]point{
	nil,
	{{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}},
	{{0, -1.2}, {1.15, .85}, {-1.15, .85}},
	{{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}},
	{{0, 1.2}, {1.15, -.85}, {-1.15, -.85}},
}

// mark returns the pen's marker, about 2·size wide, centred on at. Every second kind is hollow.
func (p pen) mark(at point, size float64) shape {
	s := style{fill: p.paint, stroke: paper, width: 1}
	if p.marker%2 == 1 {
		s = style{fill: paper, stroke: p.paint, width: 1.6}
	}
	if p.marker == 0 {
		return circle(at, size, s)
	}
	var corners []point
	for _, o := range markers[p.marker] {
		corners = append(corners, at.plus(o.times(size)))
	}
	return polygon(corners...).shape(s)
}

// sample is a short piece of the pen's line around at, for a legend.
func (p pen) sample(at point, width float64) shape {
	line := polyline(point{at.x - swatchWidth/2, at.y}, point{at.x + swatchWidth/2, at.y})
	return line.shape(style{stroke: p.paint, width: width, dash: p.dash})
}
