package advise

import (
	"fmt"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// described is a cluster that says everything that a flip varies.
type described struct {
	name                          string
	spec                          func(faster float64) cluster.Spec // with bandwidths that many times as large
	messageMB, computeMS, latency float64
	exact                         bool // nothing but all-reduces is compared
}

func (d described) with(of Quantity, value float64) cluster.Spec {
	faster := 1.0
	switch of {
	case ComputeTime:
		d.computeMS = value
	case MessageSize:
		d.messageMB = value
	case Latency:
		d.latency = value
	case Bandwidth:
		faster = value
	}
	s := d.spec(faster)
	s.LatencyMS, s.Model = d.latency, &cluster.ModelSpec{MessageMB: &d.messageMB, ComputeMS: &d.computeMS}
	return s
}

func equalNodes(n int, gbs float64) func(float64) cluster.Spec {
	return func(faster float64) cluster.Spec { return cluster.Homogeneous(n, gbs*faster) }
}

func unequalNodes(gbs ...float64) func(float64) cluster.Spec {
	return func(faster float64) cluster.Spec {
		numbers := slices.Clone(gbs)
		for k := range numbers {
			numbers[k] *= faster
		}
		return cluster.Spec{Format: cluster.Format, Nodes: len(gbs), Bandwidth: numbers}
	}
}

func racks(faster float64) cluster.Spec {
	return cluster.Spec{Format: cluster.Format,
		LeafSpine: &cluster.LeafSpine{Leaves: 2, Hosts: 2, Host: 12 * faster, Uplink: 10 * faster}}
}

// Planning with a value that was announced to change the answer gives that answer, and with one a little before it what
// is recommended now. Sizes and times are odd on purpose: near ties and near full buckets of DDP announced changes did
// not last, or were no changes.
func TestPlanningBeyondAFlipConfirmsIt(t *testing.T) {
	seen := map[Quantity]int{}
	for _, d := range []described{
		{"four equal", equalNodes(4, 9.76), 48.9, 15.21, 0, false},
		{"four equal, late", equalNodes(4, 1.25), 351, 180, 0.02, false},
		{"unequal", unequalNodes(10, 10, 1, 1), 48.9, 40, 0, false},
		{"one slow", unequalNodes(10, 10, 10, 10, 2), 100, 60, 0.1, false},
		{"racks", racks, 350, 180, 0, false},
		{"sixteen equal", equalNodes(16, 12.5), 5, 2, 0, false},
		{"sixteen equal, late", equalNodes(16, 12.5), 5, 2, 0.01, false},
		{"eight equal, late", equalNodes(8, 9.76), 48.9, 15.21, 0.3, false},
		{"twenty equal, late", equalNodes(20, 3), 90, 30, 0.1, false},
		{"exact on eight equal", equalNodes(8, 9.76), 48.9, 15.21, 0, true},
		{"exact on racks", racks, 350, 180, 0.001, true},
		{"exact on unequal", unequalNodes(10, 10, 10, 10, 2), 26.1, 30, 0, true},
	} {
		if testing.Short() && d.spec(1).Nodes > 5 {
			continue // make deep plans again on larger clusters too
		}
		t.Run(d.name, func(t *testing.T) {
			for _, of := range d.confirmed(t) {
				seen[of]++
			}
		})
	}
	for _, of := range []Quantity{ComputeTime, MessageSize, Bandwidth, Latency} {
		if seen[of] == 0 {
			t.Errorf("no flip of %s was looked at", of)
		}
	}
}

// confirmed plans on both sides of every change that is announced, and returns what was varied.
func (d described) confirmed(t *testing.T) (of []Quantity) {
	a, f := decided(t, d.with("", 0), d.exact)
	for _, f := range f.find(t.Context(), untold) {
		of = append(of, f.Of)
		const little = 1.003 // flips are found to a thousandth
		before, beyond := f.Value/little, f.Value*(1+1e-9)
		if !f.Above {
			before, beyond = f.Value*little, f.Value*(1-1e-9)
		}
		where := fmt.Sprintf("%s %v (above: %v)", f.Of, f.Value, f.Above)
		if b, _ := decided(t, d.with(f.Of, beyond), d.exact); !nearly(b, f.Winner) {
			t.Errorf("%s: said to be %s every %d; planned there: %s every %d", where, f.Winner.Name, f.Winner.Every,
				b.Recommended.Name, b.Recommended.Every)
		}
		if b, _ := decided(t, d.with(f.Of, before), d.exact); !nearly(b, a.Recommended) {
			t.Errorf("%s: now it is %s every %d; planned just before: %s every %d", where, a.Recommended.Name,
				a.Recommended.Every, b.Recommended.Name, b.Recommended.Every)
		}
	}
	return of
}

// nearly reports whether a candidate is the answer, or would be if it were a little sooner: a flip keeps the static
// graphs that were found, planning searches again, and an all-reduce that is cut otherwise differs by as much.
func nearly(a *Advice, want Candidate) bool {
	const sooner = 0.95
	all := slices.Clone(a.All)
	for k := range all {
		if alike(all[k], want) {
			all[k].PessimisticMS *= sooner
		}
	}
	return alike(all[Choose(all)], want)
}

// decided plans again.
func decided(t *testing.T, spec cluster.Spec, exact bool) (*Advice, *flips) {
	t.Helper()
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	swept := &sweep.Sweep{}
	if !exact {
		swept, err = sweep.Unsearched(c, 1, "").Survey(t.Context(), design.Problem{Cluster: c, Purpose: design.Training},
			sweep.Settings{Seed: 1, Evaluations: 50})
		if err != nil {
			t.Fatal(err)
		}
	}
	a, f, err := decide(t.Context(), c, swept, Setting{Seed: 1, Optimizer: SGD}, untold)
	if err != nil {
		t.Fatal(err)
	}
	return a, f
}
