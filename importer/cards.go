package importer

import (
	"reflect"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// mostDevices is how many GPUs or network cards one machine may have.
const mostDevices = 256

// dealt hands network cards out to nodes, each to its closest one, and says how far that is at most. Cards that nobody
// gets are left out.
func dealt(nodes, cards int, distance func(node, card int) int) (of [][]int, far int) {
	of = make([][]int, cards)
	for i := range nodes {
		best := 0
		for k := 1; k < cards; k++ {
			if a, b := distance(i, k), distance(i, best); a < b || a == b && len(of[k]) < len(of[best]) {
				best = k
			}
		}
		of[best] = append(of[best], i)
		far = max(far, distance(i, best))
	}
	return slices.DeleteFunc(of, func(own []int) bool { return len(own) == 0 }), far
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
func shorten(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
