package cost

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/workers"
)

// Divisions lists who could average exactly inside, the largest groups first: sets of one size that have a way out of
// their own, such as servers behind a network card, and the servers or groups of the cluster's description. A server
// with several network cards has no way out that all its nodes share, and is a group because its description says so.
// A tree has several levels, such as racks and the hosts in them.
func Divisions(c *cluster.Cluster) ([][][]int, error) {
	var out [][][]int
	if c.Nodes() <= mostForGates {
		out = byGates(c)
	}
	var uneven error
	for _, sizes := range described(c.Spec()) {
		groups, err := consecutive(sizes)
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
			uneven = errors.New("cost: the cluster has no groups of nodes, such as servers, to average inside of")
		}
		return nil, uneven
	}
	slices.SortStableFunc(out, func(a, b [][]int) int { return len(a) - len(b) })
	return out, nil
}

// consecutive makes groups of nodes that follow each other.
func consecutive(sizes []int) ([][]int, error) {
	groups, next := make([][]int, len(sizes)), 0
	for g, size := range sizes {
		if size < 2 {
			return nil, fmt.Errorf("cost: group %d has one node; hierarchical averaging needs groups of at least 2", g)
		}
		if size != sizes[0] {
			return nil, fmt.Errorf("cost: group %d has %d nodes, group 0 has %d; hierarchical averaging needs equal groups",
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
					sizes[k] = g.Size()
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

// BestLevels returns the cheapest hierarchical all-reduce in at most the given number of chunks. It tries every level
// of [Divisions] on all cores until ctx ends.
func BestLevels(ctx context.Context, c *cluster.Cluster, chunks int,
) (best *collective.Algorithm, price Price, err error) {
	if c.Nodes() > mostForGates {
		return nil, Price{}, limits.Refuse("cost: groups are looked for on at most %d nodes", mostForGates)
	}
	levels, err := Divisions(c)
	if err != nil {
		return nil, Price{}, err
	}
	var ways []*collective.Algorithm
	for _, groups := range levels {
		ways = append(ways, collective.WaysOnLevels(groups)...)
	}
	prices, errs := make([]Price, len(ways)), make([]error, len(ways))
	workers.Each(0, len(ways), func(k int) {
		if k == 0 || ctx.Err() == nil {
			ways[k], prices[k], errs[k] = BestChunks(ways[k], c, chunks)
		} else {
			prices[k].RankMS = math.Inf(1)
		}
	})
	least := 0
	for k := range ways {
		if errs[k] != nil {
			return nil, Price{}, errs[k]
		}
		if prices[k].RankMS < prices[least].RankMS {
			least = k
		}
	}
	return ways[least], prices[least], nil
}
