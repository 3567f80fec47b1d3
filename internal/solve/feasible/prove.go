package feasible

import (
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
	"gonum.org/v1/gonum/mat"
)

// refute looks for a short proof that the space is empty and returns it as an error.
func (ix *index) refute() error {
	for _, check := range []func() error{ix.refuteReach, ix.refuteNested, ix.refuteCuts, ix.refuteCount, ix.refuteRows,
		ix.refuteDegrees} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// refuteReach: the candidates whose limits are not 0 must connect the nodes.
func (ix *index) refuteReach() error {
	groups := ix.groups(func(k int) bool { return true })
	if groups == 1 {
		return nil
	}
	var zero []string
	for _, l := range ix.space.Limits {
		if l.Max == 0 {
			zero = append(zero, l.Name)
		}
	}
	return infeasible("the limits of %s are 0, and without them the nodes fall into %d groups", list(zero), groups)
}

// refuteNested: a limit that must be filled must not lie within one that is smaller.
func (ix *index) refuteNested() error {
	for l, inner := range ix.space.Limits {
		if !ix.fill[l] || len(inner.Edges) == 0 {
			continue
		}
		for _, o := range ix.uses[inner.Edges[0]] {
			outer := ix.space.Limits[o]
			if outer.Max < inner.Max && !slices.ContainsFunc(inner.Edges, func(k int) bool { return !ix.usesLimit(k, o) }) {
				return infeasible("%s must carry exactly %d edges, and each of them counts for the %s, whose limit is %d",
					inner.Name, inner.Max, outer.Name, outer.Max)
			}
		}
	}
	return nil
}

// refuteCuts: if the candidates that avoid a resource leave c groups of nodes, the resource
// must carry at least c − 1 edges.
func (ix *index) refuteCuts() error {
	for l, limit := range ix.space.Limits {
		if groups := ix.groups(func(k int) bool { return !ix.usesLimit(k, l) }); groups-1 > limit.Max {
			return infeasible("without %s the nodes fall into %d groups, so it must carry at least %d "+
				"edges, but its limit is %d",
				limit.Name, groups, groups-1, limit.Max)
		}
	}
	return nil
}

// groups counts the components that the usable candidates accepted by keep leave.
func (ix *index) groups(keep func(k int) bool) int {
	parts := topology.NewParts(ix.space.Nodes)
	for k, used := range ix.used {
		if used && keep(k) {
			parts.JoinEnds(ix.space.Candidates[k])
		}
	}
	return parts.Count()
}

// refuteCount: how many edges the limits allow (or, in an Exact space, demand) in total.
func (ix *index) refuteCount() error {
	fewest, most, total := math.MaxInt, 0, 0
	counts := func(l int) bool { return ix.fill[l] || !ix.space.Exact }
	for k, uses := range ix.uses {
		if ix.used[k] {
			count := 0
			for _, l := range uses {
				if counts(l) {
					count++
				}
			}
			fewest, most = min(fewest, count), max(most, count)
		}
	}
	for l, limit := range ix.space.Limits {
		if counts(l) {
			total += limit.Max
		}
	}
	if most == 0 {
		return nil
	}
	if fewest > 0 && total/fewest < ix.space.Nodes-1 {
		return infeasible("the limits sum to %d and every edge uses at least %d of them, so at most %d edges fit, "+
			"but %d nodes need %d to be connected",
			total, fewest, total/fewest, ix.space.Nodes, ix.space.Nodes-1)
	}
	if !ix.space.Exact {
		return nil
	}
	if fewest == most && total%most != 0 {
		return infeasible("the limits sum to %d and every edge uses exactly %d of them, so they cannot all be met",
			total, most)
	}
	if least := (total + most - 1) / most; least > ix.space.MaxEdges {
		return infeasible("the limits sum to %d and no edge uses more than %d of them, "+
			"so meeting them takes at least %d edges, but MaxEdges is %d",
			total, most, least, ix.space.MaxEdges)
	}
	return nil
}

// refuteRows: limits that must be met exactly must not contradict each other.
func (ix *index) refuteRows() error {
	if !ix.space.Exact {
		return nil
	}
	_, err := IndependentLimits(ix.space)
	return err
}

// refuteDegrees applies the theorem of Erdős and Gallai where limits are the degrees of nodes
// and all pairs are candidates.
func (ix *index) refuteDegrees() error {
	degree, all := ix.space.Degrees()
	if !all || !ix.fillsNodes() {
		return nil
	}
	slices.SortFunc(degree, func(a, b int) int { return b - a })
	left := 0
	for k := 1; k <= len(degree); k++ {
		left += degree[k-1]
		right := k * (k - 1)
		for _, d := range degree[k:] {
			right += min(d, k)
		}
		if left > right {
			return infeasible("no graph has these degrees: the %d largest sum to %d, but by Erdős and "+
				"Gallai at most %d is possible", k, left, right)
		}
	}
	return nil
}

// fillsNodes reports whether every node has a limit that must be filled, where each limit is of one node.
func (ix *index) fillsNodes() bool {
	filled := make([]bool, ix.space.Nodes)
	for l, fill := range ix.fill {
		node := ix.space.Limits[l].Node
		filled[node] = filled[node] || fill
	}
	return !slices.Contains(filled, false)
}

// gram returns M Mᵀ.
func gram(uses [][]int, q int) *mat.SymDense {
	g := mat.NewSymDense(q, nil)
	for _, limits := range uses {
		for x, a := range limits {
			for _, b := range limits[x:] {
				g.SetSym(a, b, g.At(a, b)+1)
			}
		}
	}
	return g
}

// list joins names for a message, up to a readable number.
func list(names []string) string {
	const readable = 3
	text := ""
	for i, name := range names {
		switch {
		case i == readable:
			return fmt.Sprintf("%s and %d more", text, len(names)-readable)
		case i > 0:
			text += ", "
		}
		text += name
	}
	return text
}
