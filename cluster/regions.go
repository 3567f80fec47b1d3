package cluster

import (
	"math"
	"slices"
)

// regionFactor is how much slower rates between regions must be than inside them.
const regionFactor = 2

// Regions finds groups of nodes that exchange clearly faster among themselves than with others: the sites, racks or
// channels behind measured pairs. A pair is as fast as its slower direction, and one that was not measured as slow as
// the slowest. Nodes and groups are joined in pairs, the fastest on average first, and the division lies where the
// mean rate of a join falls most. Factor is that fall. Where it is below 2 there are no regions.
func (m *Matrix) Regions() (groups [][]int, factor float64) {
	joins := m.joins()
	cut := 0
	for k := 1; k < len(joins); k++ {
		if fall := math.Exp(joins[k].slowness - joins[k-1].slowness); fall >= regionFactor && fall > factor {
			cut, factor = k, fall
		}
	}
	if cut == 0 {
		return nil, 0
	}
	members := make([][]int, len(m.GBs))
	for i := range members {
		members[i] = []int{i}
	}
	for _, j := range joins[:cut] {
		members[j.into], members[j.from] = append(members[j.into], members[j.from]...), nil
	}
	for _, group := range members {
		if slices.Sort(group); group != nil {
			groups = append(groups, group)
		}
	}
	return groups, factor
}

// A join makes one group of two, which are called by their first nodes.
type join struct {
	into, from int
	slowness   float64 // −log of the mean rate between them, a geometric mean
}

// joins is average linkage over −log of the rates: each join is at least as slow as the one before.
func (m *Matrix) joins() []join {
	slow, n := m.slowness(), len(m.GBs)
	size, nearest := make([]float64, n), make([]int, n) // nearest of the later ones
	find := func(i int) {
		nearest[i] = -1
		for j := i + 1; j < n; j++ {
			if size[j] > 0 && (nearest[i] < 0 || slow[i][j] < slow[i][nearest[i]]) {
				nearest[i] = j
			}
		}
	}
	for i := range n {
		size[i] = 1
	}
	for i := range n {
		find(i)
	}
	joins := make([]join, 0, n)
	for len(joins) < n-1 {
		a := -1
		for i := range n {
			if size[i] > 0 && nearest[i] >= 0 && (a < 0 || slow[i][nearest[i]] < slow[a][nearest[a]]) {
				a = i
			}
		}
		b := nearest[a]
		joins = append(joins, join{a, b, slow[a][b]})
		for c := range n {
			mean := (size[a]*slow[a][c] + size[b]*slow[b][c]) / (size[a] + size[b])
			slow[a][c], slow[c][a] = mean, mean
		}
		size[a], size[b] = size[a]+size[b], 0
		for i := range b { // of the others none is nearer now: a mean is no less than the smaller of two
			if size[i] > 0 && (i == a || nearest[i] == a || nearest[i] == b) {
				find(i)
			}
		}
	}
	return joins
}

// slowness is −log of the rate of every pair.
func (m *Matrix) slowness() [][]float64 {
	n, slowest := len(m.GBs), 0.
	rate := func(i, j int) float64 { return min(m.GBs[i][j], m.GBs[j][i]) }
	for i := range n {
		for j := range i {
			if r := rate(i, j); r > 0 && (slowest == 0 || r < slowest) {
				slowest = r
			}
		}
	}
	slow := make([][]float64, n)
	for i := range slow {
		slow[i] = make([]float64, n)
		for j := range i {
			slow[i][j] = -math.Log(max(rate(i, j), slowest))
			slow[j][i] = slow[i][j]
		}
	}
	return slow
}
