package cost

import (
	"cmp"
	"context"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// BestLeaders looks for the groups with which [collective.Leaders] is cheapest: for 1, 2, 4, … leaders, the nodes with
// the fastest way out lead, and members move between groups as long as that helps. It returns how many divisions were
// priced. When ctx ends it returns the best so far, at least one.
func BestLeaders(ctx context.Context, c *cluster.Cluster,
) (best *collective.Algorithm, price Price, priced int, err error) {
	const most = 64
	if c.Nodes() > most {
		return nil, Price{}, 0, limits.Refuse("cost: leaders are searched for at most %d nodes", most)
	}
	order := fastestFirst(c)
	for m := 1; m <= len(order) && (m == 1 || ctx.Err() == nil); m *= 2 {
		s := &leaderSearch{ctx: ctx, cluster: c, groups: make([][]int, m)}
		for k, v := range order {
			// Slow nodes one by one to the groups in turn; the search below corrects it.
			s.groups[k%m] = append(s.groups[k%m], v)
		}
		if err := s.improve(); err != nil {
			return nil, Price{}, priced + s.priced, err
		}
		priced += s.priced
		if best == nil || s.cost.MS < price.MS {
			best, price = collective.Leaders(s.groups), s.cost
		}
	}
	return best, price, priced, nil
}

// A leaderSearch improves one division into groups.
type leaderSearch struct {
	ctx     context.Context
	cluster *cluster.Cluster
	groups  [][]int
	cost    Price
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

func (s *leaderSearch) price() (Price, error) {
	s.priced++
	return Of(collective.Leaders(s.groups), s.cluster)
}

// fastestFirst orders nodes by the slowest resource that all their arcs pass, fastest first.
func fastestFirst(c *cluster.Cluster) []int {
	way := make([]float64, c.Nodes())
	for _, e := range gatesOf(c) {
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
