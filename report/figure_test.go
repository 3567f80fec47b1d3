package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"batopo/report"
)

// draw returns the figure of d or ends the test.
func draw(t testing.TB, d drawer) *report.Figure {
	t.Helper()
	fig, err := d.Draw()
	if err != nil {
		t.Fatal(err)
	}
	return fig
}

func bytesOf(t testing.TB, fig *report.Figure, format report.Format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := fig.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An element is a parsed SVG element with its own text and its hover text.
type element struct {
	name, class, text, hover string
	attrs                    map[string]string
}

// parse reads an SVG document strictly and returns its elements in order.
func parse(t testing.TB, svg []byte) []element {
	t.Helper()
	var out []element
	var open []int
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("SVG does not parse: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			e.class, _, _ = strings.Cut(e.attrs["class"], " ")
			out, open = append(out, e), append(open, len(out))
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) == 0 {
				continue
			}
			top := open[len(open)-1]
			out[top].text += string(token)
			if out[top].name == "title" && len(open) > 1 {
				out[open[len(open)-2]].hover += string(token)
			}
		}
	}
}

func count(elements []element, class string) int {
	n := 0
	for _, e := range elements {
		if e.class == class {
			n++
		}
	}
	return n
}

func TestEveryPictureIsReadable(t *testing.T) {
	for name, d := range gallery(t) {
		t.Run(name, func(t *testing.T) {
			fig := draw(t, d)
			svg := bytesOf(t, fig, report.SVG)
			elements := parse(t, svg)
			if elements[0].name != "svg" || elements[0].hover == "" {
				t.Errorf("the root element is <%s> with title %q; want <svg> with a title", elements[0].name, elements[0].hover)
			}
			for _, bad := range []string{"NaN", "Inf", "%!", "http:", "https:", "href", "<script", "<image"} {
				if text := strings.Replace(string(svg), `xmlns="http://www.w3.org/2000/svg"`, "", 1); strings.Contains(text, bad) {
					t.Errorf("SVG contains %q", bad)
				}
			}
			if out := report.Overflows(fig); len(out) > 0 {
				t.Errorf("%d texts stick out of the figure, the first is %s", len(out), out[0])
			}
			if out := report.Collisions(fig); len(out) > 0 {
				t.Errorf("%d texts overlap, the first are %s", len(out), out[0])
			}
		})
	}
}

func TestPicturesAreDeterministic(t *testing.T) {
	// Drawn from scratch each time: maps anywhere in the way would show. PNG and PDF follow
	// from the same description, so a few of them tell.
	few := []string{"error_time", "lift_16", "tree_8", "heatmap_8"}
	first, second := gallery(t), gallery(t)
	for _, name := range slices.Sorted(maps.Keys(first)) {
		formats := []report.Format{report.SVG}
		if slices.Contains(few, name) {
			formats = report.Formats()
		}
		for _, format := range formats {
			a, b := bytesOf(t, draw(t, first[name]), format), bytesOf(t, draw(t, second[name]), format)
			if !bytes.Equal(a, b) {
				t.Errorf("%s: two runs give different %s files (%d and %d bytes)", name, format, len(a), len(b))
			}
		}
	}
}

func TestDrawingFromManyGoroutines(t *testing.T) {
	d := gallery(t)["graph_named"]
	want := bytesOf(t, draw(t, d), report.PDF)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var b bytes.Buffer
			fig, err := d.Draw()
			if err == nil {
				err = fig.Write(&b, report.PDF)
			}
			if err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("drawn beside others: %v, %d bytes; want the same %d bytes", err, b.Len(), len(want))
			}
		})
	}
	group.Wait()
}

func TestPNGHasTwoPixelsPerUnit(t *testing.T) {
	fig := draw(t, gallery(t)["time_bars"])
	img, err := png.Decode(bytes.NewReader(bytesOf(t, fig, report.PNG)))
	if err != nil {
		t.Fatal(err)
	}
	width, height := fig.Size()
	if got := img.Bounds(); got.Dx() != int(2*width+0.5) || got.Dy() != int(2*height+0.5) {
		t.Errorf("PNG is %d × %d pixels for a figure of %g × %g; want twice that", got.Dx(), got.Dy(), width, height)
	}
	colours := map[[3]uint32]bool{}
	for x := 0; x < img.Bounds().Dx(); x += 3 {
		for y := 0; y < img.Bounds().Dy(); y += 3 {
			r, g, b, _ := img.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}] = true
		}
	}
	if len(colours) < 20 {
		t.Errorf("PNG has %d colours; the chart should have many more", len(colours))
	}
}

func TestPDFCarriesNoClock(t *testing.T) {
	pdf := bytesOf(t, draw(t, gallery(t)["graph_2"]), report.PDF)
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Fatalf("PDF begins with %q", pdf[:min(8, len(pdf))])
	}
	for _, field := range []string{"/CreationDate (D:19700101000000)", "/ModDate (D:19700101000000)"} {
		if !bytes.Contains(pdf, []byte(field)) {
			t.Errorf("PDF lacks %s", field)
		}
	}
}

func TestFormats(t *testing.T) {
	tests := []struct {
		file string
		want report.Format
		err  string
	}{
		{"plot.svg", report.SVG, ""},
		{"a/b.c/plot.PNG", report.PNG, ""},
		{"plot.pdf", report.PDF, ""},
		{"plot.jpeg", "", `unknown format ".jpeg"; known are svg, png, pdf`},
		{"plot", "", "no extension to tell the format; known are svg, png, pdf"},
	}
	for _, tt := range tests {
		got, err := report.FormatOf(tt.file)
		if got != tt.want || (err == nil) != (tt.err == "") || (err != nil && !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("FormatOf(%q) = %q, %v; want %q and an error with %q", tt.file, got, err, tt.want, tt.err)
		}
	}
	if err := draw(t, gallery(t)["graph_2"]).Write(io.Discard, "gif"); err == nil || !strings.Contains(err.Error(), "svg, png, pdf") {
		t.Errorf("Write as gif: %v; want an error that lists the known formats", err)
	}
}

// failingWriter accepts nothing.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrorsAreReported(t *testing.T) {
	fig := draw(t, gallery(t)["graph_2"])
	for _, format := range report.Formats() {
		if err := fig.Write(failingWriter{}, format); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("%s to a full disk: %v; want disk full", format, err)
		}
	}
}

// labelled is a chart that shows s wherever a text can stand.
func labelled(s string) drawer {
	return report.BarChart{
		Text: report.Text{Title: s, Subtitle: s},
		X:    report.Axis{Label: "x" + s, Unit: s},
		Bars: []report.Bar{{Name: s, Value: 1, Note: s}, {Name: "b", Value: 2, Group: s}},
	}
}

func TestOddTextsInEveryFormat(t *testing.T) {
	for name, s := range map[string]string{
		"empty":     "",
		"control":   "\x00\x1b[31m\r\n\t",
		"not UTF-8": "\xff\xfe\x80",
		"emoji":     "🙂 👩‍🔬",
		"Chinese":   "带宽感知",
		"combining": "e\u0301\u200d",
		"long":      strings.Repeat("long ", 2000),
		"one word":  strings.Repeat("x", 100_000),
	} {
		fig := draw(t, labelled(s))
		parse(t, bytesOf(t, fig, report.SVG))
		for _, format := range []report.Format{report.PNG, report.PDF} {
			if len(bytesOf(t, fig, format)) == 0 {
				t.Errorf("%s: empty %s file", name, format)
			}
		}
	}
}

func FuzzTextsAreEscaped(f *testing.F) {
	f.Add("plain")
	f.Add(`<script>alert("&")</script>`)
	f.Add("\x00\x1b[31m\xff\ufffe]]>\n10⁻⁴ λ₂")
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range parse(t, bytesOf(t, draw(t, labelled(s)), report.SVG)) {
			if e.name == "script" {
				t.Fatalf("%q opened an element", s)
			}
		}
	})
}
