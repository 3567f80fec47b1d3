package importer

import (
	"reflect"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
)

// mostDevices is how many GPUs or network cards one machine may have.
const mostDevices = 256

// dealt hands network cards out to nodes, each to its closest one, and says how far that is at most. Nodes with fewer
// choices come first; nodes with the same choice among equally close cards get even shares of them in order, neighbours
// the same card. It lists the cards in use and the nodes of each.
func dealt(nodes, cards int, distance func(node, card int) int) (of [][]int, used []int, far int) {
	type choice struct{ cards, nodes []int }
	var choices []choice
	for i := range nodes {
		var closest []int
		for k := range cards {
			switch {
			case len(closest) == 0 || distance(i, k) < distance(i, closest[0]):
				closest = []int{k}
			case distance(i, k) == distance(i, closest[0]):
				closest = append(closest, k)
			}
		}
		far = max(far, distance(i, closest[0]))
		at := slices.IndexFunc(choices, func(c choice) bool { return slices.Equal(c.cards, closest) })
		if at < 0 {
			at, choices = len(choices), append(choices, choice{cards: closest})
		}
		choices[at].nodes = append(choices[at].nodes, i)
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return len(a.cards) - len(b.cards) })
	all := make([][]int, cards)
	for _, c := range choices {
		share := make([]int, cards)
		for range c.nodes {
			share[slices.MinFunc(c.cards, func(a, b int) int { return len(all[a]) + share[a] - len(all[b]) - share[b] })]++
		}
		left := c.nodes
		for _, k := range c.cards {
			all[k], left = append(all[k], left[:share[k]]...), left[share[k]:]
		}
	}
	for k, own := range all {
		if slices.Sort(own); len(own) > 0 {
			of, used = append(of, own), append(used, k)
		}
	}
	return of, used, far
}

func hasGroup(g *cluster.Group, name string) bool {
	return slices.ContainsFunc(g.Groups, func(inner cluster.Group) bool {
		return inner.Name == name || hasGroup(&inner, name)
	})
}

// allWithin reports whether every node is inside some group of that name.
func allWithin(g *cluster.Group, name string) bool {
	return g.Nodes == 0 && !slices.ContainsFunc(g.Groups, func(inner cluster.Group) bool {
		return inner.Name != name && !allWithin(&inner, name)
	})
}

// alike reports whether two groups differ in their count only.
func alike(a, b cluster.Group) bool {
	a.Count, b.Count = 0, 0
	return reflect.DeepEqual(a, b)
}

// shorten keeps messages about broken files readable.
func shorten(s string) string { return limits.Shorten(s, 40) }
