package exporter_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/exporter"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// python is Debian's; another python3 that comes first in PATH may have no networkx.
const python = "/usr/bin/python3"

func family(t *testing.T, name string, p mixing.Params) *design.Plan {
	t.Helper()
	f, err := mixing.FindFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	return design.FromSchedule(mixing.Static(w))
}

// uneven returns a graph with a different weight on every edge, one of them negative, and awkward names.
func uneven(t *testing.T) *design.Plan {
	t.Helper()
	g, err := topology.New(5, []topology.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 0, J: 3}, {I: 1, J: 4}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(g, []float64{0.1, 1. / 3, -0.01, 0.2, 1e-17})
	if err != nil {
		t.Fatal(err)
	}
	p := design.FromSchedule(mixing.Static(w))
	p.Names = []string{`a"b`, `c\d`, "<e&f>", "größer", "two words"}
	p.Seal()
	return p
}

func schedule(t *testing.T, s *mixing.Schedule, err error) *design.Plan {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return design.FromSchedule(s)
}

func matrices(t *testing.T, p *design.Plan) []*mixing.Matrix {
	t.Helper()
	all, err := p.Matrices()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func export(t *testing.T, f exporter.Format, topo *design.Plan) ([]byte, []string) {
	t.Helper()
	var out bytes.Buffer
	warnings, err := f.Write(&out, topo)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	var again bytes.Buffer
	if _, err := f.Write(&again, topo); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Errorf("%s: two exports differ (error %v)", f.Name, err)
	}
	return out.Bytes(), warnings
}

func find(t *testing.T, name string) exporter.Format {
	t.Helper()
	f, err := exporter.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestReadBack loads every format with the library that its users have and compares the matrices.
func TestReadBack(t *testing.T) {
	base, baseErr := mixing.Base(7, 2)
	onePeer, onePeerErr := mixing.OnePeerExponential(6)
	topologies := map[string]*design.Plan{
		"ring of 6":                  family(t, "ring", mixing.Params{Nodes: 6}),
		"uneven":                     uneven(t),
		"torus of 12":                family(t, "torus", mixing.Params{Nodes: 12}),
		"random regular":             family(t, "random-regular", mixing.Params{Nodes: 14, Degree: 5, Seed: 2}),
		"exponential (directed)":     family(t, "exponential", mixing.Params{Nodes: 9}),
		"Base-3 on 7":                schedule(t, base, baseErr),
		"one-peer exponential (dir)": schedule(t, onePeer, onePeerErr),
	}
	dir := t.TempDir()
	var args, names []string
	var wants [][]*mixing.Matrix
	for _, f := range exporter.Formats {
		for name, topo := range topologies {
			want := matrices(t, topo)
			if len(want) > 1 && !f.Schedules || topo.Directed && !f.Directed {
				continue
			}
			data, warnings := export(t, f, topo)
			if f.Name == "decentralizepy" {
				w, err := mixing.Metropolis(want[0].Graph())
				if err != nil {
					t.Fatal(err)
				}
				want = []*mixing.Matrix{w}
			} else if warnings != nil {
				t.Errorf("%s, %s: warnings %q; want none", f.Name, name, warnings)
			}
			path := filepath.Join(dir, fmt.Sprintf("%d%s", len(wants), f.Ext))
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			args, names, wants = append(args, f.Name, path), append(names, f.Name+", "+name), append(wants, want)
		}
	}
	for k, got := range readBack(t, args) {
		compare(t, names[k], got, wants[k])
	}
}

// readBack loads files, given as format and path in turn, and returns their matrices by file, round, row and column.
func readBack(t *testing.T, args []string) [][][][]float64 {
	t.Helper()
	cmd := exec.Command(python, append([]string{filepath.Join("testdata", "readback.py")}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s could not load the exports (%v); apt-get install python3-numpy python3-networkx if they are missing\n%s",
			python, err, &stderr)
	}
	var files [][][][]float64
	if err := json.Unmarshal(out, &files); err != nil {
		t.Fatal(err)
	}
	if len(files) != len(args)/2 {
		t.Fatalf("%d of %d files came back", len(files), len(args)/2)
	}
	return files
}

func compare(t *testing.T, name string, got [][][]float64, want []*mixing.Matrix) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d rounds came back, want %d", name, len(got), len(want))
		return
	}
	for r, w := range want {
		dense := w.Dense()
		for i := range w.Nodes() {
			for j := range w.Nodes() {
				// Off the diagonal every bit must survive; self weights may have been summed again.
				if d := math.Abs(got[r][i][j] - dense.At(i, j)); d != 0 && (i != j || d > 1e-15) {
					t.Fatalf("%s: round %d, W[%d][%d] came back as %v, want %v", name, r, i, j, got[r][i][j], dense.At(i, j))
				}
			}
		}
	}
}

// TestOwnReaders reads back the formats that we read ourselves.
func TestOwnReaders(t *testing.T) {
	topo := uneven(t)
	matrix := matrices(t, topo)[0]
	edges, weights := matrix.Edges()
	for name, read := range map[string]func([]byte) (topology.File, error){
		"edges": func(b []byte) (topology.File, error) { return topology.ReadEdgeList(bytes.NewReader(b)) },
	} {
		data, _ := export(t, find(t, name), topo)
		file, err := read(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for k, e := range file.Graph.Edges() {
			if e != edges[k] || file.Weights[k] != weights[k] {
				t.Errorf("%s: edge %d came back as %v with %v, want %v with %v", name, k, e, file.Weights[k], edges[k], weights[k])
			}
		}
	}
	data, _ := export(t, find(t, "npy"), topo)
	square, err := mixing.SquareNPY(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	w, err := square.Matrix()
	if err != nil || !mat.EqualApprox(w.Dense(), matrix.Dense(), 1e-15) {
		t.Errorf("npy: error %v, or a different matrix", err)
	}
}

func TestDecentralizepyWarnsAboutWeights(t *testing.T) {
	f := find(t, "decentralizepy")
	if _, warnings := export(t, f, family(t, "torus", mixing.Params{Nodes: 16})); warnings != nil {
		t.Errorf("Metropolis weights are what decentralizepy uses, but it warned %q", warnings)
	}
	_, warnings := export(t, f, family(t, "torus", mixing.Params{Nodes: 16, Rule: "maximum-degree"}))
	if len(warnings) != 1 || !strings.Contains(warnings[0], "r_asym becomes 0.6000, this plan has 1.0000") {
		t.Errorf("warnings %q; want one with both values of r_asym", warnings)
	}
}

func TestExportErrors(t *testing.T) {
	onePeer, err := mixing.OnePeerExponential(6)
	directed := schedule(t, onePeer, err)
	static := family(t, "ring", mixing.Params{Nodes: 6})
	misnamed := family(t, "ring", mixing.Params{Nodes: 6})
	misnamed.Names = []string{"a"}
	mixed := design.FromSchedule(&mixing.Schedule{Rounds: []*mixing.Matrix{
		matrices(t, static)[0], matrices(t, family(t, "ring", mixing.Params{Nodes: 5}))[0]}})
	cases := []struct {
		name   string
		format string
		plan   *design.Plan
		want   string
	}{
		{"schedule as csv", "csv", directed, "npz, matchings, torch; batopo plan --static finds a graph"},
		{"all-reduce for BlueFog", "bluefog", &design.Plan{Kind: design.CollectiveKind},
			"is an all-reduce over all nodes, which bluefog cannot hold; what it does to values is written by npy, npz, csv"},
		{"names for BlueFog", "bluefog", misnamed, "names has 1 entries for 6 nodes"},
		{"directed edges", "edges", design.FromSchedule(mixing.Static(onePeer.Rounds[0])),
			"undirected graphs only; formats for directed ones are npy"},
		{"nothing", "npy", &design.Plan{}, "format"},
		{"names", "npy", misnamed, "names has 1 entries for 6 nodes"},
		{"sizes", "npz", mixed, "rounds[1].self_weights has 5 entries for 6 nodes"},
		{"too large", "csv", family(t, "ring", mixing.Params{Nodes: 20000}), "use networkx"},
		{"too many steps", "torch", family(t, "star", mixing.Params{Nodes: 4100}), "use matchings"},
	}
	for _, c := range cases {
		if _, err := find(t, c.format).Write(new(bytes.Buffer), c.plan); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want one that says %q", c.name, err, c.want)
		}
	}
	if _, err := exporter.Find("gexf"); err == nil || !strings.Contains(err.Error(), "networkx") {
		t.Errorf("unknown format: error %v; want the list", err)
	}
	for _, f := range exporter.Formats {
		if _, err := f.Write(failing{}, static); err == nil {
			t.Errorf("%s: a full disk went unnoticed", f.Name)
		}
	}
}

// failing is a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrInvalid }
