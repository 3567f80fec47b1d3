package schedules

import (
	"fmt"

	"github.com/batopo/batopo/mixing"
)

// late lists schedules in which the slowest nodes join late. With the a fast nodes holding their mean, and the b slow
// ones theirs, every slow node meets one fast node with weight a/(a+b): it then has the mean of all. So have the fast
// ones together, and those that met nobody make up for those that did: where b divides a, groups of a/b fast nodes
// with one of them in each average, and are done; otherwise all fast nodes average again. A slow node so takes part in
// as many rounds as the slow nodes need among themselves, and one.
func (h *hunt) late() []construction {
	c := h.problem.Cluster
	n := c.Nodes()
	if c.Homogeneous() || n < 3 || n > mostForSpeed {
		return nil
	}
	order, _ := fastestFirst(c)
	var list []construction
	for b := 1; b <= n/2; b = following(b, n) {
		for k := 1; k <= 3; k++ {
			rounds, err := joinedLate(n, order[:n-b], order[n-b:], k)
			if err != nil {
				h.why = err
				continue
			}
			list = append(list, construction{name: fmt.Sprintf("%d late nodes, %d peers", b, k), rounds: rounds})
		}
	}
	return list
}

// following goes through all numbers where nodes are few, and through powers of two beyond.
func following(b, n int) int {
	if n <= 64 {
		return b + 1
	}
	return 2 * b
}

// joinedLate builds the schedule for nodes that are early and late, with at most k peers in most rounds.
func joinedLate(n int, early, late []int, k int) ([]*mixing.Matrix, error) {
	a, b := len(early), len(late)
	first, err := inside(early, k)
	if err != nil {
		return nil, err
	}
	own, err := inside(late, k)
	if err != nil {
		return nil, err
	}
	steps := make([][]mixing.Arc, max(len(first), len(own)))
	copy(steps, first)
	// The late ones meet as late as they can, while the early ones are in their last rounds.
	for t, arcs := range own {
		at := len(steps) - len(own) + t
		steps[at] = append(steps[at], arcs...)
	}
	meet, groups := []mixing.Arc{}, [][]int{early}
	if a%b == 0 {
		groups = make([][]int, b)
		for t, i := range early {
			groups[t%b] = append(groups[t%b], i)
		}
	}
	for t, i := range late {
		meet = append(meet, pair(i, early[t], float64(a)/float64(a+b))...)
	}
	steps = append(steps, meet)
	var last [][]mixing.Arc
	for _, g := range groups {
		more, err := inside(g, k)
		if err != nil {
			return nil, err
		}
		for t, arcs := range more {
			if t == len(last) {
				last = append(last, nil)
			}
			last[t] = append(last[t], arcs...)
		}
	}
	return matrices(n, append(steps, last...))
}

func pair(i, j int, weight float64) []mixing.Arc {
	return []mixing.Arc{{From: i, To: j, Weight: weight}, {From: j, To: i, Weight: weight}}
}

// inside is an exact schedule among some of the nodes.
func inside(nodes []int, k int) ([][]mixing.Arc, error) {
	if len(nodes) < 2 {
		return nil, nil
	}
	s, err := mixing.Base(len(nodes), min(k, len(nodes)-1))
	if err != nil {
		return nil, err
	}
	rounds := make([][]mixing.Arc, len(s.Rounds))
	for t, w := range s.Rounds {
		for to := range w.Nodes() {
			from, weight := w.Row(to)
			for x, i := range from {
				rounds[t] = append(rounds[t], mixing.Arc{From: nodes[i], To: nodes[to], Weight: weight[x]})
			}
		}
	}
	return rounds, nil
}

func matrices(n int, steps [][]mixing.Arc) ([]*mixing.Matrix, error) {
	rounds := make([]*mixing.Matrix, 0, len(steps))
	for _, arcs := range steps {
		if len(arcs) == 0 {
			continue
		}
		w, err := mixing.FromArcs(n, arcs)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, w)
	}
	return rounds, nil
}
