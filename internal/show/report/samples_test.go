package report_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// circulant returns the directed matrix in which every node listens, with equal weights, to
// itself and to the nodes the given hops behind it.
func circulant(t testing.TB, n int, hops ...int) *mixing.Matrix {
	t.Helper()
	var arcs []mixing.Arc
	for to := range n {
		for _, h := range hops {
			arcs = append(arcs, mixing.Arc{From: ((to-h)%n + n) % n, To: to, Weight: 1 / float64(len(hops)+1)})
		}
	}
	w, err := mixing.FromArcs(n, arcs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func exponential(t testing.TB, n int) *mixing.Matrix {
	var hops []int
	for h := 1; h < n; h *= 2 {
		hops = append(hops, h)
	}
	return circulant(t, n, hops...)
}

// metropolis puts 1/(1+max degree) on the edges.
func metropolis(t testing.TB, n int, edges []topology.Edge) *mixing.Matrix {
	t.Helper()
	g, err := topology.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, len(edges))
	for k, e := range g.Edges() {
		weights[k] = 1 / float64(1+max(g.Degree(e.I), g.Degree(e.J)))
	}
	w, err := mixing.FromEdges(g, weights)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func grid(t testing.TB, rows, cols int, wrap bool) *mixing.Matrix {
	var edges []topology.Edge
	for r := range rows {
		for c := range cols {
			i := r*cols + c
			if c+1 < cols {
				edges = append(edges, topology.Edge{I: i, J: i + 1})
			} else if wrap && cols > 2 {
				edges = append(edges, topology.Edge{I: r * cols, J: i})
			}
			if r+1 < rows {
				edges = append(edges, topology.Edge{I: i, J: i + cols})
			} else if wrap && rows > 2 {
				edges = append(edges, topology.Edge{I: c, J: i})
			}
		}
	}
	return metropolis(t, rows*cols, edges)
}

func hypercube(t testing.TB, n int) *mixing.Matrix {
	var edges []topology.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			if bits.OnesCount(uint(i^j)) == 1 {
				edges = append(edges, topology.Edge{I: i, J: j})
			}
		}
	}
	return metropolis(t, n, edges)
}

// randomGraph joins pairs with probability p on top of a ring.
func randomGraph(t testing.TB, n int, p float64, seed uint64) *mixing.Matrix {
	rng := rand.New(rand.NewPCG(seed, 0))
	var edges []topology.Edge
	for _, e := range topology.AllPairs(n) {
		if e.J == e.I+1 || (e.I == 0 && e.J == n-1) || rng.Float64() < p {
			edges = append(edges, e)
		}
	}
	return metropolis(t, n, edges)
}

// consensusErrors averages a Gaussian start and returns the root mean square error after each round.
func consensusErrors(w []*mixing.Matrix, rounds int) []float64 {
	n := w[0].Nodes()
	rng := rand.New(rand.NewPCG(1, 2))
	x, next := make([]float64, n), make([]float64, n)
	mean := 0.0
	for i := range x {
		x[i] = rng.NormFloat64()
		mean += x[i] / float64(n)
	}
	out := make([]float64, rounds+1)
	for k := range out {
		sum := 0.0
		for _, v := range x {
			sum += (v - mean) * (v - mean)
		}
		out[k] = math.Sqrt(sum)
		w[k%len(w)].Apply(next, x)
		x, next = next, x
	}
	return out
}

// races returns eleven baselines on 16 nodes with their time per round in ms.
func races(t testing.TB, overTime bool) []report.Series {
	t.Helper()
	const n, perPeer = 16, 5.01
	onePeer := make([]*mixing.Matrix, 4)
	pairs := make([]*mixing.Matrix, 4)
	for j := range onePeer {
		onePeer[j] = circulant(t, n, 1<<j)
		var edges []topology.Edge
		for i := range n {
			if i&(1<<j) == 0 {
				edges = append(edges, topology.Edge{I: i, J: i ^ 1<<j})
			}
		}
		pairs[j] = metropolis(t, n, edges)
	}
	symmetric := circulant(t, n, 1, -1, 6, -6)
	baselines := []struct {
		name   string
		w      []*mixing.Matrix
		degree float64
		strong bool
	}{
		{"circulant ±1 ±6", []*mixing.Matrix{symmetric}, 4, true},
		{"circulant ±1 +8", []*mixing.Matrix{circulant(t, n, 1, -1, 8)}, 3, true},
		{"ring", []*mixing.Matrix{circulant(t, n, 1, -1)}, 2, false},
		{"grid 4 × 4", []*mixing.Matrix{grid(t, 4, 4, false)}, 4, false},
		{"torus 4 × 4", []*mixing.Matrix{grid(t, 4, 4, true)}, 4, false},
		{"hypercube", []*mixing.Matrix{hypercube(t, n)}, 4, false},
		{"exponential", []*mixing.Matrix{exponential(t, n)}, 4, false},
		{"random, r = 48", []*mixing.Matrix{randomGraph(t, n, 0.3, 3)}, 9, false},
		{"complete", []*mixing.Matrix{metropolis(t, n, topology.AllPairs(n))}, 15, false},
		{"one-peer exponential", onePeer, 1, false},
		{"one-peer hypercube", pairs, 1, false},
	}
	var out []report.Series
	for _, o := range baselines {
		errs := consensusErrors(o.w, 260)
		s := report.Series{Name: o.name, Y: errs, Strong: o.strong}
		for k, e := range errs {
			if e < 1e-13 {
				errs[k] = 0
			}
			x := float64(k)
			if overTime {
				x *= perPeer * o.degree
			}
			s.X = append(s.X, x)
		}
		for k, e := range errs {
			if e <= 1e-4 {
				s.Note = report.Duration(s.X[k])
				if !overTime {
					s.Note = report.Number(s.X[k])
				}
				break
			}
		}
		out = append(out, s)
	}
	return out
}

// choices are invented plans, a fifth above a lower bound, and some baselines on 16 nodes:
// time per iteration against r_asym, or time to target against edges.
func choices(byEdges bool) []report.Point {
	add := func(out []report.Point, name string, degree int, rate float64) []report.Point {
		perRound, edges := 5.01*float64(degree), 8*degree
		time := perRound * math.Ceil(math.Log(1e-4)/math.Log(rate))
		p := report.Point{Name: name, X: perRound, Y: rate, Strong: name == "r = 32",
			Note: fmt.Sprintf("%d edges, r_asym %.3f, %s to target", edges, rate, report.Duration(time))}
		if byEdges {
			p.X, p.Y = float64(edges), time
		}
		return append(out, p)
	}
	var out []report.Point
	for d := 3; d <= 9; d++ {
		out = add(out, fmt.Sprintf("r = %d", 8*d), d, 1.2*rateBound(d))
	}
	out = add(out, "ring", 2, 0.949)
	out = add(out, "torus", 4, 0.6)
	out = add(out, "hypercube", 4, 0.6)
	out = add(out, "exponential", 4, 0.6)
	out = add(out, "grid", 4, 0.869)
	return out
}

func rateBound(degree int) float64 { return math.Sqrt((16/float64(1+degree) - 1) / 15) }

func lowerBound() report.Path {
	p := report.Path{Name: "lower bound", Dashed: true}
	for d := 2; d <= 9; d++ {
		p.X, p.Y = append(p.X, 5.01*float64(d)), append(p.Y, rateBound(d))
	}
	return p
}

func names(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(i)
	}
	return list
}

// layer puts node i of 0 … n−1 into part of(i).
func layer(name, note string, n int, of func(int) int) report.Layer {
	l := report.Layer{Name: name}
	for i := range n {
		for len(l.Parts) <= of(i) {
			l.Parts = append(l.Parts, report.Part{Name: fmt.Sprintf("%s %d", name, len(l.Parts)), Note: note})
		}
		l.Parts[of(i)].Nodes = append(l.Parts[of(i)].Nodes, i)
	}
	return l
}

// servers are machines with two sockets, two PCIe switches each, and two GPUs on every switch.
func servers(count int, w *mixing.Matrix) report.HardwareDrawing {
	n := 8 * count
	d := report.HardwareDrawing{Text: titled(fmt.Sprintf("Eight GPUs in each of %d", count)), Nodes: names(n), Matrix: w}
	for k, name := range []string{"PIX", "NODE", "SYS"} {
		d.Layers = append(d.Layers, layer(name, "4.88 GB/s", n, func(i int) int { return i / (2 << k) }))
	}
	if count > 1 {
		d.Layers = append(d.Layers, layer("network", "25 GB/s per server", n, func(int) int { return 0 }))
	}
	return d
}

func bcube(ports, layers int, w *mixing.Matrix) report.HardwareDrawing {
	n := int(math.Pow(float64(ports), float64(layers)))
	d := report.HardwareDrawing{Text: titled(fmt.Sprintf("BCube(%d, %d)", ports, layers)), Nodes: names(n), Matrix: w}
	weight := 1
	for k := range layers {
		d.Layers = append(d.Layers, layer(fmt.Sprintf("layer %d switches", k), "4.88 GB/s", n,
			func(i int) int { return i/(weight*ports)*weight + i%weight }))
		weight *= ports
	}
	return d
}

// bcubeGraph uses one port per server in layer 0 and two in layer 1.
func bcubeGraph(t testing.TB) *mixing.Matrix {
	var edges []topology.Edge
	for g := range 4 {
		edges = append(edges, topology.Edge{I: 4 * g, J: 4*g + 1}, topology.Edge{I: 4*g + 2, J: 4*g + 3})
		for k := range 4 {
			a, b := 4*k+g, 4*((k+1)%4)+g
			edges = append(edges, topology.Edge{I: min(a, b), J: max(a, b)})
		}
	}
	return metropolis(t, 16, edges)
}
