package search

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkRecords runs the search as a user would, seed 1, default evaluations, two workers, on regular
// graphs: the edge budgets of the exponential graph, large graphs, and numbers that nothing was tuned to.
// It reports the values reached; a record table is one run of it.
func BenchmarkRecords(b *testing.B) {
	for _, c := range [][2]int{
		{4, 4}, {6, 9}, {8, 12}, {12, 24}, {16, 32}, {24, 60}, {32, 80}, {48, 144}, {64, 192}, {96, 336}, {128, 448},
		{1024, 5120}, {4096, 24576}, {16384, 114688},
		{13, 30}, {31, 78}, {50, 130}, {61, 180}, {100, 330}, {127, 440}, {1021, 5100},
	} {
		n, r := c[0], c[1]
		b.Run(fmt.Sprintf("n=%d/r=%d", n, r), func(b *testing.B) {
			p := Problem{Nodes: n, MaxEdges: r, MaxDegree: (2*r + n - 1) / n}
			for b.Loop() {
				found, err := Run(context.Background(), p, Settings{Seed: 1, Workers: 2})
				if err != nil {
					b.Fatal(err)
				}
				if err := p.Check(found.Graph); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(found.RAsym, "r_asym")
				b.ReportMetric(found.Bound, "weights-bound")
			}
		})
	}
}
