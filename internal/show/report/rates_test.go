package report_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
)

// Pairs of different speed have lines of different width and colour, and the legend says which is which.
func TestRatesAreToldApart(t *testing.T) {
	draw := func(rates ...report.PairRate) string {
		f, err := report.RateDrawing{Names: []string{"a", "b", "c"}, Rates: rates}.Draw()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	strokes := func(svg string) map[string]bool {
		seen := map[string]bool{}
		for _, g := range regexp.MustCompile(`(?s)<g class="edge">.*?</g>`).FindAllString(svg, -1) {
			seen[regexp.MustCompile(`stroke-width="[^"]*"`).FindString(g)] = true
		}
		return seen
	}
	uneven := draw(report.PairRate{I: 0, J: 1, GBs: 100}, report.PairRate{I: 1, J: 2, GBs: 1, Note: "1 GB/s there, 2 back"},
		report.PairRate{I: 0, J: 2, GBs: 0.0125})
	for _, want := range []string{"100 GB/s", "0.0125 GB/s", "1 GB/s there, 2 back"} {
		if !strings.Contains(uneven, want) {
			t.Errorf("the drawing does not say %q", want)
		}
	}
	if got := len(strokes(uneven)); got != 3 {
		t.Errorf("%d widths of three different rates", got)
	}
	even := draw(report.PairRate{I: 0, J: 1, GBs: 5}, report.PairRate{I: 1, J: 2, GBs: 5.01})
	if strings.Count(even, "5.01 GB/s") != 2 || strings.Contains(even, "weight") {
		t.Errorf("rates that are nearly alike are not one class of 5 to 5.01 GB/s:\n%s", even)
	}
}
