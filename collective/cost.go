package collective

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
)

// A Cost is what an algorithm costs on a cluster.
type Cost struct {
	MS         float64
	MinGBs     float64 // of the slowest transfer
	Slots      int     // steps one after the other, those of all chunks
	Bottleneck string  // the resource that makes the longest slot long
}

// mostWindows limits the steps of an algorithm in chunks: which steps run at the same time is priced for each slot,
// where steps are not all alike.
const mostWindows = 1 << 12

// Cost prices an algorithm. Transfers of one slot share every resource in proportion to their size; with chunks a
// slot has one step of each chunk that is under way.
func (a *Algorithm) Cost(c *cluster.Cluster) (Cost, error) {
	if err := a.priceable(c); err != nil {
		return Cost{}, err
	}
	slot := newSlot(c)
	cost := Cost{MS: c.PerCollectiveMS(), Slots: a.Chunks + a.Steps - 1}
	var longest cluster.Round
	add := func(first, last, times int) error {
		for s := first; s <= last; s++ {
			slot.add(a.At(s), 1/float64(a.Chunks))
		}
		round, err := slot.price()
		if err != nil {
			return err
		}
		cost.MS += round.CommunicationMS * float64(times)
		longest.Wait(round)
		return nil
	}
	err := a.windows(add)
	cost.MinGBs, cost.Bottleneck = longest.MinEdgeGBs, longest.Bottleneck
	return cost, err
}

// priceable complains about what cannot be priced on a cluster.
func (a *Algorithm) priceable(c *cluster.Cluster) error {
	if a.Nodes != c.Nodes() {
		return fmt.Errorf("collective: %s is for %d nodes, the cluster has %d", a.Name, a.Nodes, c.Nodes())
	}
	if a.Chunks > 1 && a.Steps > mostWindows {
		return fmt.Errorf("collective: %s has %d steps; at most %d can overlap in chunks", a.Name, a.Steps, mostWindows)
	}
	return nil
}

// windows calls add with the steps that run at the same time, first … last, and in how many slots they do. In slot t
// chunk k is in step t − k. Slots with as many steps that are all alike are one.
func (a *Algorithm) windows(add func(first, last, times int) error) error {
	most := min(a.Steps, a.Chunks) // steps at once
	for last := range most - 1 {
		if err := add(0, last, 1); err != nil {
			return err
		}
	}
	if a.Chunks >= a.Steps {
		if err := add(0, a.Steps-1, a.Chunks-a.Steps+1); err != nil {
			return err
		}
	} else {
		for first := 0; first+most <= a.Steps; {
			times := 1
			if a.alike.first <= first && first+most <= a.alike.past {
				times = a.alike.past - most - first + 1
			}
			if err := add(first, first+most-1, times); err != nil {
				return err
			}
			first += times
		}
	}
	for first := a.Steps - most + 1; first < a.Steps; first++ {
		if err := add(first, a.Steps-1, 1); err != nil {
			return err
		}
	}
	return nil
}

// worthCutting is the gain below which more chunks are not worth it.
const worthCutting = 1e-3

// BestChunks returns the algorithm cut into as many chunks, a power of two up to most, as make it cheapest.
func (a *Algorithm) BestChunks(c *cluster.Cluster, most int) (*Algorithm, Cost, error) {
	best, least := a, Cost{MS: math.Inf(1)}
	for k := 1; k <= most && (k == 1 || a.Steps <= mostWindows); k *= 2 {
		cut := a.InChunks(k)
		cost, err := cut.Cost(c)
		if err != nil {
			return nil, Cost{}, err
		}
		if cost.MS < least.MS*(1-worthCutting) {
			best, least = cut, cost
		}
	}
	return best, least, nil
}
