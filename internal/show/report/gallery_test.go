package report_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
)

var galleryDir = flag.String("gallery", "", "also write every sample picture to this directory")

// A drawer is anything that can be drawn; the gallery and the tests go through it.
type drawer interface {
	Draw() (*report.Figure, error)
}

func titled(title string) report.Text { return report.Text{Title: title} }

// gallery returns every kind of picture, named.
func gallery(t testing.TB) map[string]drawer {
	return map[string]drawer{
		"error_time": report.LineChart{
			Text: report.Text{Title: "Consensus error over time, 16 nodes",
				Subtitle: "9.76 GB/s per node, 48.9 MB message; Gaussian start. Times in the legend: error 10⁻⁴ reached."},
			X:      report.Axis{Label: "time", Unit: "ms"},
			Y:      report.Axis{Label: "consensus error (root of the sum of squares)", Log: true},
			Series: races(t, true),
			Levels: []report.Level{{Name: "target 10⁻⁴", Value: 1e-4}},
		},
		"error_time_log": report.LineChart{
			Text:   titled("Consensus error over time, 16 nodes"),
			X:      report.Axis{Label: "time", Unit: "ms", Log: true},
			Y:      report.Axis{Label: "consensus error", Log: true},
			Series: races(t, true),
			Levels: []report.Level{{Name: "target 10⁻⁴", Value: 1e-4}},
		},
		"error_iterations": report.LineChart{
			Text:   titled("Consensus error over iterations, 16 nodes"),
			X:      report.Axis{Label: "iterations"},
			Y:      report.Axis{Label: "consensus error", Log: true},
			Series: races(t, false),
			Levels: []report.Level{{Name: "target 10⁻⁴", Value: 1e-4}},
		},
		"bars": report.BarChart{
			Text: titled("What could be run"),
			Bars: []report.Bar{{Name: "DDP, bf16 gradients", Value: 133, Text: "133 ms", Strong: true},
				{Name: "local SGD between 4 groups of 4, 1 bit in pieces", Value: 156, Text: "156 ms"}, {Name: "nothing", Text: "0 ms"}},
		},
		"pareto": report.ScatterChart{
			Text: report.Text{Title: "What an iteration costs and what it buys, 16 nodes",
				Subtitle: "One point per edge budget r; the front joins the choices that no other choice beats in both."},
			X:      report.Axis{Label: "time per iteration", Unit: "ms"},
			Y:      report.Axis{Label: "r_asym, consensus error left after one round"},
			Points: choices(false), Chosen: "recommended",
			Paths: []report.Path{report.Front("Pareto front", choices(false)), lowerBound()},
		},
		"time_by_edges": report.ScatterChart{
			Text:   titled("Time to error 10⁻⁴ by number of edges, 16 nodes"),
			X:      report.Axis{Label: "edges r"},
			Y:      report.Axis{Label: "time to target", Unit: "ms", Log: true},
			Points: choices(true), Chosen: "recommended",
		},
		"graph_2":   report.GraphDrawing{Text: titled("Two nodes"), Matrix: circulant(t, 2, 1)},
		"graph_16":  report.GraphDrawing{Text: titled("A random graph on 16 nodes"), Matrix: randomGraph(t, 16, 0.2, 7)},
		"graph_dir": report.GraphDrawing{Text: titled("Exponential graph, 16 nodes, directed"), Matrix: exponential(t, 16)},
		"graph_128": report.GraphDrawing{Text: titled("A random graph on 128 nodes"), Matrix: randomGraph(t, 128, 0.04, 7)},
		"graph_256": report.GraphDrawing{Text: titled("256 nodes"), Matrix: randomGraph(t, 256, 0.02, 7)},
		"graph_named": report.GraphDrawing{Text: titled("Eight machines in two racks"), Matrix: hypercube(t, 8),
			Names: []string{"node-a1", "node-a2", "node-a3", "node-a4", "node-b1", "node-b2", "node-b3", "node-b4"}},
		"tree_8":            servers(1, exponential(t, 8)),
		"tree_8_undirected": servers(1, randomGraph(t, 8, 0.2, 5)),
		"tree_32":           servers(4, randomGraph(t, 32, 0.08, 2)),
		"leafspine": report.HardwareDrawing{Text: titled("Leaf–spine, 4 × 8 hosts"), Nodes: names(32),
			Layers: []report.Layer{layer("leaf", "uplink 24 GB/s", 32, func(i int) int { return i / 8 }),
				layer("spine", "", 32, func(int) int { return 0 })}},
		"bcube":     bcube(4, 2, bcubeGraph(t)),
		"bcube_exp": bcube(4, 2, exponential(t, 16)),
		"bcube_3":   bcube(2, 4, hypercube(t, 16)),
	}
}

func TestGallery(t *testing.T) {
	if *galleryDir == "" {
		return
	}
	for name, d := range gallery(t) {
		fig, err := d.Draw()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := os.WriteFile(filepath.Join(*galleryDir, name+".svg"), bytesOf(t, fig), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
