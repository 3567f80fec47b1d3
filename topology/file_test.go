package topology_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"

	"github.com/google/go-cmp/cmp"
)

func TestReadEdgeList(t *testing.T) {
	f, err := topology.ReadEdgeList(strings.NewReader("# a triangle with a tail\n\n 4 # nodes\n2 1 0.25\r\n0 2\t-1e-3 # " +
		"may be negative\n1 0 1\n3 0 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]topology.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}, {I: 1, J: 2}},
		f.Graph.Edges()); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{1, -1e-3, 0, 0.25}, f.Weights); diff != "" {
		t.Errorf("weights (-want +got):\n%s", diff)
	}
}

func TestReadersNameWhatIsWrong(t *testing.T) {
	const head = `<graphml><key id="w" for="edge" attr.name="weight"/>` +
		`<graph edgedefault="undirected"><node id="a"/><node id="b"/>`
	tests := []struct {
		name, text, want string
		read             func(io.Reader) (topology.File, error)
	}{
		{"empty", "", "the file is empty", topology.ReadEdgeList},
		{"comments only", "# 3\n", "the file is empty", topology.ReadEdgeList},
		{"no count", "0 1\n", "line 1: \"0 1\"; the first line must be the number of nodes", topology.ReadEdgeList},
		{"zero nodes", "0\n", "line 1", topology.ReadEdgeList},
		{"too many nodes", "131073\n", "1 … 131072", topology.ReadEdgeList},
		{"one number", "3\n\n1\n", "line 3: \"1\"; an edge is", topology.ReadEdgeList},
		{"four fields", "3\n0 1 1 1\n", "line 2", topology.ReadEdgeList},
		{"a long word", "3\n0 " + strings.Repeat("ü", 60) + "\n", "line 2: \"" + strings.Repeat("ü", 40) + "…\" is not",
			topology.ReadEdgeList},
		{"a word", "3\n0 x\n", "line 2: \"x\" is not the number of a node; nodes are 0 … 2", topology.ReadEdgeList},
		{"out of range", "3\n0 3\n", "line 2: edge 0–3 is out of range; nodes are 0 … 2", topology.ReadEdgeList},
		{"negative", "3\n-1 2\n", "line 2: edge -1–2 is out of range", topology.ReadEdgeList},
		{"loop", "3\n1 1\n", "line 2: edge 1–1 joins a node to itself", topology.ReadEdgeList},
		{"duplicate", "3\n0 1\n1 2\n1 0\n", "line 4: edge 0–1 appears twice, first on line 2", topology.ReadEdgeList},
		{"half weighted", "3\n0 1 0.5\n1 2\n", "line 3: either all edges have a weight or none has", topology.ReadEdgeList},
		{"not a number", "3\n0 1 NaN\n", "line 2: weight NaN", topology.ReadEdgeList},
		{"infinite", "3\n0 1 1e999\n", "line 2: weight \"1e999\"", topology.ReadEdgeList},
		{"long line", "3\n" + strings.Repeat("0 ", 600), "line 2: 1200 characters", topology.ReadEdgeList},
		{"binary", "\x00\x01\x02", "line 1", topology.ReadEdgeList},
		{"empty", "", "do not fit the number of nodes", topology.ReadGraph6},
		{"no nodes", "?\n", "0 nodes", topology.ReadGraph6},
		{"short", "D?\n", "the 2 bytes do not fit the number of nodes", topology.ReadGraph6},
		{"long", "D???\n", "the 4 bytes do not fit", topology.ReadGraph6},
		{"bad byte", "D? \n", "byte 2 is ' '", topology.ReadGraph6},
		{"two graphs", "A_\nA_\n", "more than one line", topology.ReadGraph6},
		{"huge", "~~~~~~~~", "do not fit the number of nodes", topology.ReadGraph6},
		{"too many edges", "131072\n" + manyEdges(), "more than 1048576 edges, the most that a graph may have",
			topology.ReadEdgeList},
		{"empty", "", "EOF", topology.ReadGraphML},
		{"too many nodes", "<graphml><graph>" + manyNodes() + "</graph></graphml>", "more than 131072 nodes",
			topology.ReadGraphML},
		{"too many bytes", head + strings.Repeat(`<edge source="a" target="b"/>`, limits.Edges), "larger than 16 MiB",
			topology.ReadGraphML},
		{"deep data", head + "<data>" + strings.Repeat("<a>", 1<<20), "unexpected EOF", topology.ReadGraphML},
		{"element in a weight", head + `<edge source="a" target="b"><data key="w"><b>1</b></data></edge></graph></graphml>`,
			"weight \"\"", topology.ReadGraphML},
		{"not XML", "3\n0 1\n", "EOF", topology.ReadGraphML},
		{"broken XML", "<graphml><graph>\n</graphml>", "line 2", topology.ReadGraphML},
		{"other XML", "<svg/>", "expected element type <graphml> but have <svg>", topology.ReadGraphML},
		{"directed", `<graphml><graph edgedefault="directed"/></graphml>`, "one undirected graph", topology.ReadGraphML},
		{"directed edge", head + `<edge source="a" target="b" directed="true"/></graph></graphml>`, "is directed",
			topology.ReadGraphML},
		{"two graphs", `<graphml><graph/><graph/></graphml>`, "has 2 graphs", topology.ReadGraphML},
		{"node twice", head + `<node id="a"/></graph></graphml>`, "node \"a\" appears twice", topology.ReadGraphML},
		{"node without id", head + `<node/></graph></graphml>`, "node 3 of the file has no id", topology.ReadGraphML},
		{"half an edge", head + `<edge source="a"/></graph></graphml>`, "one of these nodes does not exist",
			topology.ReadGraphML},
		{"unknown node", head + "\n" + `<edge source="a" target="c"/></graph></graphml>`,
			"line 2: edge \"a\"–\"c\"; one of these nodes does not exist", topology.ReadGraphML},
		{"loop", head + `<edge source="a" target="a"/></graph></graphml>`, "joins a node to itself", topology.ReadGraphML},
		{"nested", head + `<node id="c"><graph/></node></graph></graphml>`, "has a graph or a port inside",
			topology.ReadGraphML},
		{"hyperedge", head + `<hyperedge/></graph></graphml>`, "without hyperedges", topology.ReadGraphML},
		{"bad weight", head + `<edge source="a" target="b"><data key="w">x</data></edge></graph></graphml>`, "weight \"x\"",
			topology.ReadGraphML},
	}
	for _, tt := range tests {
		_, err := tt.read(strings.NewReader(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %.60q: error %v, want one that says %q", tt.name, tt.text, err, tt.want)
		}
	}
}

// manyEdges lists one edge more than a graph may have.
func manyEdges() string {
	var b strings.Builder
	for k := range limits.Edges + 1 {
		fmt.Fprintf(&b, "%d %d\n", k%limits.Nodes, (k%limits.Nodes+1+k/limits.Nodes)%limits.Nodes)
	}
	return b.String()
}

func manyNodes() string {
	var b strings.Builder
	for k := range limits.Nodes + 1 {
		fmt.Fprintf(&b, `<node id="%d"/>`, k)
	}
	return b.String()
}

// Comments may be as long as they like, and may hold what looks like a tag.
func TestGraphMLSkipsLongComments(t *testing.T) {
	text := "<graphml><!-- <a " + strings.Repeat("'", 1<<17) + " --><graph><desc><![CDATA[<" + strings.Repeat("x", 1<<17) +
		`]]></desc><node id="a"/></graph></graphml>`
	if f, err := topology.ReadGraphML(strings.NewReader(text)); err != nil || f.Graph.Nodes() != 1 {
		t.Errorf("got %v and %v", f, err)
	}
}

// endless is a file without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '~'
	}
	return len(p), nil
}

func TestReadersStopAtTheSizeLimit(t *testing.T) {
	for name, c := range map[string]struct {
		read func(io.Reader) (topology.File, error)
		most string
	}{
		"edge list": {topology.ReadEdgeList, "64 MiB"}, "graph6": {topology.ReadGraph6, "64 MiB"},
		"GraphML": {topology.ReadGraphML, "16 MiB"},
	} {
		if _, err := c.read(endless{}); err == nil || !strings.Contains(err.Error(), "larger than "+c.most) {
			t.Errorf("%s without end: error %v, want one that names the limit of %s", name, err, c.most)
		}
	}
}

func TestGraph6KnownGraphs(t *testing.T) {
	// The example of McKay's format description: 5 nodes, edges 02 04 13 34. The
	// others are spelt as in nauty's and networkx's documentation.
	tests := []struct {
		text  string
		edges []topology.Edge
		n     int
	}{
		{"DQc\n", []topology.Edge{{I: 0, J: 2}, {I: 0, J: 4}, {I: 1, J: 3}, {I: 3, J: 4}}, 5},
		{">>graph6<<A_\n", []topology.Edge{{I: 0, J: 1}}, 2},
		{"@", nil, 1},
		{"C~\r\n", topology.AllPairs(4), 4},
	}
	for _, tt := range tests {
		f, err := topology.ReadGraph6(strings.NewReader(tt.text))
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if f.Graph.Nodes() != tt.n || !slices.Equal(f.Graph.Edges(), tt.edges) {
			t.Errorf("%q: %d nodes, edges %v, want %d, %v", tt.text, f.Graph.Nodes(), f.Graph.Edges(), tt.n, tt.edges)
		}
	}
}

// From the format description: n = 12345 is ~B?x with the first byte 126 and 66 63 120.
func TestGraph6ReadsLargeNumbers(t *testing.T) {
	const n = 12345
	text := append([]byte{126, 66, 63, 120}, bytes.Repeat([]byte("?"), (topology.Pairs(n)+5)/6)...)
	text[4] = '_' // the first pair
	f, err := topology.ReadGraph6(bytes.NewReader(text))
	if err != nil || f.Graph.Nodes() != n || !slices.Equal(f.Graph.Edges(), []topology.Edge{{I: 0, J: 1}}) {
		t.Errorf("%v, %v; want %d nodes and the edge 0–1", f.Graph, err, n)
	}
}

func TestFilesRoundTripByteForByte(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for n := 1; n <= 70; n++ {
		g := randomGraph(n, rng)
		weights := make([]float64, len(g.Edges()))
		for k := range weights {
			weights[k] = rng.NormFloat64()
		}
		for name, write := range map[string]func(io.Writer, topology.File) error{
			"edge list": func(w io.Writer, f topology.File) error { return topology.WriteEdgeList(w, f.Graph, nil) },
			"weighted edge list": func(w io.Writer, f topology.File) error {
				return topology.WriteEdgeList(w, f.Graph,
					f.Weights)
			},
		} {
			var first, second bytes.Buffer
			if err := write(&first, topology.File{Graph: g, Weights: weights}); err != nil {
				t.Fatal(err)
			}
			f, err := topology.ReadEdgeList(bytes.NewReader(first.Bytes()))
			if err != nil {
				t.Fatalf("%s of %d nodes: %v", name, n, err)
			}
			if err := write(&second, f); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first.Bytes(), second.Bytes()) || !slices.Equal(f.Graph.Edges(), g.Edges()) || f.Graph.Nodes() != n {
				t.Errorf("%s of %d nodes changes on a round trip", name, n)
			}
		}
	}
}

func TestWriteEdgeListWantsOneWeightPerEdge(t *testing.T) {
	g, err := topology.Ring(4)
	if err != nil {
		t.Fatal(err)
	}
	if err := topology.WriteEdgeList(io.Discard, g, []float64{1}); err == nil {
		t.Error("1 weight for 4 edges: got no error")
	}
}

// TestReadGraphML reads what networkx 2.8 writes for a weighted graph with node
// data, and a file that leaves the weight to a default.
func TestReadGraphML(t *testing.T) {
	const networkx = `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="d1" for="edge" attr.name="weight" attr.type="double"/>
  <key id="d0" for="node" attr.name="rack" attr.type="string"/>
  <graph edgedefault="undirected">
    <node id="gpu-a"><data key="d0">left</data></node>
    <node id="gpu-b"/>
    <node id="gpu-c"/>
    <edge source="gpu-c" target="gpu-a">
      <data key="d1">0.25</data>
    </edge>
    <edge source="gpu-a" target="gpu-b"><data key="d1"> 0.5 </data></edge>
  </graph>
</graphml>`
	f, err := topology.ReadGraphML(strings.NewReader(networkx))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]topology.Edge{{I: 0, J: 1}, {I: 0, J: 2}}, f.Graph.Edges()); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{0.5, 0.25}, f.Weights); diff != "" {
		t.Errorf("weights (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"gpu-a", "gpu-b", "gpu-c"}, f.Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	f, err = topology.ReadGraphML(strings.NewReader(`<graphml>
		<key id="w" for="edge" attr.name="weight"><default>0.125</default></key>
		<desc>edges first</desc><graph><edge source="y" target="x"/><node id="x"/><node id="y"/></graph></graphml>`))
	if err != nil || len(f.Weights) != 1 || f.Weights[0] != 0.125 {
		t.Errorf("a default weight of 0.125: got %v, error %v", f.Weights, err)
	}
}

// fuzzReader checks that a reader never panics, and that what it accepts comes back when written.
func fuzzReader(f *testing.F, read func(io.Reader) (topology.File, error), seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := topology.WriteEdgeList(&out, file.Graph, file.Weights); err != nil {
			t.Fatal(err)
		}
		again, err := topology.ReadEdgeList(&out)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again.Graph.Edges(), file.Graph.Edges()) || !slices.Equal(again.Weights, file.Weights) {
			t.Fatalf("%q reads as %v %v, but that comes back as %v %v",
				data, file.Graph.Edges(), file.Weights, again.Graph.Edges(), again.Weights)
		}
	})
}

func FuzzReadEdgeList(f *testing.F) {
	fuzzReader(f, topology.ReadEdgeList, "3\n0 1\n1 2 # x\n", "2\n0 1 0.5\n", "1\n", "#\n\n2\r\n1 0 1e-300")
}

func FuzzReadGraph6(f *testing.F) {
	fuzzReader(f, topology.ReadGraph6, "DQc\n", ">>graph6<<A_", "@", "~?@~", "C~")
}

func FuzzReadGraphML(f *testing.F) {
	fuzzReader(f, topology.ReadGraphML, `<graphml><key id="w" for="edge" attr.name="weight"><default>1</default></key>`+
		`<graph><node id="a"/><node id="b"/>`+
		`<edge source="a" target="b"><data key="w">0.5</data></edge></graph></graphml>`, `<graphml><desc/></graphml>`)
}

// Editors on Windows begin a file with a byte order mark and end lines with a carriage return.
func TestEdgeListsOfWindows(t *testing.T) {
	f, err := topology.ReadEdgeList(strings.NewReader("\ufeff4\r\n0 1\r\n1 2\r\n2 3\r\n"))
	if err != nil || f.Graph.Nodes() != 4 || len(f.Graph.Edges()) != 3 {
		t.Errorf("%v, %v; want a path of 4 nodes", f.Graph, err)
	}
}
