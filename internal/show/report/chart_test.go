package report_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/show/report"

	"pgregory.net/rapid"
)

func lineChart(series ...report.Series) report.LineChart {
	return report.LineChart{
		Text:   report.Text{Title: "test"},
		X:      report.Axis{Label: "iterations"},
		Y:      report.Axis{Label: "error", Log: true},
		Series: series,
	}
}

func TestLineChartErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name  string
		chart report.LineChart
		want  string
	}{
		{"no series", lineChart(), "no positive value"},
		{"empty series", lineChart(report.Series{Name: "a"}), `series "a" has no value`},
		{"nothing positive", lineChart(report.Series{Name: "a", X: []float64{0, 1, 2, 3}, Y: []float64{0, -1, nan, inf}}),
			`series "a" has no value`},
		{"bad level", report.LineChart{X: report.Axis{Label: "x"}, Y: report.Axis{Label: "y", Log: true},
			Series: []report.Series{{Name: "a", X: []float64{0, 1}, Y: []float64{1, 2}}},
			Levels: []report.Level{{Name: "goal", Value: 0}}}, `level "goal" is 0`},
	}
	for _, tt := range tests {
		if _, err := tt.chart.Draw(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v; want one with %q", tt.name, err, tt.want)
		}
	}
}

// seriesOf returns the hover texts and the first path of every curve.
func seriesOf(t *testing.T, chart report.LineChart) (hovers, paths []string) {
	t.Helper()
	elements := parse(t, bytesOf(t, draw(t, chart)))
	for k, e := range elements {
		if e.class != "series" {
			continue
		}
		hovers = append(hovers, e.hover)
		if e.name == "path" {
			paths = append(paths, e.attrs["d"])
			continue
		}
		for _, inner := range elements[k+1:] {
			if inner.name == "path" {
				paths = append(paths, inner.attrs["d"])
				break
			}
		}
	}
	return hovers, paths
}

func TestNaNAndInfLeaveGaps(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4, 5, 6, 7}
	whole := []float64{1, .5, .25, .13, .06, .03, .01, .005}
	for _, hole := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1} {
		broken := slices.Clone(whole)
		broken[3] = hole
		hovers, paths := seriesOf(t,
			lineChart(report.Series{Name: "whole", Note: "7", X: x, Y: whole}, report.Series{Name: "broken", X: x, Y: broken}))
		if want := []string{"whole: 7", "broken"}; !slices.Equal(hovers, want) {
			t.Fatalf("hover texts are %q; want %q", hovers, want)
		}
		if got := strings.Count(paths[0], "M"); got != 1 {
			t.Errorf("the whole curve has %d strokes; want 1", got)
		}
		if got := strings.Count(paths[1], "M"); got != 2 {
			t.Errorf("a curve with %g in it has %d strokes; want 2", hole, got)
		}
	}
}

// A curve that becomes exactly 0 ends in an arrow head, unless it has left the picture before.
func TestExactZeroEndsInAnArrow(t *testing.T) {
	x := []float64{0, 1, 2, 3}
	tests := []struct {
		name string
		y    []float64
		want int
	}{
		{"decay", []float64{1, .1, .01, .001}, 0},
		{"exact", []float64{1, .2, 0, 0}, 1},
		{"at once", []float64{1, 0, 0, 0}, 1},
		{"below first", []float64{1, .1, 1e-9, 0}, 0},
	}
	for _, tt := range tests {
		chart := lineChart(report.Series{Name: tt.name, X: x, Y: tt.y})
		chart.Levels = []report.Level{{Name: "a decade above the lower edge", Value: 1e-3}}
		elements := parse(t, bytesOf(t, draw(t, chart)))
		arrows := 0
		for _, e := range elements {
			// The head is the only filled triangle without an outline.
			if d := e.attrs["d"]; strings.HasSuffix(d, "Z") && strings.Count(d, "L") == 2 && e.attrs["stroke"] == "" {
				arrows++
			}
		}
		if arrows != tt.want {
			t.Errorf("%s: %d arrow heads; want %d", tt.name, arrows, tt.want)
		}
	}
}

func TestLegendIsSortedBySpeed(t *testing.T) {
	x := []float64{0, 1, 2, 3}
	chart := lineChart(
		report.Series{Name: "slow", X: x, Y: []float64{1, .9, .8, .7}},
		report.Series{Name: "fast", X: x, Y: []float64{1, .01, 1e-4, 1e-6}},
		report.Series{Name: "middle", X: x, Y: []float64{1, .1, 1e-3, 1e-6}},
	)
	chart.Levels = []report.Level{{Name: "target", Value: 1e-2}}
	elements := parse(t, bytesOf(t, draw(t, chart)))
	var names []string
	for k, e := range elements {
		if e.class != "legend" {
			continue
		}
		for _, inner := range elements[k+1:] {
			if inner.name == "text" {
				names = append(names, inner.text)
				break
			}
		}
	}
	if want := []string{"fast", "middle", "slow"}; !slices.Equal(names, want) {
		t.Errorf("legend is %q; want %q", names, want)
	}
}

// A curve far beyond the others does not squeeze them to the left edge: it is named and has no stroke.
func TestCurveOutsideTheRange(t *testing.T) {
	chart := lineChart(
		report.Series{Name: "seen", X: []float64{0, 1, 2}, Y: []float64{1, .1, .01}},
		report.Series{Name: "too", X: []float64{0, 1, 2}, Y: []float64{1, .2, .01}},
		report.Series{Name: "later", X: []float64{10, 11, 12}, Y: []float64{1, .1, .01}},
	)
	hovers, paths := seriesOf(t, chart)
	if want := []string{"seen", "too", "later"}; !slices.Equal(hovers, want) || paths[2] != "" {
		t.Errorf("series are %q; want %q, the last one empty; its stroke is %q", hovers, want, paths[2])
	}
}

func TestOnePointIsAMarker(t *testing.T) {
	elements := parse(t, bytesOf(t, draw(t, lineChart(report.Series{Name: "one", X: []float64{3}, Y: []float64{.5}}))))
	for k, e := range elements {
		if e.class == "series" {
			if inner := elements[k+1 : k+4]; !slices.ContainsFunc(inner, func(e element) bool { return e.name == "circle" }) {
				t.Errorf("a single point is drawn as %v; want a circle", inner)
			}
			return
		}
	}
	t.Error("no series drawn")
}

func TestLongCurvesStaySmall(t *testing.T) {
	const rounds = 200_000
	s := report.Series{Name: "long"}
	for k := range rounds {
		s.X, s.Y = append(s.X, float64(k)), append(s.Y, math.Pow(0.9999, float64(k)))
	}
	if svg := bytesOf(t, draw(t, lineChart(s))); len(svg) > 20_000 {
		t.Errorf("a curve of %d points takes %d bytes of SVG; want at most 20000", rounds, len(svg))
	}
}

func TestScatterChart(t *testing.T) {
	elements := parse(t, bytesOf(t, draw(t, gallery(t)["pareto"])))
	if got, want := count(elements, "point"), len(choices(false)); got != want {
		t.Errorf("%d points drawn; want %d", got, want)
	}
	if got := count(elements, "path"); got != 2 {
		t.Errorf("%d lines drawn; want the front and the bound", got)
	}
	for name, bad := range map[string]report.ScatterChart{
		"empty":    {X: report.Axis{Label: "x"}, Y: report.Axis{Label: "y"}},
		"NaN":      {X: report.Axis{Label: "x"}, Y: report.Axis{Label: "y"}, Points: []report.Point{{X: math.NaN()}}},
		"log of 0": {X: report.Axis{Label: "x"}, Y: report.Axis{Label: "y", Log: true}, Points: []report.Point{{X: 1}}},
	} {
		if _, err := bad.Draw(); err == nil {
			t.Errorf("%s was drawn; want an error", name)
		}
	}
}

// The front must be what the definition says, found by comparing all pairs.
func TestFrontAgainstAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Map(rapid.IntRange(0, 8), func(v int) float64 { return float64(v) })
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) report.Point {
			return report.Point{X: coordinate.Draw(t, "x"), Y: coordinate.Draw(t, "y")}
		}), 1, 12).Draw(t, "points")
		front := report.Front("front", points)
		for _, p := range points {
			beaten := slices.ContainsFunc(points, func(q report.Point) bool {
				return q.X <= p.X && q.Y <= p.Y && (q.X < p.X || q.Y < p.Y)
			})
			listed := false
			for k := 0; k < len(front.X); k += 2 { // between them are the corners of the steps
				listed = listed || (front.X[k] == p.X && front.Y[k] == p.Y)
			}
			if beaten == listed {
				t.Fatalf("point (%g, %g) of %v: beaten %v, on the front %v", p.X, p.Y, points, beaten, listed)
			}
		}
		if !slices.IsSorted(front.X) {
			t.Fatalf("front runs %v; want left to right", front.X)
		}
	})
}

func TestNumber(t *testing.T) {
	tests := []struct {
		v    float64
		want string
	}{
		{0, "0"}, {16, "16"}, {12345, "12 345"}, {-3, "−3"}, {0.4582, "0.458"}, {1.2345, "1.23"}, {20.04, "20.0"},
		{1643.2, "1643"},
		{math.NaN(), "–"}, {math.Inf(1), "∞"}, {math.Inf(-1), "−∞"}, {0.000021, "2.1e-05"}, {-0.0004, "-4.0e-04"},
	}
	for _, tt := range tests {
		if got := report.Number(tt.v); got != tt.want {
			t.Errorf("Number(%g) = %q, want %q", tt.v, got, tt.want)
		}
	}
	for ms, want := range map[float64]string{0.002022: "2.022 µs", 0.2298: "0.2298 ms", 15.2805: "15.28 ms",
		1264.3: "1264 ms", 9999.7: "10000 ms", 12_000: "12 s", 583_600: "583.6 s", 4_000_160: "66.67 min",
		96_003_840: "26.67 h", 0: "0 ms", math.Inf(1): "∞"} {
		if got := report.Time(ms); got != want {
			t.Errorf("Time(%g) = %q, want %q", ms, got, want)
		}
	}
	for gbs, want := range map[float64]string{450: "450 GB/s", 3.2533: "3.253 GB/s", 0.0125: "0.0125 GB/s",
		0.000125: "0.125 MB/s", 2.5e-6: "2.5 kB/s"} {
		if got := report.Rate(gbs); got != want {
			t.Errorf("Rate(%g) = %q, want %q", gbs, got, want)
		}
	}
	durations := []struct {
		ms   float64
		want string
	}{{281.3, "281 ms"}, {9.39, "9.39 ms"}, {12_000, "12 s"}, {150_000, "2.50 min"}, {math.Inf(1), "∞"}}
	for _, tt := range durations {
		if got := report.Duration(tt.ms); got != tt.want {
			t.Errorf("Duration(%g) = %q, want %q", tt.ms, got, tt.want)
		}
	}
}
