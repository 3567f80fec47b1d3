package feasible

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A market looks for a spanning tree within the limits by putting prices on them. Every connected choice contains a
// spanning tree, so there is one exactly if some tree fits.
//
// With prices p ≥ 0 the cheapest tree costs as much as any tree at least, while all limits together are worth Σ p·Max.
// Where the cheapest tree costs more than that, no tree fits: a proof in whole numbers. Otherwise the cheapest tree
// overloads some limits; their prices rise by the excess, those of others fall. This is the perceptron rule for the
// inequalities p·(load − Max) > 0 of all trees: it ends at this proof whenever no mixture of trees fits.
//
// Package cluster prices resources too, for another question: how many edges a connected graph can have at most.
type market struct {
	s     *Selection
	price []int
	cost  []int // per candidate: the sum of its limits' prices
	rng   *rand.Rand
	order []int
	load  []int
}

func newMarket(s *Selection) *market {
	return &market{s: s, price: make([]int, len(s.load)), cost: make([]int, len(s.in)), load: make([]int, len(s.load)),
		rng: rand.New(rand.NewPCG(2, 1)), order: s.ix.byScore(make([]float64, len(s.in)))}
}

// marketWork bounds the work: a round looks at every candidate.
const marketWork = 20_000_000

// refutePrices returns a proof that no spanning tree fits, if it finds one. Otherwise a tree that fits may be left in
// the selection; found says so.
func (m *market) refutePrices(ctx context.Context) (found bool, err error) {
	for range max(16, marketWork/max(1, len(m.order)*16)) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		spent := m.cheapestTree()
		worth, over := 0, false
		for l, limit := range m.s.ix.space.Limits {
			worth += m.price[l] * limit.Max
			over = over || m.load[l] > limit.Max
		}
		if !over {
			return true, nil // the tree itself fits, and is in the selection
		}
		if spent > worth {
			return false, m.proof(spent, worth)
		}
		if m.withinLimits() {
			return true, nil
		}
		for l, limit := range m.s.ix.space.Limits {
			m.price[l] = max(0, m.price[l]+m.load[l]-limit.Max)
		}
	}
	return false, nil
}

// cheapestTree leaves the cheapest spanning tree in the selection, its loads in m.load, and returns its cost. Of
// equally cheap candidates chance decides.
func (m *market) cheapestTree() (cost int) {
	s := m.s
	for k, uses := range s.ix.uses {
		m.cost[k] = 0
		for _, l := range uses {
			m.cost[k] += m.price[l]
		}
	}
	m.rng.Shuffle(len(m.order), func(i, j int) { m.order[i], m.order[j] = m.order[j], m.order[i] })
	slices.SortStableFunc(m.order, func(a, b int) int { return cmp.Compare(m.cost[a], m.cost[b]) })
	s.clear()
	s.components()
	for _, k := range m.order {
		if s.union(k) {
			s.add(k)
			cost += m.cost[k]
		}
	}
	copy(m.load, s.load)
	return cost
}

// withinLimits builds a forest by the same order that keeps the limits, and reports whether it became a tree.
func (m *market) withinLimits() bool {
	s := m.s
	s.clear()
	s.components()
	for _, k := range m.order {
		if s.fits(k) && s.union(k) {
			s.add(k)
		}
	}
	return s.parts.Count() == 1
}

// proof says in words why no tree fits, by equal prices where they prove it too.
func (m *market) proof(spent, worth int) error {
	found := slices.Clone(m.price)
	var names, priced []string
	total := 0
	for l, limit := range m.s.ix.space.Limits {
		if m.price[l] > 0 {
			m.price[l] = 1
			total += limit.Max
			names = append(names, limit.Name)
			priced = append(priced, fmt.Sprintf("%d × %s", found[l], limit.Name))
		}
	}
	if least := m.cheapestTree(); least > total {
		return infeasible("connecting the nodes takes at least %d places on %s, but their limits sum to %d",
			least, list(names), total)
	}
	return infeasible("at prices of %s whatever connects the nodes costs at least %d, "+
		"but all that the limits allow is worth %d", list(priced), spent, worth)
}
