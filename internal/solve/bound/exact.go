package bound

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
)

// complete is what holds on every graph, and is reached where every edge may be used: there W = J gives 0.
func (q *question) complete() design.Bound {
	return design.Bound{RAsym: q.floor(), Kind: design.CompleteBound,
		Detail: fmt.Sprintf("no graph on %d nodes does better, not even the complete one", q.n)}
}

// tree is the case of n−1 edges. The star is best: at the centroid of a tree the
// Laplacian L = I − W has an entry σ with λ₂(L) ≤ σ/(n−1) and λ_max(L) ≥ σn/(n−1), and σ ≤ 1 where self weights
// are not negative.
func (q *question) tree() (b design.Bound, ok bool) {
	if q.ends != 2*(q.n-1) || q.n < 3 {
		return b, false
	}
	n := float64(q.n)
	ratio := q.fromRatio(1 / n)
	if q.fmmc {
		ratio = max(ratio, (n-2)/(n-1))
	}
	return design.Bound{
		RAsym: ratio, Kind: design.TreeBound,
		Detail: fmt.Sprintf("%s: the graph is a tree, and no tree is better than the star", q.allowed()),
	}, true
}

// ring is the case of degrees of at most 2: the graph is a ring or part of one, and
// equal weights are best on a ring because averaging W over its symmetries cannot hurt.
func (q *question) ring() (b design.Bound, ok bool) {
	if q.largest() > 2 || q.n < 3 {
		return b, false
	}
	step := 2 * math.Pi / float64(q.n)
	smallest, largest := 1-math.Cos(step), 1-math.Cos(step*float64(q.n/2))
	return design.Bound{
		RAsym: q.fromRatio(smallest / largest), Kind: design.RingBound,
		Detail: fmt.Sprintf("%s: the graph is a ring or a path, and equal weights on the ring are best", q.allowed()),
	}, true
}

// fromRatio returns the bound that follows from λ₂(L)/λ_max(L) ≤ x for the Laplacian L = I − W, whose
// spectrum besides 0 lies in [1−v, 1+v], or in [1−v, 1−μ].
func (q *question) fromRatio(x float64) float64 {
	if q.limited {
		return 1 - (1-q.mu)*x
	}
	return (1 - x) / (1 + x)
}
