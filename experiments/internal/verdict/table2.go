package verdict

import (
	"fmt"
	"math"

	"batopo/cluster"
	"batopo/experiments/internal/paper"
	"batopo/report"
)

// A Topology is one column of Table II with its times read as whole numbers of epochs.
type Topology struct {
	paper.Training
	Slowdown float64         // m by our reading of the topology; NaN without a row
	Cells    map[string]Cell // by data set
}

// A Cell is one time of Table II.
type Cell struct {
	Seconds paper.Decimal
	Epochs  float64     // Seconds over an epoch at our m
	Whole   bool        // a whole number of epochs prints like Seconds
	Fits    map[int]int // epochs by every whole m, up to mostSlowdown, with which the time is a whole number of them
}

const (
	mostSlowdown = 20
	mostEpochs   = 100 // that the paper trains for
)

// Topologies reads every time of the table.
func (e *Evidence) Topologies() []Topology {
	var all []Topology
	for _, t := range e.Paper.Table2 {
		one := Topology{Training: t, Slowdown: math.NaN(), Cells: map[string]Cell{}}
		ours, known := e.Table2.Find(t.Scenario + "/" + t.Topology)
		if known {
			one.Slowdown = ours.Slowdown
		}
		for _, dataset := range paper.Datasets {
			seconds := t.Seconds[dataset]
			c := Cell{Seconds: seconds, Epochs: math.NaN(), Fits: e.fits(t.Scenario, seconds)}
			if known {
				c.Epochs = seconds.Value() / ours.Seconds
				c.Whole = seconds.Prints(math.Round(c.Epochs) * ours.Seconds)
			}
			one.Cells[dataset] = c
		}
		all = append(all, one)
	}
	return all
}

// WholeEpochs counts the times that are whole epochs by our reading, and all times.
func (e *Evidence) WholeEpochs() (whole, all int) {
	for _, t := range e.Topologies() {
		for _, c := range t.Cells {
			all++
			if c.Whole {
				whole++
			}
		}
	}
	return whole, all
}

// fits tries every whole m. The time of an epoch is linear in m: a line through any two rows that differ in it.
func (e *Evidence) fits(scenario string, seconds paper.Decimal) map[int]int {
	ring, ok := e.Table2.Find(scenario + "/ring")
	for _, row := range e.Table2.Rows {
		other := row.Value
		if !ok || other.Iterations != ring.Iterations || other.Slowdown == ring.Slowdown {
			continue
		}
		fits := map[int]int{}
		slope := (other.Seconds - ring.Seconds) / (other.Slowdown - ring.Slowdown)
		for m := 1; m <= mostSlowdown; m++ {
			epoch := ring.Seconds + slope*(float64(m)-ring.Slowdown)
			if epochs := math.Round(seconds.Value() / epoch); epochs <= mostEpochs && seconds.Prints(epochs*epoch) {
				fits[m] = int(epochs)
			}
		}
		return fits
	}
	return nil
}

// speedups asks for the least quotient of equal and of unequal hardware.
func speedups(q *question) (report.Result, string) {
	least := map[string]float64{"homogeneous": math.Inf(1), "heterogeneous": math.Inf(1)}
	for _, s := range q.Paper.Speedups {
		kind := "heterogeneous"
		if s.Scenario == "homogeneous" {
			kind = s.Scenario
		}
		least[kind] = min(least[kind], q.Paper.Quotient(s))
	}
	more := least["homogeneous"] > q.value("homogeneous") && least["heterogeneous"] > q.value("heterogeneous")
	return holds(more), fmt.Sprintf("homogeneous at least %.4f; heterogeneous at least %.4f",
		least["homogeneous"], least["heterogeneous"])
}

// ringEnds computes all epochs of the ring, the only connected graph with d = 2.
func ringEnds(q *question) (report.Result, string) {
	ends := mostEpochs * find(q, q.Table2, "homogeneous/ring").Seconds
	around := math.Abs(ends/q.value("seconds")-1) < q.value("within")
	return holds(around), fmt.Sprintf("%d epochs take %.0f s", mostEpochs, ends)
}

// edgesOnLink asks for the slowest edge of the exponential graph on one server: it is as slow as the link between
// the sockets divided among its edges.
func edgesOnLink(q *question) (report.Result, string) {
	slowest := find(q, q.Figures, q.Scenario+"/exponential").MinEdgeGBs
	same := q.Values["min_edge_gb_s"].Rounds(slowest)
	edges := math.Round(cluster.PaperBandwidthGBs / slowest)
	return holds(same && edges == q.value("edges")), fmt.Sprintf("%.0f edges, %.3f GB/s", edges, slowest)
}
