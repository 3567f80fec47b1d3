package report_test

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
)

// Three panels of one size are two rows of two and one, beside and below each other, inside the picture.
func TestPanelsLieBesideEachOther(t *testing.T) {
	var panels report.Panels
	for range 3 {
		f, err := report.GraphDrawing{Matrix: circulant(t, 8, 1, -1)}.Draw()
		if err != nil {
			t.Fatal(err)
		}
		panels.Figures = append(panels.Figures, f)
	}
	size := func(f *report.Figure) (svg string, width, height float64) {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`viewBox="0 0 (\S+) (\S+)"`).FindStringSubmatch(b.String())
		return b.String(), number(t, m[1]), number(t, m[2])
	}
	_, wide, high := size(panels.Figures[0])
	all, err := panels.Draw()
	if err != nil {
		t.Fatal(err)
	}
	svg, width, height := size(all)
	places := regexp.MustCompile(`<g transform="translate\((\S+) (\S+)\)">`).FindAllStringSubmatch(svg, -1)
	if len(places) != 3 {
		t.Fatalf("%d panels are drawn, want 3", len(places))
	}
	for k, place := range places {
		x, y := number(t, place[1]), number(t, place[2])
		if want := float64(k%2) * wide; x != want || x+wide > width {
			t.Errorf("panel %d begins at x = %v of %v, want %v", k, x, width, want)
		}
		if below := number(t, places[0][2]) + float64(k/2)*high; y < below-0.01 || y > below+0.01 || y+high > height+0.01 {
			t.Errorf("panel %d begins at y = %v of %v, want %v", k, y, height, below)
		}
	}
	for n, columns := range map[int]int{16: 2, 24: 2, 64: 1} { // of 24 nodes only a little smaller
		pair := report.Panels{Figures: []*report.Figure{draw(t, report.GraphDrawing{Matrix: circulant(t, n, 1, -1)}),
			draw(t, report.GraphDrawing{Matrix: circulant(t, n, 1, -1)})}}
		one, _, _ := strings.Cut(string(bytesOf(t, draw(t, pair))), "role=")
		_, wide, high := size(pair.Figures[0])
		_, width, height := size(draw(t, pair))
		if beside := width > 1.5*wide && height < 1.5*high; beside != (columns == 2) {
			t.Errorf("two panels of %d nodes, %v × %v each: %s", n, wide, high, one)
		}
	}
	if _, err := (report.Panels{}).Draw(); err == nil {
		t.Error("no panels make a picture")
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
