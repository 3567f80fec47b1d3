package importer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/importer"
)

// GML is ASCII by definition: other characters, quotes and ampersands are written as in HTML.
func TestGMLCharacters(t *testing.T) {
	d, err := importer.GML(strings.NewReader(`graph [
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
