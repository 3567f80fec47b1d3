package schedules

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
)

// clearlySlower is how many times as long as the next faster one a node must take to belong to the slow ones.
const clearlySlower = 1.2

// RestingEvery lists the values of m that are tried: slow nodes take part in one of m rounds.
var RestingEvery = []int{2, 3, 4, 8}

// Resting is a schedule of pairs in which the slow nodes take part in every m-th round only and keep their value in the
// others, while the fast ones go on among themselves. Every round is doubly stochastic, with the weights of Base-2
// graphs: of the fast nodes, and in every m-th round of all. Slow nodes are those behind the largest gap in the time
// that a message takes; it says how many there are.
func Resting(c *cluster.Cluster, m int) (s *mixing.Schedule, slow int, err error) {
	n := c.Nodes()
	if m < 2 || n < 3 || n > mostForSpeed {
		return nil, 0, fmt.Errorf("schedules: slow nodes in every %d-th round of %d nodes; it must be every 2nd or later, "+
			"of 3 to %d nodes", m, n, mostForSpeed)
	}
	order, soonest := fastestFirst(c)
	fast, gap := 0, clearlySlower
	for k := 2; k < n; k++ { // two fast nodes at least
		if ratio := soonest[order[k]] / soonest[order[k-1]]; ratio > gap {
			fast, gap = k, ratio
		}
	}
	if fast == 0 {
		return nil, 0, errors.New("schedules: no nodes are clearly slower than the others")
	}
	among, err := inside(order[:fast], 1)
	if err != nil {
		return nil, 0, err
	}
	all, err := inside(order, 1)
	if err != nil {
		return nil, 0, err
	}
	var steps [][]mixing.Arc
	for t := range m * len(all) {
		if t%m == m-1 {
			steps = append(steps, all[t/m])
		} else {
			steps = append(steps, among[(t-t/m)%len(among)])
		}
	}
	rounds, err := matrices(n, steps)
	if err != nil {
		return nil, 0, err
	}
	name := fmt.Sprintf("%d slow nodes in every %s round", n-fast, ordinal(m))
	return &mixing.Schedule{Name: name, Rounds: rounds}, n - fast, nil
}

func ordinal(m int) string {
	switch m {
	case 2:
		return "second"
	case 3:
		return "third"
	}
	return fmt.Sprintf("%dth", m)
}
