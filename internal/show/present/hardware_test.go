package present_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/examples"
	"github.com/batopo/batopo/internal/show/present"
)

// drawn is the picture of a description as text.
func drawn(t *testing.T, description string) string {
	t.Helper()
	c, err := cluster.Read("test", strings.NewReader(description))
	if err != nil {
		t.Fatal(err)
	}
	figure, err := present.DrawCluster(c)
	if err != nil {
		t.Fatal(err)
	}
	var svg strings.Builder
	if err := figure.Write(&svg); err != nil {
		t.Fatal(err)
	}
	return svg.String()
}

func says(t *testing.T, svg string, want ...string) {
	t.Helper()
	for _, text := range want {
		if !strings.Contains(svg, text) {
			t.Errorf("the picture does not say %q", text)
		}
	}
}

// Of resources and routes the pairs are drawn, with what they pass.
func TestResourcesAndRoutesAreDrawn(t *testing.T) {
	source, err := examples.Files.ReadFile("wan-general.yaml")
	if err != nil {
		t.Fatal(err)
	}
	svg := drawn(t, string(source))
	says(t, svg, "7 pairs that can exchange over 6 links", "berlin – madrid, 1.25 GB/s", "over berlin line, core, madrid line")
	if pairs := strings.Count(svg, `class="edge"`); pairs != 7 {
		t.Errorf("%d pairs, want 7", pairs)
	}
}

// Of links side by side one is priced, and that one is drawn.
func TestLinksSideBySide(t *testing.T) {
	svg := drawn(t, "format: batopo.cluster/v2\nnames: [a, b, c]\nlinks:\n  - {between: [a, b], gb_s: 2}\n"+
		"  - {between: [b, a], gb_s: 10}\n  - {between: [b, c], gb_s: 5}\n")
	says(t, svg, "2 links between 3 places; wider is faster; 1 link that no route takes is left", "10 GB/s")
	if strings.Contains(svg, "12 GB/s") {
		t.Error("the two links between a and b are drawn as one of 12 GB/s")
	}
}
