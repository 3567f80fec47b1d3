package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// tenNetworks are those of docs/understanding/collectives.md.
var tenNetworks = []string{"homogeneous-16", "node-level-16", "intra-server-8", "bcube-16-1to2", "bcube-16-2to3",
	"leaf-spine-32", "racks-2to1", "servers-4x4", "nvswitch-4x8", "edge-8"}

// A contest is what all-reduces take on one cluster, in milliseconds; 0 where one cannot run.
type contest struct {
	ring, halving, trees, batopo, bound float64
	how                                 string // batopo's
}

func hold(ctx context.Context, c *cluster.Cluster, seed uint64) (out contest, err error) {
	site := schedules.Site{Cluster: c, Seed: seed, Chunks: schedules.Chunks, Places: true}
	for name, ms := range map[string]*float64{
		schedules.RingAllReduce: &out.ring, "halving-doubling": &out.halving, "two-tree": &out.trees,
	} {
		way, err := schedules.FindCollective(name)
		if err != nil {
			return out, err
		}
		if exact, err := way.Find(ctx, site); err == nil {
			*ms = exact.Price.MS
		}
	}
	found, err := schedules.Search(ctx, schedules.Problem{Cluster: c, Form: schedules.Parts},
		schedules.Settings{Seed: seed, Chunks: schedules.Chunks})
	if err != nil {
		return out, err
	}
	out.batopo, out.bound = found.MS, found.Bound.MS
	out.how = fmt.Sprintf("%s, %d × %d", found.Name, found.Algorithm.Steps, found.Algorithm.Chunks)
	return out, nil
}

// printCollectives prints a row for every network.
func printCollectives(ctx context.Context, seed uint64) error {
	fmt.Println("| network | ring | halving–doubling | two trees | batopo | steps × chunks | none below |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, name := range tenNetworks {
		c, err := cluster.ReadFile("examples/" + name + ".yaml")
		if err != nil {
			return err
		}
		row, err := hold(ctx, c, seed)
		if err != nil {
			return err
		}
		times := cells([]float64{row.ring, row.halving, row.trees, row.batopo, row.bound})
		fmt.Printf("| %s | %s | %s | %s |\n", name, strings.Join(times[:4], " | "), row.how, times[4])
	}
	return nil
}

// drawCollectives draws how all-reduces fare on 8 fast and 8 slow nodes the more these differ.
func drawCollectives(ctx context.Context, file string, seed uint64) error {
	names := []string{"ring, best order", "halving–doubling", "two trees", "batopo", "no all-reduce is below"}
	series := make([]report.Series, len(names))
	for k, name := range names {
		series[k] = report.Series{Name: name, Strong: name == "batopo"}
	}
	for _, ratio := range []float64{1, 1.25, 1.5, 2, 3, 4, 6, 8} {
		spec := cluster.Homogeneous(16, cluster.PaperBandwidthGBs)
		spec.Bandwidth = nil
		for i := range 16 {
			spec.Bandwidth = append(spec.Bandwidth, cluster.PaperBandwidthGBs/[]float64{1, ratio}[i/8])
		}
		c, err := cluster.New(spec)
		if err != nil {
			return err
		}
		row, err := hold(ctx, c, seed)
		if err != nil {
			return err
		}
		for k, ms := range []float64{row.ring, row.halving, row.trees, row.batopo, row.bound} {
			series[k].X, series[k].Y = append(series[k].X, ratio), append(series[k].Y, ms)
		}
	}
	chart := report.LineChart{Text: report.Text{Title: "All-reduce on 8 fast and 8 slow nodes",
		Subtitle: "48.9 MB, fast nodes of 9.76 GB/s, as the planner prices them"},
		X: report.Axis{Label: "how many times as fast the fast nodes are"}, Y: report.Axis{Label: "all-reduce", Unit: "ms"},
		Series: series}
	figure, err := chart.Draw()
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return figure.Write(f)
}
