package admm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/internal/solve/scenario"
)

// budget is the edge budget of Table I.
func budget(n int) int { return n * int(math.Ceil(math.Log2(float64(n)))) / 2 }

// stopwatch counts the processor time of the primal updates of an iteration.
type stopwatch struct {
	primalStep
	spent time.Duration
}

func (s *stopwatch) update(x, v *point) error {
	began := cpuTime()
	err := s.primalStep.update(x, v)
	s.spent += cpuTime() - began
	return err
}

// timeSteps runs the same iteration with one method and returns the processor time of a
// whole step and of its linear part.
func timeSteps(b *testing.B, n, steps int, method Method) (whole, linear time.Duration) {
	p := mustProblem(b, scenario.Homogeneous(n, budget(n)))
	it, err := newIteration(p, method, 1e-10, false)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	g := make([]float64, p.m)
	for k := range g {
		g[k] = rng.Float64() * 2 / float64(n)
	}
	it.begin(32/float64(n), 0.5, g, nil)
	watch := &stopwatch{primalStep: it.primal}
	it.primal = watch
	runtime.GC()
	began := cpuTime()
	for range steps {
		if err := it.step(); err != nil {
			b.Fatal(err)
		}
	}
	return (cpuTime() - began) / time.Duration(steps), watch.spent / time.Duration(steps)
}

// timeEigenproblems returns the processor time of the two cone projections of a step.
func timeEigenproblems(b *testing.B, n, count int) time.Duration {
	p := mustProblem(b, scenario.Homogeneous(n, budget(n)))
	it, err := newIteration(p, ClosedForm, 0, false)
	if err != nil {
		b.Fatal(err)
	}
	v := randomPoint(p, rand.New(rand.NewPCG(1, 1)))
	began := cpuTime()
	for range count {
		copy(it.y.all, v.all)
		if err := it.projectCone(it.y.s, -1); err != nil {
			b.Fatal(err)
		}
		if err := it.projectCone(it.y.t, 1); err != nil {
			b.Fatal(err)
		}
	}
	return (cpuTime() - began) / time.Duration(count)
}

// BenchmarkStep compares, in one run, the printed linear step (relative residual 1e-10, warm-started)
// with the closed form and with the two eigenproblems.
func BenchmarkStep(b *testing.B) { withEachLAPACK(b, benchmarkStep) }

// withEachLAPACK runs a benchmark with eigenvalues in Go and, where there is one, by the
// installed LAPACK.
func withEachLAPACK(b *testing.B, run func(b *testing.B)) {
	defer spectral.UseSystemLAPACK(false)
	inGo := spectral.LAPACK()
	b.Run("lapack=go", run)
	spectral.UseSystemLAPACK(true)
	if spectral.LAPACK() != inGo {
		b.Run("lapack=installed", run)
	}
}

func benchmarkStep(b *testing.B) {
	for _, n := range []int{16, 32, 64, 128} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			steps := 25 * 128 / n
			var printed, closed, wholePrinted, wholeClosed, eigen time.Duration
			for b.Loop() {
				wholePrinted, printed = timeSteps(b, n, steps, Printed)
				wholeClosed, closed = timeSteps(b, n, steps, ClosedForm)
				eigen = timeEigenproblems(b, n, steps)
			}
			us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(us(printed), "linear-printed-µs")
			b.ReportMetric(us(closed), "linear-closed-µs")
			b.ReportMetric(us(eigen), "eigen-µs")
			b.ReportMetric(us(wholePrinted), "step-printed-µs")
			b.ReportMetric(us(wholeClosed), "step-closed-µs")
			b.ReportMetric(us(printed)/us(closed), "linear-ratio")
			b.ReportMetric(us(wholePrinted)/us(wholeClosed), "step-ratio")
		})
	}
}

// BenchmarkSolve times whole solves both ways: one run of 100 iterations of relaxation and 100 of weights.
func BenchmarkSolve(b *testing.B) {
	for _, n := range []int{16, 32, 64, 128} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var seconds [2]float64
			for b.Loop() {
				for _, method := range []Method{ClosedForm, Printed} {
					began := cpuTime()
					_, err := Solve(context.Background(), scenario.Homogeneous(n, budget(n)),
						Settings{Method: method, Seed: 1, Starts: 1, Iterations: 100, PolishIterations: 100,
							Polished: 1, Start: Random})
					if err != nil {
						b.Fatal(err)
					}
					seconds[method] = (cpuTime() - began).Seconds()
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(seconds[ClosedForm]*1e3, "closed-ms")
			b.ReportMetric(seconds[Printed]*1e3, "printed-ms")
			b.ReportMetric(seconds[Printed]/seconds[ClosedForm], "ratio")
		})
	}
}

// BenchmarkGrowth measures time per step and memory of the closed-form iteration as n
// grows, with the exponent from one size to the next.
func BenchmarkGrowth(b *testing.B) { withEachLAPACK(b, benchmarkGrowth) }

func benchmarkGrowth(b *testing.B) {
	var lastTime, lastMemory float64
	for _, n := range []int{32, 64, 128, 256, 512} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var whole time.Duration
			for b.Loop() {
				whole, _ = timeSteps(b, n, max(5, 5120/n), ClosedForm)
			}
			ms, mb := whole.Seconds()*1e3, megabytes(b, n)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ms, "step-ms")
			b.ReportMetric(mb, "MB")
			if lastTime > 0 {
				b.ReportMetric(math.Log2(ms/lastTime), "time-exponent")
				b.ReportMetric(math.Log2(mb/lastMemory), "memory-exponent")
			}
			lastTime, lastMemory = ms, mb
		})
	}
}

// megabytes is what a problem and its iteration occupy.
func megabytes(b *testing.B, n int) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	it, err := newIteration(mustProblem(b, scenario.Homogeneous(n, budget(n))), ClosedForm, 0, false)
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(it)
	return float64(after.HeapAlloc-before.HeapAlloc) / 1e6
}

// BenchmarkTableI solves the instances of Table I with default settings: quality and seconds.
func BenchmarkTableI(b *testing.B) {
	for _, n := range []int{4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			reportSolve(b, scenario.Homogeneous(n, budget(n)),
				Settings{Seed: 1})
		})
	}
}

// BenchmarkScenarios solves the paper's heterogeneous scenarios with default settings.
func BenchmarkScenarios(b *testing.B) {
	for _, s := range []struct {
		name  string
		space design.Space
	}{
		{"nodes/r=16", scenario.TwoClasses(3, 1)},
		{"nodes/r=32", scenario.TwoClasses(6, 2)},
		{"nodes/r=48", scenario.TwoClasses(9, 3)},
		{"server/r=8", scenario.Server([7]int{1, 1, 1, 1, 1, 1, 2})},
		{"server/r=12", scenario.Server([7]int{1, 1, 1, 1, 2, 2, 4})},
		{"server/r=16", scenario.Server([7]int{1, 1, 1, 1, 3, 3, 6})},
		{"BCube/r=24", scenario.BCube([2]int{1, 2})},
		{"BCube/r=48", scenario.BCube([2]int{3, 3})},
	} {
		b.Run(s.name, func(b *testing.B) { reportSolve(b, s.space, Settings{Seed: 1}) })
	}
}

// BenchmarkRho shows how the result depends on the first ρ (times n) and on its growth.
func BenchmarkRho(b *testing.B) {
	for _, n := range []int{16, 32} {
		for _, scale := range []float64{8, 16, 32, 64, 128} {
			for _, growth := range []float64{1, 1.001, 1.004} {
				b.Run(fmt.Sprintf("n=%d/rho·n=%g/growth=%g", n, scale, growth), func(b *testing.B) {
					var res *Result
					for b.Loop() {
						var err error
						if res, err = Solve(context.Background(), scenario.Homogeneous(n, budget(n)),
							Settings{Seed: 1, Starts: 6, Rho: scale / float64(n), Growth: growth}); err != nil {
							b.Fatal(err)
						}
					}
					mean := 0.0
					for _, r := range res.Runs {
						mean += r.RAsym / float64(len(res.Runs))
					}
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(mean, "mean")
					b.ReportMetric(res.RAsym, "best")
				})
			}
		}
	}
}

func reportSolve(b *testing.B, space design.Space, settings Settings) {
	var res *Result
	began, count := cpuTime(), 0
	for b.Loop() {
		var err error
		if res, err = Solve(context.Background(), space, settings); err != nil {
			b.Fatal(err)
		}
		count++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric((cpuTime()-began).Seconds()/float64(count), "cpu-s/solve")
	b.ReportMetric(res.RAsym, "r_asym")
	b.ReportMetric(float64(res.Graph.MaxDegree()), "max-degree")
}
