// Schedules prints how long every schedule and collective takes on seven networks, without latency and with a
// millisecond of it, beside what package schedules finds and what it proves that none can beat.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/importer"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// A network is a column of the table.
type network struct{ name, file string }

var networks = []network{
	{"16 equal", "examples/homogeneous-16.yaml"},
	{"8 fast, 8 slow", "examples/node-level-16.yaml"},
	{"intra-server", "examples/intra-server-8.yaml"},
	{"BCube 1:2", "examples/bcube-16-1to2.yaml"},
	{"leaf–spine", "examples/leaf-spine-32.yaml"},
	{"Gaia", "format/importer/testdata/marfoq-gaia.gml"},
	{"AWS", "format/importer/testdata/marfoq-amazon_us.gml"},
}

func main() {
	seed := flag.Uint64("seed", 1, "seed of searches and drawn schedules")
	resting := flag.Bool("resting", false, "compare schedules in which slow nodes skip rounds, and print only that")
	collectives := flag.Bool("collectives", false, "compare all-reduces on ten networks")
	picture := flag.String("draw", "", "draw all-reduces on fast and slow nodes into this file")
	flag.Parse()
	switch {
	case *collectives:
		exit(printCollectives(context.Background(), *seed))
		return
	case *picture != "":
		exit(drawCollectives(context.Background(), *picture, *seed))
		return
	}
	if *resting {
		exit(printResting(context.Background(), *seed))
		return
	}
	for _, latency := range []float64{0, 1} {
		fmt.Printf("Latency %g ms added to what the network has:\n\n", latency)
		exit(printTable(context.Background(), latency, *seed))
	}
}

// exit ends the program where there is an error.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "schedules:", err)
		os.Exit(1)
	}
}

// A line is one method: its time on every network, 0 where it cannot run or never arrives.
type line struct {
	name  string
	times []float64
}

func printTable(ctx context.Context, latency float64, seed uint64) error {
	lines := map[string]*line{}
	var order []string
	put := func(name string, column int, ms float64) {
		l, ok := lines[name]
		if !ok {
			l = &line{name, make([]float64, len(networks))}
			lines[name] = l
			order = append(order, name)
		}
		l.times[column] = ms
	}
	var whole, parts []*design.TimeBound
	for k, n := range networks {
		c, err := n.cluster(latency)
		if err != nil {
			return err
		}
		known, _ := sweep.PlacedBaselines(ctx, c, seed)
		contenders, _ := sweep.Contenders(ctx, c, seed)
		bestStatic := 0.0
		for _, r := range append(contenders, known...) {
			switch {
			case r.TimeMS == nil:
			case r.Kind == sweep.Static && !strings.HasPrefix(r.Name, "Marfoq") && !strings.HasPrefix(r.Name, "searched"):
				if bestStatic == 0 || *r.TimeMS < bestStatic {
					bestStatic = *r.TimeMS
				}
			default:
				put(r.Name, k, *r.TimeMS)
			}
		}
		put("best static family", k, bestStatic)
		if err := rests(ctx, c, func(name string, ms float64) { put(name, k, ms) }); err != nil {
			return err
		}
		whole, parts = append(whole, schedules.LowerBound(c, true)), append(parts, schedules.LowerBound(c, false))
	}
	head := "| |"
	for _, n := range networks {
		head += " " + n.name + " |"
	}
	fmt.Println(head + "\n|---|" + strings.Repeat("---|", len(networks)))
	for _, name := range order {
		fmt.Printf("| %s | %s |\n", name, strings.Join(cells(lines[name].times), " | "))
	}
	bound("none in whole messages below", whole)
	bound("none at all below", parts)
	gap("gap, searched gossip", lines["searched gossip"], whole)
	gap("gap, searched whole messages", lines["searched average, whole messages"], whole)
	gap("gap, searched parts", lines["searched average, in parts"], parts)
	fmt.Println()
	return nil
}

// rests prices schedules in which slow nodes take part in some rounds only.
func rests(ctx context.Context, c *cluster.Cluster, put func(name string, ms float64)) error {
	for _, every := range schedules.RestingEvery {
		s, _, err := schedules.Resting(c, every)
		if err != nil {
			return nil // no nodes are slow
		}
		plan, err := design.NewSchedulePlan(ctx, c, s)
		if err != nil {
			return err
		}
		if plan.Iterations > 0 {
			put(fmt.Sprintf("slow nodes in one round of %d", every), plan.TimeMS)
		}
	}
	return nil
}

// cluster reads a network and adds the latency to it.
func (n network) cluster(latency float64) (*cluster.Cluster, error) {
	var spec cluster.Spec
	if strings.HasSuffix(n.file, ".gml") {
		f, err := os.Open(n.file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		gml, err := importer.Find("gml")
		if err != nil {
			return nil, err
		}
		d, err := gml.Read(f)
		if err != nil {
			return nil, err
		}
		if spec, err = d.Spec(); err != nil {
			return nil, err
		}
	} else {
		c, err := cluster.ReadFile(n.file)
		if err != nil {
			return nil, err
		}
		spec = c.Spec()
	}
	spec.LatencyMS = latency
	return cluster.New(spec)
}

func cells(times []float64) []string {
	list := make([]string, len(times))
	for k, ms := range times {
		switch {
		case ms == 0:
			list[k] = "–"
		case ms < 100:
			list[k] = fmt.Sprintf("%.2f", ms)
		default:
			list[k] = fmt.Sprintf("%.0f", ms)
		}
	}
	return list
}

func bound(name string, bounds []*design.TimeBound) {
	var times []float64
	for _, b := range bounds {
		times = append(times, b.MS)
	}
	fmt.Printf("| %s | %s |\n", name, strings.Join(cells(times), " | "))
}

func gap(name string, l *line, bounds []*design.TimeBound) {
	list := slices.Repeat([]string{"–"}, len(bounds))
	for k, b := range bounds {
		if l != nil && l.times[k] > 0 {
			list[k] = fmt.Sprintf("%.1f %%", 100*max(0, l.times[k]/b.MS-1))
		}
	}
	fmt.Printf("| %s | %s |\n", name, strings.Join(list, " | "))
}
