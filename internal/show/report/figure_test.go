package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
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

func bytesOf(t testing.TB, fig *report.Figure) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := fig.Write(&b); err != nil {
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
			svg := bytesOf(t, fig)
			elements := parse(t, svg)
			if elements[0].name != "svg" || elements[0].hover == "" {
				t.Errorf("the root element is <%s> with title %q; want <svg> with a title", elements[0].name, elements[0].hover)
			}
			for _, bad := range []string{"NaN", "Inf", "%!", "http:", "https:", "href", "<script", "<image"} {
				if text := strings.Replace(string(svg), `xmlns="http://www.w3.org/2000/svg"`, "", 1); strings.Contains(text, bad) {
					t.Errorf("SVG contains %q", bad)
				}
			}
			if out := overflows(elements, report.TextWidth); len(out) > 0 {
				t.Errorf("%d texts stick out of the figure, the first is %s", len(out), out[0])
			}
			if out := collisions(elements, report.TextWidth); len(out) > 0 {
				t.Errorf("%d texts overlap, the first are %s", len(out), out[0])
			}
		})
	}
}

func TestPicturesAreDeterministic(t *testing.T) {
	// Drawn from scratch each time: maps anywhere in the way would show.
	first, second := gallery(t), gallery(t)
	for name := range first {
		a, b := bytesOf(t, draw(t, first[name])), bytesOf(t, draw(t, second[name]))
		if !bytes.Equal(a, b) {
			t.Errorf("%s: two runs give different files (%d and %d bytes)", name, len(a), len(b))
		}
	}
}

func TestDrawingFromManyGoroutines(t *testing.T) {
	d := gallery(t)["graph_named"]
	want := bytesOf(t, draw(t, d))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var b bytes.Buffer
			fig, err := d.Draw()
			if err == nil {
				err = fig.Write(&b)
			}
			if err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("drawn beside others: %v, %d bytes; want the same %d bytes", err, b.Len(), len(want))
			}
		})
	}
	group.Wait()
}

// failingWriter accepts nothing.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrorsAreReported(t *testing.T) {
	fig := draw(t, gallery(t)["graph_2"])
	if err := fig.Write(failingWriter{}); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("written to a full disk: %v; want disk full", err)
	}
}

// labelled is a chart that shows s wherever a text can stand.
func labelled(s string) drawer {
	return report.ScatterChart{
		Text:   report.Text{Title: s, Subtitle: s},
		X:      report.Axis{Label: "x" + s, Unit: s},
		Y:      report.Axis{Label: "y" + s, Unit: s},
		Points: []report.Point{{Name: s, X: 1, Y: 2, Note: s, Strong: true}, {Name: "b", X: 2, Y: 1}},
		Chosen: s,
		Paths:  []report.Path{{Name: s, X: []float64{1, 2}, Y: []float64{1, 2}}},
	}
}

func TestOddTexts(t *testing.T) {
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
		elements := parse(t, bytesOf(t, draw(t, labelled(s))))
		if out := overflows(elements, report.TextWidth); len(out) > 0 {
			t.Errorf("%s: %d texts stick out of the figure, the first is %.200s", name, len(out), out[0])
		}
	}
}

func FuzzTextsAreEscaped(f *testing.F) {
	f.Add("plain")
	f.Add(`<script>alert("&")</script>`)
	f.Add("\x00\x1b[31m\xff\ufffe]]>\n10⁻⁴ λ₂")
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range parse(t, bytesOf(t, draw(t, labelled(s)))) {
			if e.name == "script" {
				t.Fatalf("%q opened an element", s)
			}
		}
	})
}
