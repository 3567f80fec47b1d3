package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/internal/ground/spectral"

	"gonum.org/v1/gonum/mat"
)

// shapes are the frames on which the kernels are compared with dense matrices:
// no symmetry, two and more real blocks, odd and even sizes, one orbit, unequal nominal weights.
func shapes(t *testing.T) []*frame {
	t.Helper()
	var out []*frame
	for _, c := range []struct {
		p     Problem
		sizes []int
	}{
		{Problem{Nodes: 12, MaxEdges: 24, MaxDegree: 4}, []int{1, 2, 3, 4, 6}},
		{Problem{Nodes: 15, MaxEdges: 40}, []int{3, 5, 15}},
		{Problem{Nodes: 24, MaxEdges: 60, MaxDegree: 5}, []int{8, 12}},
		{Problem{Nodes: 12, MaxEdges: 24, Degrees: []int{6, 6, 6, 6, 6, 6, 2, 2, 2, 2, 2, 2}}, []int{3}},
	} {
		for _, f := range frames(c.p, nil) {
			for _, s := range c.sizes {
				if f.size == s {
					out = append(out, f)
				}
			}
		}
	}
	if len(out) != 11 {
		t.Fatalf("%d frames, want 11", len(out))
	}
	return out
}

// denseLaplacian is the Laplacian with nominal weights, written down edge by edge.
func denseLaplacian(w *wiring) *mat.SymDense {
	l := spectral.NewSym(w.f.nodes())
	for _, a := range w.arcs {
		seen := map[[2]int]bool{}
		for x := range w.f.size {
			i, j := a.A*w.f.size+x, a.B*w.f.size+(x+a.S)%w.f.size
			if seen[[2]int{min(i, j), max(i, j)}] {
				continue // a matching gives each edge twice
			}
			seen[[2]int{min(i, j), max(i, j)}] = true
			g := w.f.nominal(a)
			l.SetSym(i, i, l.At(i, i)+g)
			l.SetSym(j, j, l.At(j, j)+g)
			l.SetSym(i, j, l.At(i, j)-g)
		}
	}
	return l
}

// denseBarrier is −Σ log det from eigenvalues, +Inf outside the interval.
func denseBarrier(w *wiring, low, high float64) float64 {
	l := denseLaplacian(w)
	n := w.f.nodes()
	sum := 0.0
	for i := range n {
		for j := i; j < n; j++ {
			l.SetSym(i, j, l.At(i, j)+(low+high)/2/float64(n))
		}
	}
	// J moves the trivial eigenvalue from 0 to the middle; the high end sees it at 0.
	values, _ := spectral.NewEigen(n).Values(l)
	for _, v := range values {
		if v <= low || v >= high {
			return math.Inf(1)
		}
		sum -= math.Log(v-low) + math.Log(high-v)
	}
	return sum
}

func randomWiring(f *frame, seed uint64) (*wiring, *rand.Rand) {
	rng := rand.New(rand.NewPCG(seed, 7))
	w := newWiring(f)
	w.fill(rng)
	return w, rng
}

func TestBarrierAgreesWithEigenvalues(t *testing.T) {
	for _, f := range shapes(t) {
		t.Run(fmt.Sprintf("%dx%d", f.orbits, f.size), func(t *testing.T) {
			w, rng := randomWiring(f, 1)
			q := newQuench(f, rng)
			q.w = w
			low, high := q.ruler.ends(w)
			low, high = low-0.3, high+0.3
			if !q.r.set(w, low, high) {
				t.Fatalf("the spectrum is not inside (%v, %v), which was chosen around it", low, high)
			}
			var m move
			inside, outside := 0, 0
			for range 900 {
				if !w.propose(rng, &m) {
					continue
				}
				before := denseBarrier(w, low, high)
				got := q.r.barrier(&m)
				after := newWiring(f)
				after.set(w.after(nil, &m))
				want := denseBarrier(after, low, high) - before
				if math.IsInf(want, 0) != math.IsInf(got, 0) || !math.IsInf(want, 0) &&
					math.Abs(got-want) > 1e-8*(1+math.Abs(want)) {
					t.Fatalf("move %v: barrier changes by %v, eigenvalues say %v", m.all(), got, want)
				}
				if math.IsInf(got, 0) {
					outside++
					continue
				}
				inside++
				if inside%3 == 0 { // walk on
					q.r.apply(&m)
					w.apply(&m)
				}
			}
			t.Logf("%d moves inside, %d outside", inside, outside)
			if inside < 20 {
				t.Errorf("only %d moves stayed inside; the test compares nothing", inside)
			}
		})
	}
}

func TestResolventsAllocateNothing(t *testing.T) {
	for _, f := range shapes(t) {
		w, rng := randomWiring(f, 1)
		r := newResolvents(f.orbits, f.size)
		if !r.set(w, -1, 100) {
			t.Fatal("the interval (−1, 100) does not contain the spectrum")
		}
		var m move
		step := func() {
			if w.propose(rng, &m) && !math.IsInf(r.barrier(&m), 0) {
				r.apply(&m)
				w.apply(&m)
			}
		}
		for range 100 {
			step()
		}
		if got := testing.AllocsPerRun(200, step); got > 0 {
			t.Errorf("%d×%d: a step allocates %v times", f.orbits, f.size, got)
		}
	}
}
