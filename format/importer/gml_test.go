package importer_test

import (
	"slices"
	"strings"
	"testing"
)

// readGML is ASCII by definition: other characters, quotes and ampersands are written as in HTML.
func TestGMLCharacters(t *testing.T) {
	d, err := read("gml", strings.NewReader(`graph [
  node [ id 0 label "S&#227;o Paulo" ]
  node [ id 1 label "Orl&eacute;ans" ]
  node [ id 2 label "R&amp;D &#x26; &quot;lab&quot;" ]
  node [ id 3 label "AT&T" ]
  edge [ source 0 target 1 ]
  edge [ source 1 target 2 ]
  edge [ source 2 target 3 ]
]`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"São Paulo", "Orléans", `R&D & "lab"`, "AT&T"}
	if !slices.Equal(d.Names, want) {
		t.Errorf("names %q, want %q", d.Names, want)
	}
	if ends := d.Links[1].Between; !slices.Equal(ends, want[1:3]) {
		t.Errorf("the second line joins %q, want %q", ends, want[1:3])
	}
}

// Edges of a directed graph are one way each, so two that lead back and forth are one line with two rates.
func TestDirectedGML(t *testing.T) {
	d, err := read("gml", strings.NewReader(`graph [ directed 1
  node [ id 0 ] node [ id 1 ] node [ id 2 ]
  edge [ source 1 target 0 capacity 8e9 ]
  edge [ source 0 target 1 capacity 16e9 distance 200 ]
  edge [ source 1 target 2 capacity 8e9 ]
]`))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Links) != 2 {
		t.Fatalf("%d lines %v, want 2", len(d.Links), d.Links)
	}
	if l := d.Links[0]; l.Between[0] != "1" || l.GBs != 0 || l.UpGBs != 1 || l.DownGBs != 2 || l.LatencyMS != 1 {
		t.Errorf("the first line is %+v, want 1 GB/s from 1 to 0 and 2 GB/s back, in 1 ms", l)
	}
	want := "the way back is as fast as the way there, where the file has one only: 1–2"
	if !slices.Contains(d.Assumed, want) {
		t.Errorf("assumed %q, want it to contain %q", d.Assumed, want)
	}
}

// A line beside another would never be used, which a note says.
func TestParallelGML(t *testing.T) {
	d, err := read("gml", strings.NewReader(
		`graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] edge [ source 1 target 0 capacity 9e9 ] ]`))
	if err != nil {
		t.Fatal(err)
	}
	want := "of several lines between the same places one is used, of least latency, then of most capacity: 1–0"
	if !slices.Contains(d.Notes, want) {
		t.Errorf("notes %q, want them to contain %q", d.Notes, want)
	}
}
