package weights

import (
	"fmt"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/topology"
)

func TestFactorColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	const k = 6
	f := make([]complex128, k*2) // rank 2
	for i := range f {
		f[i] = complex(rng.NormFloat64(), rng.NormFloat64())
	}
	at := func(i, j int) complex128 { return f[2*i]*cmplx.Conj(f[2*j]) + f[2*i+1]*cmplx.Conj(f[2*j+1]) }
	columns := factorColumns(3, k, 1e-12, at)
	if len(columns) != 2 || columns[0].Block != 3 {
		t.Fatalf("%d columns for a matrix of rank 2", len(columns))
	}
	for i := range k {
		for j := range k {
			var got complex128
			for _, c := range columns {
				got += complex(c.Re[i], c.Im[i]) * complex(c.Re[j], -c.Im[j])
			}
			if cmplx.Abs(got-at(i, j)) > 1e-12 {
				t.Errorf("entry (%d,%d) is %v, want %v", i, j, got, at(i, j))
			}
		}
	}
}

func TestLiftConnectivity(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	var tree liftTree
	split := 0
	for range 500 {
		shape := topology.Lift{Orbits: 1 + rng.IntN(4), Size: 1 + rng.IntN(12)}
		seen := map[topology.Arc]bool{}
		for range rng.IntN(7) {
			arc := shape.Canonical(topology.Arc{A: rng.IntN(shape.Orbits), B: rng.IntN(shape.Orbits), S: rng.IntN(shape.Size)})
			if (arc.A != arc.B || arc.S != 0) && !seen[arc] {
				seen[arc] = true
				shape.Arcs = append(shape.Arcs, arc)
			}
		}
		g, _ := shape.Graph()
		if got, want := tree.connected(shape), g.Connected(); got != want {
			t.Fatalf("%+v: connected is %v, want %v", shape, got, want)
		}
		if !g.Connected() {
			split++
		}
	}
	if split == 0 || split == 500 {
		t.Fatalf("%d of 500 lifts are not connected; both kinds should occur", split)
	}
}

// The method's iterations work in memory that exists.
func TestStepsDoNotAllocate(t *testing.T) {
	ring := make([]topology.Edge, 0, 300)
	for i := range 150 { // several tiles, and more variables than one tile
		ring = append(ring, topology.Edge{I: i, J: (i + 1) % 150}, topology.Edge{I: i, J: (i + 7) % 150})
	}
	g, err := topology.New(150, ring)
	if err != nil {
		t.Fatal(err)
	}
	var p program
	p.set(300, Settings{}.withDefaults())
	nodeRows(&p, g)
	l, err := topology.NewLift(3, 20, []topology.Arc{{A: 0, B: 1, S: 0}, {A: 1, B: 2, S: 3}, {A: 0, B: 2, S: 7},
		{A: 0, B: 0, S: 1}, {A: 1, B: 1, S: 10}})
	if err != nil {
		t.Fatal(err)
	}
	solver, err := NewLiftSolver(3, 20)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := solver.Solve(t.Context(), l, Settings{}); err != nil { // all blocks that will join have joined once
		t.Fatal(err)
	}
	for name, w := range map[string]*interior{"dense": {}, "lift": &solver.method} {
		t.Run(name, func(t *testing.T) {
			if name == "dense" {
				w.prepare(&p, newDense(g, &p))
			}
			restart := func() {
				for k := range w.p.vars {
					w.x[k] = w.p.startWeight(4)
				}
				w.x[w.p.vars] = startValue
				if name == "lift" {
					solver.cone.choose(w.x)
				}
				if !w.begin() {
					t.Fatal("the start is not feasible")
				}
			}
			restart()
			steps := 0
			if allocated := testing.AllocsPerRun(3, func() {
				steps++
				if stop := w.step(); stop != "" {
					t.Fatal(fmt.Sprint("stopped: ", stop))
				}
			}); allocated != 0 {
				t.Errorf("%g allocations per step", allocated)
			}
			if steps < 3 {
				t.Errorf("%d steps measured", steps)
			}
		})
	}
}
