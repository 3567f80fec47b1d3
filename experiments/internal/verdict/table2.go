package verdict

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/experiments/internal/paper"
	"github.com/batopo/batopo/report"
)

const (
	mostSlowdown = 20
	mostEpochs   = 100 // that the paper trains for
)

// addTraining reads the two times of a topology in Table II as whole numbers of epochs: at the m of our row, whether
// they are, and with every whole m with which they would be.
func (e *Evidence) addTraining(all Facts, t paper.Training) {
	at := "Table II/" + t.Scenario + "/" + t.Topology + "/"
	ours, known := e.Table2.Find(t.Scenario + "/" + t.Topology)
	var whole []string
	for _, dataset := range paper.Datasets {
		all.count("Table II/times")
		if !known {
			continue
		}
		seconds := t.Seconds[dataset]
		epochs := seconds.Value() / ours.Seconds
		all[at+dataset+"/epochs"] = epochs
		if seconds.Prints(math.Round(epochs) * ours.Seconds) {
			whole = append(whole, dataset)
			all.count("Table II/whole epochs")
		}
	}
	all[at+"whole"] = []string{"neither", strings.Join(whole, "") + " only", "both"}[len(whole)]
	all[at+"m"] = fitting(e.fits(t, paper.Datasets[0]), e.fits(t, paper.Datasets[1]))
}

// fits tries every whole m and returns the epochs by those that fit. The time of an epoch is linear in m: a line
// through any two rows that differ in it.
func (e *Evidence) fits(t paper.Training, dataset string) map[int]int {
	fits := map[int]int{}
	ring, ok := e.Table2.Find(t.Scenario + "/ring")
	for _, row := range e.Table2.Rows {
		other := row.Value
		if !ok || other.Iterations != ring.Iterations || other.Slowdown == ring.Slowdown {
			continue
		}
		slope := (other.Seconds - ring.Seconds) / (other.Slowdown - ring.Slowdown)
		for m := 1; m <= mostSlowdown; m++ {
			seconds, epoch := t.Seconds[dataset], ring.Seconds+slope*(float64(m)-ring.Slowdown)
			if epochs := math.Round(seconds.Value() / epoch); epochs <= mostEpochs && seconds.Prints(epochs*epoch) {
				fits[m] = int(epochs)
			}
		}
		break
	}
	return fits
}

// fitting lists the m that turn the times of both data sets into whole epochs or, where there is none, those of each.
func fitting(a, b map[int]int) string {
	var both, alone []string
	for _, m := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[m]; ok {
			both = append(both, fmt.Sprintf("%d (%d, %d)", m, a[m], b[m]))
		}
		alone = append(alone, fmt.Sprintf("%d (%d, —)", m, a[m]))
	}
	for _, m := range slices.Sorted(maps.Keys(b)) {
		alone = append(alone, fmt.Sprintf("%d (—, %d)", m, b[m]))
	}
	if len(both) == 0 {
		return "none; " + strings.Join(alone, ", ")
	}
	return strings.Join(both, " or ")
}

// speedups asks for the least quotient of equal and of unequal hardware.
func speedups(q *question) (report.Result, string) {
	equal, unequal := math.Inf(1), math.Inf(1)
	for _, s := range q.Paper.Speedups {
		if s.Scenario == "homogeneous" {
			equal = min(equal, q.Paper.Quotient(s))
		} else {
			unequal = min(unequal, q.Paper.Quotient(s))
		}
	}
	more := equal > q.value("homogeneous") && unequal > q.value("heterogeneous")
	return holds(more), fmt.Sprintf("homogeneous at least %.4f; heterogeneous at least %.4f", equal, unequal)
}

// ringEnds computes all epochs of the ring, the only connected graph with d = 2.
func ringEnds(q *question) (report.Result, string) {
	ends := mostEpochs * q.number("table2/homogeneous/ring/seconds")
	around := math.Abs(ends/q.value("seconds")-1) < q.value("within")
	return holds(around), fmt.Sprintf("%d epochs take %.0f s", mostEpochs, ends)
}

// edgesOnLink asks for the slowest edge of the exponential graph on one server: it is as slow as the link between
// the sockets divided among its edges.
func edgesOnLink(q *question) (report.Result, string) {
	slowest := q.number("figures/%s/exponential/min_edge_gb_s", q.Scenario)
	edges := math.Round(cluster.PaperBandwidthGBs / slowest)
	same := q.Values["min_edge_gb_s"].Rounds(slowest) && edges == q.value("edges")
	return holds(same), fmt.Sprintf("%.0f edges, %.3f GB/s", edges, slowest)
}
