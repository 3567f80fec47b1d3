package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestTicks(t *testing.T) {
	tests := []struct {
		axis Axis
		want int
		text string // labels, in order
	}{
		{Axis{lo: 0, hi: 1500}, 6, "0 250 500 750 1000 1250 1500"},
		{Axis{lo: 0.16, hi: 1}, 9, "0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0"},
		{Axis{lo: -1, hi: 1}, 5, "−1.0 −0.5 0.0 0.5 1.0"},
		{Axis{lo: 0, hi: 50_000}, 5, "0 10 000 20 000 30 000 40 000 50 000"},
		{Axis{lo: 1e-5, hi: 8, Log: true}, 9, "10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰"},
		{Axis{lo: 1e-12, hi: 1, Log: true}, 4, "10⁻¹² 10⁻⁹ 10⁻⁶ 10⁻³ 10⁰"},
		{Axis{lo: 5, hi: 2100, Log: true}, 7, "10 100 1000"},
		{Axis{lo: 200, hi: 2000, Log: true}, 7, "200 500 1000 2000"},
		{Axis{lo: 4, hi: 100, Log: true, At: []float64{4, 8, 16, 32, 64, 128}}, 7, "4 8 16 32 64"},
	}
	for _, tt := range tests {
		got := ""
		for _, tk := range tt.axis.ticks(tt.want) {
			if tk.text != "" {
				got += " " + tk.text
			}
		}
		if got != " "+tt.text {
			t.Errorf("ticks of %g … %g (log %v): %q, want %q", tt.axis.lo, tt.axis.hi, tt.axis.Log, got, " "+tt.text)
		}
	}
}

// An axis that counts things has no label between two whole numbers, however few of them it shows.
func TestTicksOfCounts(t *testing.T) {
	for _, log := range []bool{false, true} {
		for _, ends := range [][2]float64{{12.9, 14.1}, {12.9, 16.2}, {0.5, 2}, {20, 41}} {
			for _, tick := range (Axis{lo: ends[0], hi: ends[1], Log: log, Whole: true}).ticks(6) {
				if tick.value != math.Round(tick.value) {
					t.Errorf("%v, log %v: a label at %v, %q", ends, log, tick.value, tick.text)
				}
			}
		}
	}
}

// Names avoid a long line everywhere along it: no name is so low that it lies between two places that are remembered.
func TestTraceRemembersLongLines(t *testing.T) {
	f := &frame{}
	f.trace([][]point{{{0, 0}, {500, 0}, {500, 300}}})
	for i, p := range f.busy {
		if i > 0 && p.distance(f.busy[i-1]) > textSize*capHeight {
			t.Fatalf("nothing is remembered between %v and %v", f.busy[i-1], p)
		}
	}
	if last := f.busy[len(f.busy)-1]; last.distance(point{500, 300}) > 1e-9 {
		t.Errorf("the line ends at %v", last)
	}
}

// Whatever the range, ticks lie inside it, ascend, and at least two are labelled differently.
func TestTicksOfAnyRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		a := Axis{Log: rng.IntN(2) == 0}
		a.lo = math.Pow(10, 12*rng.Float64()-6)
		a.hi = a.lo * (1.5 + math.Pow(10, 6*rng.Float64()-3))
		if !a.Log && rng.IntN(2) == 0 {
			a.lo, a.hi = -a.hi, a.lo
		}
		ticks := a.ticks(2 + rng.IntN(10))
		labels := map[string]bool{}
		for k, tk := range ticks {
			slack := 1e-6 * (a.hi - a.lo)
			if tk.value < a.lo-slack || tk.value > a.hi+slack || (k > 0 && tk.value <= ticks[k-1].value) {
				t.Fatalf("axis %+v: tick %d is %g after %v", a, k, tk.value, ticks[max(k-1, 0)])
			}
			if tk.text != "" && labels[tk.text] {
				t.Fatalf("axis %+v: label %q twice", a, tk.text)
			}
			labels[tk.text] = true
		}
		delete(labels, "")
		if len(labels) < 2 {
			t.Fatalf("axis %+v has only the labels %v", a, labels)
		}
	}
}

func TestFit(t *testing.T) {
	tests := []struct {
		axis   Axis
		values []float64
		lo, hi float64
	}{
		{Axis{Label: "a"}, []float64{0, 10, math.NaN()}, 0, 11},
		{Axis{Label: "a"}, []float64{-10, 10}, -12, 12},
		{Axis{Label: "a"}, []float64{5, 5}, 2.5, 7.5},
		{Axis{Label: "a"}, []float64{0}, 0, 1},
		{Axis{Label: "a", Log: true}, []float64{0, -1, 1, 100}, math.Pow(100, -0.1), math.Pow(100, 1.1)},
		{Axis{Label: "a", Log: true}, []float64{8}, 4, 16},
	}
	for _, tt := range tests {
		got, err := tt.axis.fit(tt.values, 0.1)
		if err != nil || math.Abs(got.lo-tt.lo) > 1e-9 || math.Abs(got.hi-tt.hi) > 1e-9 {
			t.Errorf("fit of %v on %+v: %g … %g, %v; want %g … %g", tt.values, tt.axis, got.lo, got.hi, err, tt.lo, tt.hi)
		}
	}
	if _, err := (Axis{Label: "a", Log: true}).fit([]float64{0, -1, math.Inf(1)}, 0); err == nil {
		t.Error("an axis without a value to show must be an error")
	}
}

// Clipping must agree with walking along the segment in small steps.
func TestClipAgainstSampling(t *testing.T) {
	f := &frame{box: box{left: 10, right: 20, top: 5, bottom: 9}}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		p := func() point { return point{30 * rng.Float64(), 14 * rng.Float64()} }
		a, b := p(), p()
		from, to, ok := f.clip(a, b)
		const steps = 500
		inside := 0
		var first, last point
		for k := range steps + 1 {
			s := float64(k) / steps
			q := point{a.x + s*(b.x-a.x), a.y + s*(b.y-a.y)}
			if f.inside(q) {
				if inside == 0 {
					first = q
				}
				last = q
				inside++
			}
		}
		step := math.Hypot(b.x-a.x, b.y-a.y) / steps
		if inside > 0 && (!ok || math.Hypot(first.x-from.x, first.y-from.y) > 1.01*step ||
			math.Hypot(last.x-to.x, last.y-to.y) > 1.01*step) {
			t.Fatalf("clip %v–%v = %v–%v, %v; sampling finds %v–%v", a, b, from, to, ok, first, last)
		}
		if ok && (!f.inside(from) || !f.inside(to)) {
			t.Fatalf("clip %v–%v = %v–%v lies outside", a, b, from, to)
		}
	}
}

func TestThinStaysClose(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	points := []point{{0, 0}}
	for range 4000 {
		last := points[len(points)-1]
		points = append(points, point{last.x + 0.1, last.y + 0.3*rng.NormFloat64()})
	}
	kept := thin(points)
	if kept[0] != points[0] || kept[len(kept)-1] != points[len(points)-1] || len(kept) > len(points)/2 {
		t.Fatalf("kept %d of %d points, from %v to %v", len(kept), len(points), kept[0], kept[len(kept)-1])
	}
	for _, p := range points {
		nearest := math.Inf(1)
		for k := 1; k < len(kept); k++ {
			nearest = min(nearest, segmentDistance(p, kept[k-1], kept[k]))
		}
		if nearest > 1 {
			t.Errorf("%v is %g away from the thinned line; want at most one unit", p, nearest)
		}
	}
}

func segmentDistance(p, a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	s := ((p.x-a.x)*dx + (p.y-a.y)*dy) / (dx*dx + dy*dy)
	s = max(0, min(1, s))
	return math.Hypot(p.x-a.x-s*dx, p.y-a.y-s*dy)
}

func TestArrowHeadTouchesItsNode(t *testing.T) {
	head := arrowHead(curve{{0, 0}, {30, 40}, {70, 40}, {100, 0}}, 15, 5)
	tip := head[0]
	if d := math.Hypot(tip.x-100, tip.y); math.Abs(d-15) > 0.01 {
		t.Errorf("tip %v is %g from the node's centre; want 15", tip, d)
	}
	if tip.x <= head[1].x || tip.y <= 0 {
		t.Errorf("head %v does not point along the curve, down and right to (100, 0)", head)
	}
}

// flatten walks along curves in small steps.
func flatten(curves ...curve) []point {
	var out []point
	for _, c := range curves {
		for k := range 101 {
			out = append(out, c.at(float64(k)/100))
		}
	}
	return out
}

// Bows that leave a node to the same side nest: the farther their end, the lower they run.
func TestBowsNest(t *testing.T) {
	const n = 8
	center := func(i int) point { return point{40 * float64(i), 0} }
	var links []link
	for j := 1; j < n; j++ {
		links = append(links, link{from: 0, to: j, weight: 1})
	}
	all := bows(links, n, center, 26, 150)
	for k := 1; k < len(all); k++ { // drawn from the longest to the shortest
		longer, shorter := flatten(all[k-1].line), flatten(all[k].line)
		for i, p := range shorter {
			if i > 0 && p.y < shorter[i-1].y {
				break // on the way up again, to another node
			}
			for j := 1; j < len(longer); j++ {
				if longer[j-1].y <= p.y && p.y < longer[j].y && longer[j].x > p.x {
					t.Fatalf("bow %d crosses its longer neighbour near %v", k, p)
				}
			}
		}
	}
}

func TestRuns(t *testing.T) {
	tests := []struct{ text, want string }{
		{"plain", "plain:0"},
		{"10⁻⁴ left", "10:0 −4:+  left:0"},
		{"λ₂", "λ:0 2:-"},
		{"W⁰₁²", "W:0 0:+ 1:- 2:+"},
		{"", ""},
	}
	for _, tt := range tests {
		got := ""
		for k, r := range runs(tt.text) {
			if k > 0 {
				got += " "
			}
			sign := "0"
			if r.rise > 0 {
				sign = "+"
			} else if r.rise < 0 {
				sign = "-"
			}
			got += r.text + ":" + sign
		}
		if got != tt.want {
			t.Errorf("runs(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestWrapAndShorten(t *testing.T) {
	const text = "One point per edge budget; the front joins the choices that no other choice beats."
	for _, limit := range []float64{40, 100, 250, 2000} {
		for _, line := range wrap(text, limit) {
			if w := textWidth(line, textSize, false); w > limit {
				t.Errorf("line %q is %g wide; limit %g", line, w, limit)
			}
		}
		if s := shorten(text, limit, textSize, true); textWidth(s, textSize, true) > limit {
			t.Errorf("shorten to %g gives %q, which is wider", limit, s)
		}
	}
	if got := shorten(text, 5000, textSize, false); got != text {
		t.Errorf("a text that fits was changed to %q", got)
	}
}

// Liberation Sans has the widths of Arial: 0.556 em for digits (Arial's AFM, 556/1000).
func TestDigitWidth(t *testing.T) {
	if got := liberation.width("0123456789", 100, false); math.Abs(got-556) > 1 {
		t.Errorf("ten digits at size 100 are %g wide; want 556", got)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, n := range []int{16, 128} {
		b.Run(fmt.Sprintf("lines/series=%d", n), func(b *testing.B) {
			c := LineChart{X: Axis{Label: "x"}, Y: Axis{Label: "y", Log: true}}
			for k := range n {
				s := Series{Name: fmt.Sprint(k)}
				for i := range 500 {
					s.X, s.Y = append(s.X, float64(i)), append(s.Y, math.Exp(-float64(i)/float64(10+k)))
				}
				c.Series = append(c.Series, s)
			}
			for b.Loop() {
				f, err := c.Draw()
				if err != nil {
					b.Fatal(err)
				}
				f.svg()
			}
		})
	}
}
