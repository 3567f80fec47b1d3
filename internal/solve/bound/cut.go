package bound

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
)

// cut bounds λ₂ by the edges that can leave a set of nodes. With the weights across adding up to C,
// the vector that is constant on either side gives λ₂ ≥ 1 − C·n/(inside·outside); and no
// weight can be large, since the squares of a row add up to at most ρ² + (1−ρ²)/n.
func (q *question) cut() (b design.Bound, ok bool) {
	for _, c := range q.cuts {
		outside := q.n - c.Inside
		perWeight := float64(c.Edges) * float64(q.n) / (float64(c.Inside) * float64(outside))
		low, high := 0.0, 1.0
		for range 60 {
			rho := (low + high) / 2
			if 1-rho > perWeight*q.largestWeight(rho) {
				low = rho
			} else {
				high = rho
			}
		}
		if v := q.fromContraction(low); !ok || v > b.RAsym {
			ok = true
			b = design.Bound{
				RAsym: v, Kind: design.CutBound,
				Detail: fmt.Sprintf("%s: %s lets at most %d edges join %d nodes to the other %d, and no weight can be large",
					q.allowed(), c.Name, c.Edges, c.Inside, outside),
			}
		}
	}
	return b, ok
}

// largestWeight returns the most that one weight can be when r_asym is ρ: the largest w with
// w² + (1−w)²/d ≤ ρ² + (1−ρ²)/n, where d other entries share what w leaves of the row. It is −Inf
// when no row is possible.
func (q *question) largestWeight(rho float64) float64 {
	d := float64(q.largest())
	squares := rho*rho + (1-rho*rho)/float64(q.n)
	root := 1 - (d+1)*(1-d*squares)
	if root < 0 {
		return math.Inf(-1)
	}
	return (1 + math.Sqrt(root)) / (d + 1)
}
