package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/ground/spectral"
)

// shape returns the frame of a regular problem with that many orbits.
func shape(tb testing.TB, nodes, degree, orbits int) (Problem, *frame) {
	tb.Helper()
	p := Problem{Nodes: nodes, MaxEdges: nodes * degree / 2, MaxDegree: degree}
	for _, f := range frames(p, nil) {
		if f.orbits == orbits {
			return p, f
		}
	}
	tb.Fatalf("%d nodes do not split into %d orbits", nodes, orbits)
	return p, nil
}

// perSecond returns how often f runs per second of at least a fifth of one.
func perSecond(f func()) float64 {
	start, count := time.Now(), 0
	for time.Since(start) < 200*time.Millisecond {
		f()
		count++
	}
	return float64(count) / time.Since(start).Seconds()
}

// BenchmarkCandidate compares three ways to look at a candidate, in one run: by the resolvents of
// the lift, by all eigenvalues of its blocks, and by all eigenvalues of the dense matrix.
func BenchmarkCandidate(b *testing.B) {
	for _, c := range []struct{ nodes, degree, orbits int }{{128, 7, 4}, {1024, 10, 16}} {
		b.Run(fmt.Sprintf("n=%d", c.nodes), func(b *testing.B) {
			_, f := shape(b, c.nodes, c.degree, c.orbits)
			q := newQuench(f, rand.New(rand.NewPCG(1, 1)))
			q.w.fill(q.rng)
			q.run(context.Background(), &meter{limit: 100000}, false)
			q.set(closeMargin, &meter{limit: 1})
			dense := denseLaplacian(q.w)
			eigen := spectral.NewEigen(c.nodes)
			var m move
			for b.Loop() {
				moves := perSecond(func() {
					if q.w.propose(q.rng, &m) {
						q.r.barrier(&m)
					}
				})
				blocks := perSecond(func() { q.ruler.ends(q.w) })
				full := perSecond(func() { eigen.Values(dense) })
				b.ReportMetric(moves, "moves/s")
				b.ReportMetric(blocks, "lift-spectra/s")
				b.ReportMetric(full, "dense-spectra/s")
				b.ReportMetric(moves/blocks, "moves:lift")
				b.ReportMetric(blocks/full, "lift:dense")
			}
		})
	}
}

// BenchmarkGrowth runs one quench of natural length and the optimal weights after it, from 128 to 16384 nodes
// at the degree ⌈log₂ n⌉, and reports the exponent of the time between neighbouring sizes.
func BenchmarkGrowth(b *testing.B) {
	last, before := 0, 0.0
	for _, c := range []struct{ nodes, degree, orbits int }{
		{128, 7, 4}, {512, 9, 8}, {1024, 10, 8}, {4096, 12, 16}, {16384, 14, 16},
	} {
		b.Run(fmt.Sprintf("n=%d", c.nodes), func(b *testing.B) {
			p, f := shape(b, c.nodes, c.degree, c.orbits)
			for b.Loop() {
				start := time.Now()
				t := Task{problem: p, frame: f, Evaluations: natural(f), stream: [2]uint64{1, 1}}
				found, err := t.Run(context.Background(), nil)
				if err != nil || found == nil {
					b.Fatalf("no candidate (error %v)", err)
				}
				took := time.Since(start).Seconds()
				if last > 0 {
					b.ReportMetric(math.Log(took/before)/math.Log(float64(c.nodes)/float64(last)), "exponent")
				}
				b.ReportMetric(found.RAsym, "r_asym")
				b.ReportMetric(took, "s")
				before = took
			}
			last = c.nodes
		})
	}
}

// BenchmarkExhaust settles eight nodes.
func BenchmarkExhaust(b *testing.B) {
	for b.Loop() {
		if _, err := Exhaust(context.Background(), Problem{Nodes: 8, MaxEdges: 14}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRelaxation shows what polishing by the paper's iteration gains where edges do not divide evenly
// among the nodes, and costs where they do: the default search without it and with it.
func BenchmarkRelaxation(b *testing.B) {
	for _, c := range [][2]int{{13, 30}, {17, 40}, {23, 60}, {31, 78}, {47, 140}, {61, 180}, {24, 60}, {32, 80},
		{48, 144}} {
		b.Run(fmt.Sprintf("n=%d/r=%d", c[0], c[1]), func(b *testing.B) {
			for b.Loop() {
				for _, name := range []string{"without", "with"} {
					f, err := newPortfolio(context.Background(), Problem{Nodes: c[0], MaxEdges: c[1]}, 1, 0, nil)
					if err != nil {
						b.Fatal(err)
					}
					if name == "without" {
						f.rounds, f.asked = nil, 0
						f.divide()
					}
					start := time.Now()
					found, err := f.run(context.Background(), Settings{Workers: 2}, &board{})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(found.RAsym, name)
					b.ReportMetric(time.Since(start).Seconds(), "s-"+name)
				}
			}
		})
	}
}
