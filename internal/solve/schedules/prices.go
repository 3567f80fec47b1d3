package schedules

import (
	"slices"

	"github.com/batopo/batopo/topology"
)

// boundWork limits how often prices are changed in search of a better proof: pairs of nodes times changes.
const (
	boundSteps = 400
	boundWork  = 2_000_000
)

// bestPrices looks for the prices that prove most. The value is concave in the prices, so the average of prices that
// follow the load of the cheapest arcs comes near the best; single resources and resources in proportion to their
// speed, which classical arguments use, are tried too.
func (w *network) bestPrices() claim {
	best := claim{}
	offer := func(price []float64) {
		if c := w.bestGroups(price); c.ms > best.ms*(1+1e-12) {
			c.price = slices.Clone(price)
			best = c
		}
	}
	for _, price := range w.classical() {
		offer(price)
	}
	if w.n > mostListed {
		return best
	}
	groupings := [][]int{topology.InOrder(w.n)}
	if best.groups != nil && len(best.groups) < w.n {
		groupings = append(groupings, of(best.groups, w.n))
	}
	for _, of := range groupings {
		offer(w.averagePrices(of, slices.Max(of)+1))
	}
	return best
}

// averagePrices plays prices against the cheapest arcs of the argument and returns the average prices.
func (w *network) averagePrices(of []int, count int) []float64 {
	price, load, sum := make([]float64, len(w.ms)), make([]float64, len(w.ms)), make([]float64, len(w.ms))
	steps := min(boundSteps, max(20, boundWork/(w.n*w.n)))
	for step := range steps {
		w.reprice(price, load, step)
		_, arcs := w.value(price, of, count)
		for _, a := range arcs {
			for _, h := range w.routes[a.i*w.n+a.j] {
				if w.shared[h] {
					load[h] += w.ms[h] / 2
				} else {
					load[h] += w.ms[h]
				}
			}
		}
		// Early prices know little.
		if step >= steps/4 {
			for h := range sum {
				sum[h] += price[h]
			}
		}
	}
	total := 0.0
	for _, x := range sum {
		total += x
	}
	for h := range sum {
		sum[h] /= total
	}
	return sum
}
