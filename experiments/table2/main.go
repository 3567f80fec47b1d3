// Command table2 computes what Table II of the BA-Topo paper depends on besides training:
// the slowest edge of every topology on every kind of hardware, and with it the time of an
// epoch. Dividing the paper's times by it must give whole epochs; package verdict does that.
package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
)

func main() { ledger.Main("table2", tasks) }

// The scenarios of the table. The last is a second reading of the fourth; see figures.
var scenarios = []string{"homogeneous", "node-level", "intra-server", "bcube-1to2", "bcube-1to2-highest"}

const (
	images = 50000 // of CIFAR-10 and CIFAR-100, divided among the nodes
	batch  = 32    // per node
)

type task = ledger.Task[measure.Epoch]

// tasks prices the topologies that the figures measured.
func tasks(o ledger.Options) ([]task, error) {
	figures, err := ledger.Read[measure.Measurement](o.Results, "figures")
	if err != nil {
		return nil, err
	}
	if len(figures.Rows) == 0 {
		return nil, fmt.Errorf("table2 needs the topologies of the figures, and %s has none", o.Results)
	}
	var list []task
	for _, row := range figures.Rows {
		scenario, topology, _ := strings.Cut(row.Key, "/")
		ours := strings.HasPrefix(topology, "auto") || topology == "plan"
		if !slices.Contains(scenarios, scenario) || len(row.Value.Errors) == 0 || ours || topology == "torus-doubled" {
			continue // not in the table
		}
		nodes := 16
		if scenario == "intra-server" {
			nodes = 8
		}
		list = append(list, task{Key: row.Key,
			Settings: map[string]any{"nodes": nodes, "images": images, "batch": batch, "min_edge_gb_s": row.Value.MinEdgeGBs},
			Compute:  func(context.Context) (measure.Epoch, error) { return epoch(nodes, row.Value), nil }})
	}
	return list, nil
}

// epoch prices an epoch of whole iterations with the slowest edge of a topology.
func epoch(nodes int, m measure.Measurement) measure.Epoch {
	iterations := math.Ceil(float64(images) / float64(batch*nodes))
	slowdown := cluster.PaperBandwidthGBs / m.MinEdgeGBs
	// 3.25 GB/s is printed for a third of 9.76; the times follow the ratio.
	if whole := math.Round(slowdown); math.Abs(slowdown-whole) < 0.005*slowdown {
		slowdown = whole
	}
	return measure.Epoch{Edges: m.Edges, MaxDegree: m.MaxDegree, Slowdown: slowdown, Iterations: int(iterations),
		Seconds: measure.EpochSeconds(iterations, slowdown)}
}
