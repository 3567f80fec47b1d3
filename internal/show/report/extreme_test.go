package report_test

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
)

// extremes are finite numbers at which arithmetic overflows, underflows or can no longer tell neighbours apart.
var extremes = []float64{
	0, 5e-324, 1e-323, 1e-300, 1e-12, 0.3, 0.3 + 1e-16, 1, 1 + 1e-15, 7, 1e4, 1e15, 1e16, 1e16 + 2, 1e300, 1e308,
	math.MaxFloat64,
}

var notANumber = regexp.MustCompile(`NaN|Inf|[0-9]{40}`)

// Every chart of finite numbers is drawn, or refused because a logarithm has no place for 0: no endless loop, no NaN.
func TestChartsOfAnyFiniteNumbers(t *testing.T) {
	var values []float64
	for _, v := range extremes {
		values = append(values, v, -v)
	}
	for _, a := range values {
		for _, b := range values {
			for _, log := range []bool{false, true} {
				axis := report.Axis{Label: "value", Log: log}
				name := fmt.Sprintf("%g and %g, log %v", a, b, log)
				positive := !log || a > 0 && b > 0
				fair(t, "lines of "+name, positive,
					report.LineChart{X: axis, Y: axis,
						Series: []report.Series{{Name: "s", X: []float64{a, b}, Y: []float64{b, a}}}}.Draw)
				fair(t, "points of "+name, positive,
					report.ScatterChart{X: axis, Y: axis,
						Points: []report.Point{{Name: "p", X: a, Y: b}, {Name: "q", X: b, Y: a}}}.Draw)
				level := report.LineChart{X: axis, Y: axis, Series: []report.Series{{Name: "s", X: []float64{1, 2},
					Y: []float64{a, b}}}, Levels: []report.Level{{Name: "l", Value: b}}}
				fair(t, "level of "+name, positive, level.Draw)
			}
		}
	}
}

func fair(t *testing.T, name string, must bool, draw func() (*report.Figure, error)) {
	t.Helper()
	f, err := draw()
	if err != nil {
		if must {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	if bad := notANumber.FindString(b.String()); bad != "" {
		t.Errorf("%s: the picture holds %q", name, bad)
	}
}
