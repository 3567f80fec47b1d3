package question

import (
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/design"
)

// gateway: what is inside either of two parts reaches the other only over the ends of the few edges between them. The
// parts are those that the bound names; how many edges there can be is counted here.
func (l Limits) gateway(b *design.Bound) (float64, error) {
	if l.Routes == nil {
		return 0, fmt.Errorf("the argument %q needs resources that parts of the cluster share; here every pair loads just "+
			"its own two nodes", b.Kind)
	}
	inside, across, err := l.Parted(b)
	if err != nil {
		return 0, err
	}
	outside := l.Nodes - inside
	if across > min(inside, outside) {
		return 0, fmt.Errorf("the argument %q needs at most as many edges as there are nodes on either side; here %d can "+
			"join %d and %d nodes", b.Kind, across, inside, outside)
	}
	return l.passed(float64(inside-across), float64(across), float64(outside-across), b.Alpha, b.Beta), nil
}

// Parted returns how many nodes the part has that a bound speaks of, and how many edges can leave it at most.
func (l Limits) Parted(b *design.Bound) (inside, across int, err error) {
	if inside, err = l.united(b); err != nil {
		return 0, 0, err
	}
	return inside, l.around(b), nil
}

// united returns how many nodes the part has that a bound speaks of, if the bound names one: a group, or some of
// several groups of one size that hold every node once.
func (l Limits) united(b *design.Bound) (inside int, err error) {
	if len(b.Groups) == 0 {
		return 0, errors.New("it names no groups")
	}
	seen := make([]bool, l.Nodes)
	held, size := 0, len(b.Groups[0])
	for g, nodes := range b.Groups {
		if len(nodes) != size || size == 0 {
			return 0, fmt.Errorf("groups[%d] has %d nodes, the first %d; they must be of one size, and not empty", g,
				len(nodes), size)
		}
		for _, i := range nodes {
			if i < 0 || i >= l.Nodes || seen[i] {
				return 0, fmt.Errorf("groups[%d] holds node %d, which is in no cluster of %d nodes or in two groups", g, i,
					l.Nodes)
			}
			seen[i] = true
			held++
		}
	}
	switch lone := len(b.Groups) == 1; {
	case lone && (b.Together != 1 || held == l.Nodes):
		return 0, errors.New("it names one group; that must be taken alone, and not hold all nodes")
	case !lone && held != l.Nodes:
		return 0, fmt.Errorf("its groups hold %d of %d nodes", held, l.Nodes)
	case !lone && (b.Together < 1 || b.Together >= len(b.Groups)):
		return 0, fmt.Errorf("it takes %d of %d groups together", b.Together, len(b.Groups))
	}
	return b.Together * size, nil
}

// around returns the most edges that leave the named group or, among all unions of b.Together groups, the edges of the
// union that the fewest leave.
func (l Limits) around(b *design.Bound) int {
	of := slices.Repeat([]int{-1}, l.Nodes) // groups of nodes
	for g, nodes := range b.Groups {
		for _, i := range nodes {
			of[i] = g
		}
	}
	leaving := make([][]int, len(b.Groups)) // candidates
	var between []int
	for k, e := range l.Routes.Candidates {
		if of[e.I] == of[e.J] {
			continue
		}
		between = append(between, k)
		for _, g := range [2]int{of[e.I], of[e.J]} {
			if g >= 0 {
				leaving[g] = append(leaving[g], k)
			}
		}
	}
	all := min(l.Edges, l.Routes.most(between))
	if len(b.Groups) == 1 {
		return max(1, all)
	}
	ends, busiest := 0, 0
	for _, edges := range leaving {
		most := min(l.Edges, l.Routes.most(edges))
		ends, busiest = ends+most, max(busiest, most)
	}
	all = min(all, ends/2)
	// Every edge between groups leaves the same share of the unions, so on average a union is left by that share of the
	// edges.
	p, h := len(b.Groups), b.Together
	share := func(edges int) int { return edges * 2 * h * (p - h) / (p * (p - 1)) }
	few := share(all)
	if used := p * busiest; used == ends && used == 2*all && few%2 != h*busiest%2 {
		// Either one edge less, or each group uses all of its edges, and the number that leave the union has the parity of
		// h·busiest.
		few = max(share(all-1), few-1)
	}
	if busiest <= 2 { // the groups form a ring or a path
		few = min(few, 2)
	}
	return max(1, few)
}

// passed is the bound that steps α and β prove where `across` nodes on either side hold the ends of all edges between
// the sides, and left and right count the nodes behind them.
func (l Limits) passed(left, across, right, alpha, beta float64) float64 {
	n := float64(l.Nodes)
	// spread is the sum of squares about the mean, pair by pair, of a vector that takes these steps.
	spread := func(alpha, beta float64) float64 {
		square := func(x float64) float64 { return x * x }
		return (left*across*square(alpha) + left*across*square(alpha+1) + left*right*square(alpha+1+beta) +
			across*across + across*right*square(1+beta) + across*right*square(beta)) / n
	}
	value := l.narrow(spread(-alpha, -beta) / spread(alpha, beta))
	if !l.Signed { // rows at the ends sum to 1 and have no negative entries
		value = max(value, 1-across*max(1, alpha*alpha+beta*beta)/spread(alpha, beta))
	}
	return value
}
