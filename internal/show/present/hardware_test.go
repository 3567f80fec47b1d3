package present_test

import (
	"fmt"
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

// Resources and routes are boxes above the nodes and pairs below them.
func TestResourcesAndRoutesAreDrawn(t *testing.T) {
	source, err := examples.Files.ReadFile("wan-general.yaml")
	if err != nil {
		t.Fatal(err)
	}
	svg := drawn(t, string(source))
	says(t, svg, "6 links, 7 pairs that can exchange below the nodes; wider is faster", "athens line", "0.625 GB/s",
		"berlin – madrid, 1.25 GB/s", "over berlin line, core, madrid line")
	if boxes, pairs := strings.Count(svg, `class="box"`), strings.Count(svg, `class="edge"`); boxes != 6 || pairs != 7 {
		t.Errorf("%d boxes and %d pairs, want 6 and 7", boxes, pairs)
	}
}

// Resources that would be a tower of boxes are left to the table; the pairs are drawn all the same.
func TestEntangledResources(t *testing.T) {
	var names, over []string
	for k := range 11 {
		names = append(names, fmt.Sprintf("  - {name: r%d, gb_s: %d}\n", k, 3+k))
		over = append(over, fmt.Sprintf("r%d", k))
	}
	svg := drawn(t, "format: batopo.cluster/v1\nnodes: 3\nresources:\n"+strings.Join(names, "")+"routes:\n"+
		"  - {pair: [0, 1], over: ["+strings.Join(over, ", ")+"]}\n  - {pair: [1, 2], over: [r10, r9]}\n")
	says(t, svg, "2 pairs that can exchange", "entangled", "1 – 2, 12 GB/s")
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
