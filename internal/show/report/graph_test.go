package report_test

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

func elementsOf(t *testing.T, d drawer) []element {
	t.Helper()
	return parse(t, bytesOf(t, draw(t, d)))
}

func TestGraphDrawsEveryNodeAndEdgeOnce(t *testing.T) {
	tests := []struct {
		name  string
		d     drawer
		nodes int
		edges int
	}{
		{"two nodes", report.GraphDrawing{Matrix: circulant(t, 2, 1)}, 2, 1},
		{"ring", report.GraphDrawing{Matrix: circulant(t, 9, 1, -1)}, 9, 9},
		{"complete", report.GraphDrawing{Matrix: metropolis(t, 7, topology.AllPairs(7))}, 7, 21},
		{"directed", report.GraphDrawing{Matrix: exponential(t, 16)}, 16, 64},
		{"no edges", report.GraphDrawing{Matrix: metropolis(t, 3, nil)}, 3, 0},
		{"torus", report.GraphDrawing{Matrix: grid(t, 4, 6, true)}, 24, 48},
		{"256 nodes", report.GraphDrawing{Matrix: circulant(t, 256, 1, -1)}, 256, 256},
		{"1000 nodes", report.GraphDrawing{Matrix: circulant(t, 1000, 1, -1)}, 1000, 1000},
		{"tree", servers(1, circulant(t, 8, 1, -1)), 8, 8},
		{"bcube", bcube(4, 2, bcubeGraph(t)), 16, 24},
	}
	for _, tt := range tests {
		elements := elementsOf(t, tt.d)
		if nodes, edges := count(elements, "node"), count(elements, "edge"); nodes != tt.nodes || edges != tt.edges {
			t.Errorf("%s: %d nodes and %d edges drawn; want %d and %d", tt.name, nodes, edges, tt.nodes, tt.edges)
		}
		hovers := map[string]bool{}
		for _, e := range elements {
			if e.class == "edge" || e.class == "node" {
				if e.hover == "" || hovers[e.hover] {
					t.Errorf("%s: hover text %q is empty or used twice", tt.name, e.hover)
				}
				hovers[e.hover] = true
			}
		}
	}
}

func TestHoverTextsTellWeights(t *testing.T) {
	w, err := mixing.FromArcs(3,
		[]mixing.Arc{{From: 0, To: 1, Weight: .25}, {From: 1, To: 2, Weight: .25}, {From: 2, To: 0, Weight: .25}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range elementsOf(t, report.GraphDrawing{Matrix: w, Names: []string{"a", "b", "c"}}) {
		if e.hover != "" && (e.class == "edge" || e.class == "node") {
			got = append(got, e.hover)
		}
	}
	want := "c → a, weight 0.2500; a → b, weight 0.2500; b → c, weight 0.2500; " +
		"node a, self weight 0.7500; node b, self weight 0.7500; node c, self weight 0.7500"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("hover texts are\n%s\nwant\n%s", s, want)
	}
}

func TestNamesUpTo256Nodes(t *testing.T) {
	for _, n := range []int{3, 10, 40, 100, 256, 257, 600} {
		texts := map[string]bool{}
		for _, e := range elementsOf(t, report.GraphDrawing{Matrix: circulant(t, n, 1, -1)}) {
			if e.name == "text" {
				texts[e.text] = true
			}
		}
		if last := fmt.Sprint(n - 1); texts[last] != (n <= 256) || texts["0"] != (n <= 256) {
			t.Errorf("%d nodes: node 0 named %v, node %s named %v; want names up to 256 nodes", n, texts["0"], last, texts[last])
		}
	}
}

func TestGraphDrawingErrors(t *testing.T) {
	tests := []struct {
		name string
		d    drawer
		want string
	}{
		{"too many nodes", report.GraphDrawing{Matrix: circulant(t, 5000, 1, -1)},
			"too large to draw: 5000 nodes and 5000 edges; the limits are 4096 and 20000"},
		{"too many edges", report.GraphDrawing{Matrix: metropolis(t, 210, topology.AllPairs(210))},
			"21945 edges; the limits"},
		{"hardware size", servers(40, nil), "320 nodes are too many"},
	}
	for _, tt := range tests {
		if _, err := tt.d.Draw(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v; want one with %q", tt.name, err, tt.want)
		}
	}
}

// legendCounts returns the numbers beside the legend's names.
func legendCounts(elements []element) map[string]string {
	counts := map[string]string{}
	for k, e := range elements {
		if e.class != "legend" {
			continue
		}
		var texts []string
		for _, inner := range elements[k+1:] {
			if inner.name == "g" {
				break
			}
			if inner.name == "text" {
				texts = append(texts, inner.text)
			}
		}
		if len(texts) == 2 {
			counts[texts[0]] = texts[1]
		}
	}
	return counts
}

// The BA-Topo paper's bandwidth model loads the highest link an edge crosses; it counts 10 edges of the exponential
// graph on the inter-socket link of an 8-GPU server, each pair once.
func TestServerColoursByMeetingPoint(t *testing.T) {
	pairs := exponential(t, 8).Graph().Edges()
	got := legendCounts(elementsOf(t, servers(1, metropolis(t, 8, pairs))))
	want := map[string]string{"meet at PIX": "4", "meet at NODE": "6", "meet at SYS": "10"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("edges per level are %v; want %v", got, want)
	}
}

func TestHardwareWithUnevenBranches(t *testing.T) {
	d := report.HardwareDrawing{Nodes: []string{"host", "x", "y"}, Layers: []report.Layer{
		{Name: "switch", Parts: []report.Part{{Name: "switch", Nodes: []int{1, 2}}}},
		{Name: "network", Parts: []report.Part{{Name: "top", Nodes: []int{0, 1, 2}}}},
	}, Matrix: metropolis(t, 3, topology.AllPairs(3))}
	got := legendCounts(elementsOf(t, d))
	want := map[string]string{"meet at network": "2", "meet at switch": "1"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("edges per level are %v; want %v", got, want)
	}
}

func TestBCubeColoursByLayer(t *testing.T) {
	// With 2 ports a layer is a bit, so the complete graph has n/2 pairs per layer and the rest is relayed.
	const n = 16
	relayed := 0
	for _, e := range topology.AllPairs(n) {
		if bits.OnesCount(uint(e.I^e.J)) > 1 {
			relayed++
		}
	}
	elements := elementsOf(t, bcube(2, 4, metropolis(t, n, topology.AllPairs(n))))
	want := map[string]string{"relayed: no shared switch": fmt.Sprint(relayed)}
	for k := range 4 {
		want[fmt.Sprintf("meet at layer %d switches", k)] = "8"
	}
	if got := legendCounts(elements); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("edges per layer are %v; want %v", got, want)
	}
	if boxes, wires := count(elements, "box"), count(elements, "wire"); boxes != 4*8 || wires != 4*n {
		t.Errorf("%d switches and %d wires; want 32 and 64", boxes, wires)
	}
}

func BenchmarkGraphSVG(b *testing.B) {
	for _, n := range []int{16, 128, 1024} {
		w := exponential(b, n)
		b.Run(fmt.Sprintf("n=%d/arcs=%d", n, w.Arcs()), func(b *testing.B) {
			for b.Loop() {
				bytesOf(b, draw(b, report.GraphDrawing{Matrix: w}))
			}
		})
	}
}
