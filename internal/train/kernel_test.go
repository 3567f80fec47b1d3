package train

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// An iteration allocates nothing, new epochs, which shuffle, included.
func TestStepsDoNotAllocate(t *testing.T) {
	const nodes = 4
	hardware, err := cluster.New(cluster.Homogeneous(nodes, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	n, err := NewNetwork(Digits(), Model{Hidden: []int{8}, Batch: 64, Seed: 1}, nodes)
	if err != nil {
		t.Fatal(err)
	}
	schedule, err := mixing.OnePeerExponential(nodes)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		for _, momentum := range []Momentum{Local, QuasiGlobal, Mixed} {
			for _, order := range []design.Order{design.AdaptThenCombine, design.CombineThenAdapt} {
				s := Settings{Rate: 0.1, Beta: 0.9, Momentum: momentum, Order: order, Workers: workers, Every: 2}
				for _, w := range []*mixing.Schedule{nil, schedule} {
					r, err := New(hardware, Entry{W: w, Settings: s}, n)
					if err != nil {
						t.Fatal(err)
					}
					c := newCrew(workers)
					if allocs := testing.AllocsPerRun(20, func() { r.step(c) }); allocs != 0 {
						t.Errorf("%d workers, %s, %s: %v allocations in a step, want 0", workers, momentum, order, allocs)
					}
					c.stop()
				}
			}
		}
	}
}
