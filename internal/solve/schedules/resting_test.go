package schedules_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// Slow nodes take part in every third round and keep their value in the others, in which a round takes what fast nodes
// need; the mean is kept by every round, none has a negative eigenvalue, and all agree in the end.
func TestSlowNodesRest(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Format: cluster.Format, Nodes: 8,
		Bandwidth: cluster.Numbers{9, 3, 9, 3, 9, 3, 9, 3}})
	if err != nil {
		t.Fatal(err)
	}
	const every = 3
	s, slow, err := schedules.Resting(c, every)
	if err != nil || slow != 4 || len(s.Rounds)%every != 0 {
		t.Fatalf("%d slow nodes, %v", slow, err)
	}
	for k, w := range s.Rounds {
		rests := k%every != every-1
		for i, self := range w.Self() {
			if isSlow := i%2 == 1; isSlow && rests != (self == 1) || self < 0.5 {
				t.Errorf("round %d: node %d keeps %v of its value", k, i, self)
			}
		}
		r, err := cost.Gossip(c, w)
		if want := c.Model().MessageMB / 9; err != nil || rests && math.Abs(r.CommunicationMS-want) > 1e-9 {
			t.Errorf("round %d takes %v ms, %v; want %v where slow nodes rest", k, r.CommunicationMS, err, want)
		}
		sums := make([]float64, c.Nodes())
		for i := range sums {
			sums[i] += w.Self()[i]
			from, weights := w.Row(i)
			for x, j := range from {
				sums[j] += weights[x]
			}
		}
		for j, sum := range sums {
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("round %d: column %d sums to %v", k, j, sum)
			}
		}
	}
	if rate, err := s.Rate(t.Context()); err != nil || !(rate < 0.95) {
		t.Errorf("contracts by %v a round, %v", rate, err)
	}
	equal, err := cluster.New(cluster.Homogeneous(8, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := schedules.Resting(equal, every); err == nil {
		t.Error("slow nodes among equal ones")
	}
}
