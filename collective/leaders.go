package collective

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// Doubling is all-reduce in whole messages: partners at distance 1, 2, 4, … in the order swap the sums they have.
// Nodes beyond a power of two hand their message to one within it first, and get the sum in the end.
func Doubling(order []int) *Algorithm {
	n := len(order)
	m := 1 << (bits.Len(uint(n)) - 1)
	var steps [][]Transfer
	if n > m {
		steps = append(steps, folded(order, m, true))
	}
	for d := 1; d < m; d *= 2 {
		swap := make([]Transfer, m)
		for p := range m {
			swap[p] = whole(order[p], order[p^d], true)
		}
		steps = append(steps, swap)
	}
	if n > m {
		steps = append(steps, folded(order, m, false))
	}
	return Listed("doubling", n, steps)
}

// Leaders is all-reduce in whole messages on two levels: the first node of every group collects the messages of the
// others, the leaders double among themselves, and hand the sum back.
func Leaders(groups [][]int) *Algorithm {
	n := 0
	leaders := make([]int, len(groups))
	var collect, spread []Transfer
	for k, group := range groups {
		n += len(group)
		leaders[k] = group[0]
		for _, member := range group[1:] {
			collect = append(collect, whole(member, group[0], true))
			spread = append(spread, whole(group[0], member, false))
		}
	}
	between := Doubling(leaders)
	steps := [][]Transfer{}
	if len(collect) > 0 {
		steps = append(steps, collect)
	}
	for s := range between.Steps {
		steps = append(steps, between.At(s))
	}
	if len(spread) > 0 {
		steps = append(steps, spread)
	}
	return Listed("leaders", n, steps)
}

// BestLeaders looks for the groups with which [Leaders] is cheapest: for 1, 2, 4, … leaders, the nodes with the
// fastest way out lead, and members move between groups as long as that helps. It returns how many divisions were
// priced. When ctx ends it returns the best so far, at least one.
func BestLeaders(ctx context.Context, c *cluster.Cluster) (best *Algorithm, cost Cost, priced int, err error) {
	order := fastestFirst(c)
	for m := 1; m <= len(order) && (m == 1 || ctx.Err() == nil); m *= 2 {
		s := &leaderSearch{ctx: ctx, cluster: c, groups: make([][]int, m)}
		for k, v := range order {
			// Slow nodes one by one to the groups in turn; the search below corrects it.
			s.groups[k%m] = append(s.groups[k%m], v)
		}
		if err := s.improve(); err != nil {
			return nil, Cost{}, priced + s.priced, err
		}
		priced += s.priced
		if best == nil || s.cost.MS < cost.MS {
			best, cost = Leaders(s.groups), s.cost
		}
	}
	return best, cost, priced, nil
}

// A leaderSearch improves one division into groups.
type leaderSearch struct {
	ctx     context.Context
	cluster *cluster.Cluster
	groups  [][]int
	cost    Cost
	priced  int
}

// improve moves or swaps members as long as the time gets less and ctx has not ended.
func (s *leaderSearch) improve() error {
	first, err := s.price()
	if err != nil {
		return err
	}
	s.cost = first
	for better := true; better; {
		better = false
		for a := range s.groups {
			for b := range s.groups {
				if a == b {
					continue
				}
				moved, err := s.exchange(a, b)
				if err != nil {
					return err
				}
				better = better || moved
			}
		}
	}
	return nil
}

// exchange tries to move each member of group a to group b, alone or for a member of b.
func (s *leaderSearch) exchange(a, b int) (better bool, err error) {
	for x := 1; x < len(s.groups[a]); x++ {
		for y := len(s.groups[b]); y >= 1 && x < len(s.groups[a]) && s.ctx.Err() == nil; y-- {
			from, to := slices.Clone(s.groups[a]), slices.Clone(s.groups[b])
			if y == len(to) {
				s.groups[a], s.groups[b] = slices.Delete(slices.Clone(from), x, x+1), append(slices.Clone(to), from[x])
			} else {
				s.groups[a], s.groups[b] = slices.Clone(from), slices.Clone(to)
				s.groups[a][x], s.groups[b][y] = to[y], from[x]
			}
			cost, err := s.price()
			if err != nil {
				return better, err
			}
			if cost.MS < s.cost.MS*(1-worthCutting) {
				s.cost, better = cost, true
			} else {
				s.groups[a], s.groups[b] = from, to
			}
		}
	}
	return better, nil
}

func (s *leaderSearch) price() (Cost, error) {
	s.priced++
	return Leaders(s.groups).Cost(s.cluster)
}

// fastestFirst orders nodes by the slowest resource that all their arcs pass, fastest first.
func fastestFirst(c *cluster.Cluster) []int {
	way := make([]float64, c.Nodes())
	for _, e := range gatesOf(c, cluster.Sender) {
		gbs := c.Resources()[e.resource].GBs / float64(len(e.nodes))
		for _, i := range e.nodes {
			if way[i] == 0 || gbs < way[i] {
				way[i] = gbs
			}
		}
	}
	order := topology.InOrder(len(way))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(way[b], way[a]) })
	return order
}
