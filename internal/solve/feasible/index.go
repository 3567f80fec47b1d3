package feasible

import (
	"math/rand/v2"

	"github.com/batopo/batopo/design"
)

// An index holds what every selection of one space shares. It is not written after
// newIndex, so selections in several goroutines may use it.
type index struct {
	space design.Space
	uses  [][]int // the limits each candidate uses, ascending
	fill  []bool  // per limit: whether all of it must be used
	bound []bool  // whether a candidate uses a limit that must be filled
	used  []bool  // whether a candidate can be chosen at all: no limit of it is 0
	// sign is the sum of a random number per limit used (in an Exact space: per limit to be filled): equal loads have
	// equal sums.
	sign   []uint64
	twins  map[uint64][]int
	usable int // how many candidates can be chosen
}

func newIndex(space design.Space) *index {
	m := len(space.Candidates)
	ix := &index{space: space, uses: make([][]int, m), used: make([]bool, m), bound: make([]bool, m),
		sign: make([]uint64, m),
		fill: make([]bool, len(space.Limits)), twins: make(map[uint64][]int)}
	for k := range ix.used {
		ix.used[k] = true
	}
	draw := rand.NewPCG(1, 0) // any fixed stream: signatures only have to differ
	for l, limit := range space.Limits {
		mark := draw.Uint64()
		ix.fill[l] = space.MustFill(limit)
		if space.Exact && !ix.fill[l] {
			mark = 0 // the caller that applies an exchange checks this limit
		}
		for _, k := range limit.Edges {
			ix.uses[k] = append(ix.uses[k], l)
			ix.sign[k] += mark
			ix.bound[k] = ix.bound[k] || ix.fill[l]
			ix.used[k] = ix.used[k] && limit.Max > 0
		}
	}
	for k, sign := range ix.sign {
		if ix.used[k] {
			ix.usable++
			ix.twins[sign] = append(ix.twins[sign], k)
		}
	}
	return ix
}

// everyUsesTwo reports whether every usable candidate uses exactly two limits.
func (ix *index) everyUsesTwo() bool {
	for k, uses := range ix.uses {
		if ix.used[k] && len(uses) != 2 {
			return false
		}
	}
	return true
}
