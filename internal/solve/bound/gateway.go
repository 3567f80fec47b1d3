package bound

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
)

// gateway bounds λ₂ by the few nodes that everything between two parts has to pass. At most k edges join m nodes to
// the others, so on either side k nodes, the gateways, hold all their ends. Take together what is inside the one
// part, its gateways, those of the other part and what is inside that: weights join neighbours in this chain of four
// only. A vector that is constant on each of the four has steps α, 1 and β between them, and its energy is a sum of
// their squares. docs/research/bounds.md says how two such vectors, or one and the row sums of gateways, bound λ₂.
func (q *question) gateway() (b design.Bound, ok bool) {
	var decided Gate
	tried := map[[2]int]bool{} // what counts of a gate: sides and edges
	for _, g := range q.gates {
		size := [2]int{g.Inside, g.Edges}
		if g.Edges > min(g.Inside, q.n-g.Inside) || tried[size] {
			continue
		}
		tried[size] = true
		if v, alpha, beta := q.through(newChain(q.n, g)); !ok || v > b.RAsym {
			ok, decided = true, g
			b = design.Bound{RAsym: v, Kind: design.GatewayBound, Alpha: alpha, Beta: beta, Groups: g.Groups,
				Together: g.Together}
		}
	}
	if ok {
		b.Detail = fmt.Sprintf("%s: at most %s %d nodes%s to the other %d, and what is inside either part has to "+
			"pass their ends", q.allowed(), edgesJoin(decided.Edges), decided.Inside, decided.parts(), q.n-decided.Inside)
	}
	return b, ok
}

func edgesJoin(count int) string {
	if count == 1 {
		return "1 edge joins"
	}
	return fmt.Sprintf("%d edges join", count)
}

// parts says in words where the nodes inside come from.
func (g Gate) parts() string {
	if p := len(g.Groups); p > 2 {
		return fmt.Sprintf(", %d of %d groups,", g.Together, p)
	}
	return ""
}

// A chain counts the nodes inside one part, its gateways, those of the other part, and inside that.
type chain [4]float64

func newChain(n int, g Gate) chain {
	k := float64(g.Edges)
	return chain{float64(g.Inside) - k, k, k, float64(n-g.Inside) - k}
}

// variance returns the sum of squares about the mean of a vector with the given steps along the chain.
func (c chain) variance(first, last float64) float64 {
	at := [4]float64{-first, 0, 1, 1 + last}
	var nodes, sum, squares float64
	for k, x := range at {
		nodes += c[k]
		sum += c[k] * x
		squares += c[k] * x * x
	}
	return squares - sum*sum/nodes
}

// ratio bounds λ₂(L)/λ_max(L): steps that all lead one way have the energy of steps to and fro.
func (c chain) ratio(alpha, beta float64) float64 {
	return c.variance(-alpha, -beta) / c.variance(alpha, beta)
}

// spectralGap bounds λ₂(L) where no entry of W is negative, so that the weights at a gateway, across and inwards, add
// up to at most 1.
func (c chain) spectralGap(alpha, beta float64) float64 {
	return c[1] * max(1, alpha*alpha+beta*beta) / c.variance(alpha, beta)
}

// through returns the best that some steps prove, and the steps.
func (q *question) through(c chain) (v, alpha, beta float64) {
	// Steps beyond 1 are searched as 1/(2−x).
	step := func(x float64) float64 {
		if x > 1 {
			return 1 / (2 - x)
		}
		return x
	}
	const most = 2 - 1e-2 // a step of 100
	second := func(x float64) (y, least float64) {
		return lowest(0, most, func(y float64) float64 { return c.ratio(step(x), step(y)) })
	}
	x, least := lowest(0, most, func(x float64) float64 { _, least := second(x); return least })
	y, _ := second(x)
	v, alpha, beta = q.fromRatio(least), step(x), step(y)
	if !q.fmmc {
		return v, alpha, beta
	}
	// More variance for the same energy: the sum of the squares of α and β is 1.
	angle, least := lowest(0, math.Pi/2, func(a float64) float64 { return c.spectralGap(math.Cos(a), math.Sin(a)) })
	if 1-least > v {
		beta, alpha = math.Sincos(angle)
		v = 1 - c.spectralGap(alpha, beta)
	}
	return v, alpha, beta
}
