package planner

import (
	"errors"
	"fmt"
	"github.com/batopo/batopo/cost"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
)

// Levels lists who could average exactly inside, the largest groups first: sets of one size that have a way out of
// their own, such as servers behind a network card, and the servers or groups of the cluster's description. A tree has
// several levels, such as racks and the hosts in them.
func Levels(c *cluster.Cluster) ([][][]int, error) {
	var out [][][]int
	if c.Nodes() <= mostForWays {
		out = cost.Divisions(c)
	}
	var uneven error
	for _, sizes := range described(c.Spec()) {
		groups, err := inOrder(sizes)
		if err != nil {
			uneven = err
			continue
		}
		if !slices.ContainsFunc(out, func(known [][]int) bool { return len(known) == len(groups) }) {
			out = append(out, groups)
		}
	}
	if len(out) == 0 {
		if uneven == nil {
			uneven = errors.New("planner: the cluster has no groups of nodes, such as servers, to average inside of")
		}
		return nil, uneven
	}
	slices.SortStableFunc(out, func(a, b [][]int) int { return len(a) - len(b) })
	return out, nil
}

// Groups suggests who averages exactly inside: of all levels the one on which the rounds of a one-peer
// exponential schedule between the groups are predicted to take the least time, each once.
func Groups(c *cluster.Cluster) ([][]int, error) {
	levels, err := Levels(c)
	if err != nil {
		return nil, err
	}
	best, least := levels[0], math.Inf(1)
	for _, groups := range levels {
		if len(levels) == 1 || len(groups) > mostAllPairs {
			continue
		}
		if ms, err := pairsMS(c, groups); err == nil && ms < least {
			best, least = groups, ms
		}
	}
	return best, nil
}

// pairsMS is how long it takes until every group has exchanged with those at distances 1, 2, 4, …, once each.
func pairsMS(c *cluster.Cluster, groups [][]int) (sum float64, err error) {
	for distance := 1; distance < len(groups); distance *= 2 {
		arcs := make([][2]int, len(groups))
		for g := range arcs {
			arcs[g] = [2]int{g, (g + distance) % len(groups)}
		}
		price, err := cost.Of(collective.LevelsRound(groups, arcs), c)
		if err != nil {
			return 0, err
		}
		sum += price.MS
	}
	return sum, nil
}

// inOrder makes groups of nodes that follow each other.
func inOrder(sizes []int) ([][]int, error) {
	groups, next := make([][]int, len(sizes)), 0
	for g, size := range sizes {
		if size < 2 {
			return nil, fmt.Errorf("planner: group %d has one node; two levels need groups of at least 2", g)
		}
		if size != sizes[0] {
			return nil, fmt.Errorf("planner: group %d has %d nodes, group 0 has %d; two levels need groups of one size",
				g, size, sizes[0])
		}
		for range size {
			groups[g] = append(groups[g], next)
			next++
		}
	}
	return groups, nil
}

// described returns the sizes of the groups of a description, in the order of their nodes, level by level from the
// outermost; none where it has no two groups.
func described(s cluster.Spec) [][]int {
	switch {
	case s.Servers != nil && s.Servers.Count > 1:
		return [][]int{slices.Repeat([]int{s.Servers.GPUs}, s.Servers.Count)}
	case s.Tree != nil:
		var out [][]int
		for level := []cluster.Group{*s.Tree}; ; {
			inner, ok := inside(level)
			if !ok {
				return out
			}
			level = inner
			if len(level) > 1 {
				sizes := make([]int, len(level))
				for k, g := range level {
					sizes[k] = size(g)
				}
				out = append(out, sizes)
			}
		}
	}
	return nil
}

// inside lists the groups one level further in; not where nodes hang beside groups, or nothing is further in.
func inside(level []cluster.Group) (out []cluster.Group, ok bool) {
	for _, g := range level {
		if g.Nodes > 0 {
			return nil, false
		}
		for _, inner := range g.Groups {
			out = append(out, slices.Repeat([]cluster.Group{inner}, max(1, inner.Count))...)
		}
	}
	return out, len(out) > 0
}

// size counts the nodes of one group.
func size(g cluster.Group) int {
	n := g.Nodes
	for _, inner := range g.Groups {
		n += max(1, inner.Count) * size(inner)
	}
	return n
}
