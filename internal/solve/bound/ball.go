package bound

import (
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
)

// ball is the Chebyshev bound at the node with the fewest others around it. With p of degree k and p(1) = 1, row i of
// p(W) sums to 1 over the B nodes within k steps of i, so p²(W)_ii ≥ 1/B; and since the constant vector has the share
// 1/n at every node, p²(W)_ii ≤ 1/n + (1−1/n)·max p² over [−ρ, ρ]. For the Chebyshev polynomial:
//
//	T_k(1/ρ)² ≤ (n−1)/(n/B − 1).
func (q *question) ball() (best design.Bound, ok bool) {
	for k, size := range q.ballSizes() {
		order := k + 1
		peak := math.Sqrt(float64(q.n-1) / (float64(q.n)/float64(size) - 1))
		rho := 1 / math.Cosh(math.Acosh(peak)/float64(order))
		if v := q.fromContraction(rho); !ok || v > best.RAsym {
			ok = true
			best = design.Bound{
				RAsym: v, Kind: design.BallBound, Order: order,
				Detail: fmt.Sprintf("%s: some node has at most %s and reaches at most %d nodes, "+
					"itself included, within distance %d", q.allowed(), neighbours(q.least()), size, order),
			}
		}
	}
	return best, ok
}

func neighbours(d int) string {
	if d == 1 {
		return "1 neighbour"
	}
	return fmt.Sprintf("%d neighbours", d)
}

// ballSizes returns, for k = 1, 2, …, how many nodes there can be within k steps of the
// node of smallest degree, as long as that is fewer than all.
func (q *question) ballSizes() []int {
	degree, widest := q.least(), q.largest()
	size := 1 + degree
	// The neighbours have at most the largest limits there are, and one edge each leads back.
	layer := 0
	left := degree
	for _, c := range slices.Backward(q.classes) {
		take := min(left, c.nodes)
		layer += take * (c.most - 1)
		left -= take
	}
	var sizes []int
	for size < q.n {
		sizes = append(sizes, size)
		if layer == 0 {
			break
		}
		size = min(q.n, size+layer)
		layer = min(q.n, layer*(widest-1))
	}
	return sizes
}
