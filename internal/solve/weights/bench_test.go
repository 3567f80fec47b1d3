//go:build unix

package weights_test

import (
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// oneCore confines the benchmark to one core; other solvers too.
func oneCore(b *testing.B) {
	before := runtime.GOMAXPROCS(1)
	b.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// timed returns the processor time that f takes, which other work on the machine does not change much.
func timed(f func()) time.Duration {
	before := spent()
	f()
	return spent() - before
}

func spent() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		panic(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// middle returns the median in milliseconds.
func middle(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2]) / float64(time.Millisecond)
}

// Edge budgets of the paper's Table I.
var sizes = []struct{ nodes, edges int }{{16, 32}, {32, 80}, {64, 192}, {128, 448}}

// BenchmarkPeers solves the same problems with this package and, as child processes on one core, with CSDP and SDPA,
// turn by turn, and compares processor times. "csdp/ours" above 1 means that ours is faster. The peers read a file,
// which costs them little, and start a process, which at 16 nodes costs them most of their time.
func BenchmarkPeers(b *testing.B) {
	oneCore(b)
	for _, size := range sizes {
		b.Run(fmt.Sprintf("n=%d/edges=%d", size.nodes, size.edges), func(b *testing.B) {
			g := randomGraph(b, size.nodes, size.edges, 1)
			file := problemFile(b, g, weights.Settings{})
			var ours []time.Duration
			theirs := make([][]time.Duration, len(peers))
			for b.Loop() {
				ours = append(ours, timed(func() { solveOrFail(b, g) }))
				for k, p := range peers {
					_, cpu := p.run(b, file)
					theirs[k] = append(theirs[k], cpu)
				}
			}
			mine := middle(ours)
			b.ReportMetric(mine, "ours-ms")
			for k, p := range peers {
				b.ReportMetric(middle(theirs[k])/mine, p.program+"/ours")
			}
			b.ReportMetric(0, "ns/op") // of all three together: says nothing
		})
	}
}

func solveOrFail(b *testing.B, g *topology.Graph) {
	if _, err := weights.Solve(b.Context(), g, weights.Settings{}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLift compares lifts with the unsymmetric solve of 128 nodes and 448 edges in the same
// run; "graph128/lift" is how many times faster the lift is.
func BenchmarkLift(b *testing.B) {
	oneCore(b)
	g := randomGraph(b, 128, 448, 1)
	for _, shape := range []struct{ orbits, size, arcs int }{{4, 32, 14}, {8, 16, 28}, {4, 256, 20}, {8, 512, 32},
		{8, 2048, 32}} {
		b.Run(fmt.Sprintf("n=%d/orbits=%d/arcs=%d", shape.orbits*shape.size, shape.orbits, shape.arcs), func(b *testing.B) {
			l := randomLift(b, shape.orbits, shape.size, shape.arcs, 1)
			solver, err := weights.NewLiftSolver(shape.orbits, shape.size)
			if err != nil {
				b.Fatal(err)
			}
			var whole []time.Duration
			for range 3 {
				whole = append(whole, timed(func() { solveOrFail(b, g) }))
			}
			total := timed(func() {
				for b.Loop() {
					if _, err := solver.Solve(b.Context(), l, weights.Settings{}); err != nil {
						b.Fatal(err)
					}
				}
			})
			each := float64(total) / float64(time.Millisecond) / float64(b.N)
			b.ReportMetric(each, "lift-ms")
			b.ReportMetric(middle(whole)/each, "graph128/lift")
			b.ReportMetric(0, "ns/op")
		})
	}
}
