package sweep

import (
	"cmp"
	"context"
	"slices"

	"github.com/batopo/batopo/topology"
)

// largeCluster is the number of nodes up to which every budget takes seconds.
const largeCluster = 256

// sequence is the order in which the first budgets are solved. Where all of them take seconds, it is the order of their
// edges. On large clusters those come first that may win by what is proved about them, so that others need not be
// solved. Under a deadline a search of very many equal nodes may not come to all budgets; the rate of the best graphs
// of degree d, about 2√(d−1)/d, makes some eight neighbours the fastest there, so it begins with these.
func (w *sweeper) sequence(ctx context.Context) []int {
	const huge, promising = 1000, 8
	order := topology.InOrder(len(w.Outcomes))
	c := w.problem.Cluster
	_, limited := ctx.Deadline()
	switch {
	case w.Criterion == ByRate:
	case c.Homogeneous() && c.Nodes() > huge && limited:
		far := func(k int) int {
			degree := w.Outcomes[k].Budget.MaxDegree
			return max(degree-promising, promising-degree)
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(far(i), far(j)) })
	case !c.Homogeneous() && w.large:
		least := make([]float64, len(w.Outcomes))
		for k, o := range w.Outcomes {
			if score, _, err := w.least(ctx, o.Budget, nil); err == nil {
				least[k] = score // else 0: it comes first, and solving it asks again and says what is wrong
			}
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(least[i], least[j]) })
	}
	return order
}
