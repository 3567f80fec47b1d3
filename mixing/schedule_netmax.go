package mixing

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"

	"gonum.org/v1/gonum/mat"
)

// A NetMaxPolicy says how likely each node asks each other node, after Zhou, Lin, Loghin, Ooi, Tan and Tung 2021,
// "Communication-efficient decentralized machine learning over heterogeneous networks". Nodes ask at their own pace:
// node i takes m's model with probability P[i][m], and x_i ← x_i − r γ (x_i − x_m) with γ = 1/P[i][m].
type NetMaxPolicy struct {
	P      *mat.Dense
	R      float64 // αρ of the paper, the step
	StepMS float64 // between two questions of any nodes, on average
	Rate   float64 // second eigenvalue of E[DᵀD]: the factor by which a question shrinks the expected squared error
}

// Steps of the two nested searches, over r and over the pace.
const netMaxGrid = 24

// NetMax chooses probabilities as published. For a step r and a pace, every node asks others so that its mean time per
// question is the same, every neighbour has probability 2r at least, and the node asks nobody as rarely as possible: a
// linear program, which falls apart into one per node. Of all r and paces the least predicted time to shrink the
// squared error counts. ms(i, m) is how long a question of i to m takes, infinite where there is no link; links go both
// ways.
func NetMax(n int, ms func(i, m int) float64) (*NetMaxPolicy, error) {
	if err := checkNodes("NetMax", n, 2); err != nil {
		return nil, err
	}
	if n > DirectedLimit/4 {
		return nil, limits.Refuse("mixing: NetMax on %d nodes; at most %d are supported", n, DirectedLimit/4)
	}
	most := mostLinks(n, ms)
	if most == 0 {
		return nil, fmt.Errorf("mixing: NetMax: there is no link between any of %d nodes", n)
	}
	var best *NetMaxPolicy
	for a := 1; a <= netMaxGrid; a++ {
		r := float64(a) / netMaxGrid / float64(2*most) // 2r for every neighbour of a node is at most 1
		slowest, quickest := math.Inf(1), 0.0          // paces that every node can keep
		for i := range n {
			low, high := paces(n, i, r, ms)
			quickest, slowest = max(quickest, low), min(slowest, high)
		}
		for b := range netMaxGrid {
			pace := quickest + (slowest-quickest)*float64(b)/netMaxGrid
			p, ok := policyAt(n, r, pace, ms)
			if !ok {
				continue
			}
			if err := p.rate(n); err != nil {
				return nil, err
			}
			if p.Rate < 1 && (best == nil || p.StepMS/-math.Log(p.Rate) < best.StepMS/-math.Log(best.Rate)) {
				best = p
			}
		}
	}
	if best == nil {
		return nil, fmt.Errorf("mixing: NetMax found no pace that all %d nodes can keep", n)
	}
	return best, nil
}

// mostLinks is how many neighbours the node with most of them has.
func mostLinks(n int, ms func(i, m int) float64) (most int) {
	for i := range n {
		count := 0
		for m := range n {
			if m != i && !math.IsInf(ms(i, m), 1) {
				count++
			}
		}
		most = max(most, count)
	}
	return most
}

// TimeMS is the predicted time until the squared error has shrunk by a factor.
func (p *NetMaxPolicy) TimeMS(factor float64) float64 {
	return p.StepMS * math.Log(factor) / -math.Log(p.Rate)
}

// paces returns the least and the largest mean time per question of node i under a step.
func paces(n, i int, r float64, ms func(i, m int) float64) (low, high float64) {
	count, sum, slowest := 0, 0.0, 0.0
	for m := range n {
		if t := ms(i, m); m != i && !math.IsInf(t, 1) {
			count, sum, slowest = count+1, sum+t, max(slowest, t)
		}
	}
	return 2 * r * sum, 2*r*sum + (1-2*r*float64(count))*slowest
}

// policyAt solves the linear program of every node at one pace: 2r for each neighbour, and what is left of time and
// probability on the quickest link, or on two links where the quickest alone would leave time over.
func policyAt(n int, r, pace float64, ms func(i, m int) float64) (*NetMaxPolicy, bool) {
	p := &NetMaxPolicy{P: mat.NewDense(n, n, nil), R: r, StepMS: pace / float64(n)}
	for i := range n {
		var links []int
		time, chance := pace, 1.0
		for m := range n {
			if t := ms(i, m); m != i && !math.IsInf(t, 1) {
				links = append(links, m)
				p.P.Set(i, m, 2*r)
				time, chance = time-2*r*t, chance-2*r
			}
		}
		if len(links) == 0 || time < -1e-9*pace || chance < -1e-9 {
			return nil, false
		}
		slices.SortStableFunc(links, func(a, b int) int { return cmp.Compare(ms(i, a), ms(i, b)) })
		if !p.spend(i, links, max(time, 0), max(chance, 0), ms) {
			return nil, false
		}
	}
	return p, true
}

// spend puts time and probability on the links of node i, quickest first.
func (p *NetMaxPolicy) spend(i int, links []int, time, chance float64, ms func(i, m int) float64) bool {
	quick := ms(i, links[0])
	if alone := time / quick; alone <= chance {
		p.P.Set(i, links[0], p.P.At(i, links[0])+alone)
		p.P.Set(i, i, chance-alone) // asks nobody
		return true
	}
	for _, m := range links[1:] {
		if slow := ms(i, m); slow*chance >= time*(1-1e-12) {
			x := min(chance, (time-quick*chance)/(slow-quick))
			p.P.Set(i, m, p.P.At(i, m)+x)
			p.P.Set(i, links[0], p.P.At(i, links[0])+chance-x)
			return true
		}
	}
	return false
}

// rate is the second largest eigenvalue of E[DᵀD], D = I + w e_i(e_m − e_i)ᵀ with w = r/P[i][m]: nodes ask equally
// often, so i asks m with probability P[i][m]/n.
func (p *NetMaxPolicy) rate(n int) error {
	y := mat.NewSymDense(n, nil)
	for i := range n {
		y.SetSym(i, i, 1)
	}
	for i := range n {
		for m := range n {
			chance := p.P.At(i, m) / float64(n)
			if i == m || chance == 0 {
				continue
			}
			// DᵀD − I = w(dbᵀ + bdᵀ) + w²ddᵀ with b = e_i, d = e_m − e_i.
			w := p.R / p.P.At(i, m)
			y.SetSym(i, i, y.At(i, i)+chance*(w*w-2*w))
			y.SetSym(m, m, y.At(m, m)+chance*w*w)
			y.SetSym(i, m, y.At(i, m)+chance*(w-w*w))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(y, false) {
		return errNoConvergence
	}
	p.Rate = eigen.Values(nil)[n-2]
	return nil
}
