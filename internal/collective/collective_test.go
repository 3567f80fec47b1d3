package collective

import (
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/topology"
)

// all returns every algorithm on n nodes in a random order.
func all(n int) []*Algorithm {
	draw := rand.New(rand.NewPCG(7, uint64(n)))
	order := draw.Perm(n)
	first, second := TwoTrees(order)
	shares := make([]float64, n)
	sum := 0.0
	for i := range shares {
		shares[i] = float64(draw.IntN(3))
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= max(sum, 1)
	}
	list := []*Algorithm{Ring(order), HalvingDoubling(order), Trees(first), Trees(first, second), Shards(EqualShares(n))}
	if sum > 0 {
		list = append(list, Shards(shares))
	}
	list = append(list, Doubling(order), Leaders([][]int{order[:1], order[1:]}))
	for s := 1; s <= n/2; s++ {
		if n%s != 0 {
			continue
		}
		groups := make([][]int, n/s)
		for k, v := range order {
			groups[k/s] = append(groups[k/s], v)
		}
		list = append(list, Levels(groups, Direct, Ring(topology.InOrder(n/s))),
			Levels(groups, Around, HalvingDoubling(topology.InOrder(n/s))),
			Levels(groups, Around, Shards(EqualShares(n/s))))
	}
	return list
}

func TestEveryAlgorithmAveragesExactly(t *testing.T) {
	for n := 2; n <= 33; n++ {
		for _, a := range all(n) {
			if err := a.Exact(); err != nil {
				t.Errorf("n = %d: %v", n, err)
			}
		}
	}
}

func TestExactRefusesAnAlgorithmThatForgetsAStep(t *testing.T) {
	for _, a := range all(12) {
		for skip := range a.Steps {
			less := *a
			less.At = func(s int) []Transfer {
				if s == skip {
					return nil
				}
				return a.At(s)
			}
			if len(a.At(skip)) > 0 && less.Exact() == nil {
				t.Errorf("%s without step %d passes as exact", a.Name, skip)
			}
		}
	}
}
