package mixing

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// A MatchaSchedule is a draw of MATCHA (Wang, Sahu, Yang, Joshi and Kar 2019, "MATCHA: Speeding up decentralized SGD
// via matching decomposition sampling"): the edges of a graph are divided into matchings, matching j takes part in a
// round with probability p_j, independently, and W = I − α Σ B_j L_j.
type MatchaSchedule struct {
	*Schedule
	Matchings     [][]topology.Edge
	Probabilities []float64
	Alpha         float64
	Rate          float64 // ‖E[WᵀW] − J‖₂: the factor by which a round shrinks the expected squared error
}

// Matcha chooses p and α as published: p maximises the second eigenvalue of the expected Laplacian Σ p_j L_j within the
// budget Σ p_j cost_j ≤ budget·Σ cost_j (all costs are 1 in the paper; given costs are what each matching really
// takes), then α minimises Rate. A draw of some rounds becomes the schedule.
func Matcha(g *topology.Graph, cost func([]topology.Edge) float64, budget float64, rounds int,
	seed uint64) (*MatchaSchedule, error) {
	n := g.Nodes()
	switch {
	case !(budget > 0 && budget <= 1):
		return nil, fmt.Errorf("mixing: MATCHA with a budget of %v; it must be above 0 and at most 1", budget)
	case n > DirectedLimit:
		return nil, limits.Refuse("mixing: MATCHA on %d nodes; at most %d are supported", n, DirectedLimit)
	case !g.Connected():
		return nil, errors.New("mixing: MATCHA needs a connected graph")
	}
	if err := checkRounds("MATCHA", n, rounds, false); err != nil {
		return nil, err
	}
	s := &MatchaSchedule{Schedule: &Schedule{Name: "matcha"}}
	colors, count := ColorEdges(g)
	s.Matchings = make([][]topology.Edge, count)
	for k, e := range g.Edges() {
		s.Matchings[colors[k]] = append(s.Matchings[colors[k]], e)
	}
	costs := make([]float64, count)
	for j, m := range s.Matchings {
		costs[j] = cost(m)
	}
	if err := s.choose(n, costs, budget); err != nil {
		return nil, err
	}
	if err := s.chooseAlpha(n); err != nil {
		return nil, err
	}
	s.Note = fmt.Sprintf("%d matchings, budget %g, alpha %.4g; %d rounds drawn, seed %d", count, budget, s.Alpha,
		rounds, seed)
	return s, s.draw(n, rounds, seed)
}

// draw takes part in rounds by chance.
func (s *MatchaSchedule) draw(n, rounds int, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	for range rounds {
		var arcs []Arc
		for j, m := range s.Matchings {
			if rng.Float64() >= s.Probabilities[j] {
				continue
			}
			for _, e := range m {
				arcs = append(arcs, Arc{e.I, e.J, s.Alpha}, Arc{e.J, e.I, s.Alpha})
			}
		}
		w, err := build(n, arcs, false)
		if err != nil {
			return err
		}
		s.Rounds = append(s.Rounds, w)
	}
	return nil
}

// matchaSteps is how often probabilities are changed.
const matchaSteps = 300

// choose climbs along the gradient of the second eigenvalue, x^T L_j x for its eigenvector x, within the budget, and
// keeps the best probabilities on the way.
func (s *MatchaSchedule) choose(n int, costs []float64, budget float64) error {
	total := 0.0
	for _, c := range costs {
		total += c
	}
	p := make([]float64, len(costs))
	for j := range p {
		p[j] = budget
	}
	best := -1.0
	for step := range matchaSteps {
		value, vector, err := secondOf(s.laplacian(n, p))
		if err != nil {
			return err
		}
		if value > best*(1+1e-12) {
			best, s.Probabilities = value, append([]float64(nil), p...)
		}
		slope, norm := make([]float64, len(p)), 0.0
		for j, m := range s.Matchings {
			for _, e := range m {
				d := vector[e.I] - vector[e.J]
				slope[j] += d * d
			}
			norm += slope[j] * slope[j]
		}
		for j := range p {
			p[j] += 0.5 / math.Sqrt(float64(step+1)) * slope[j] / math.Sqrt(max(norm, 1e-300))
		}
		project(p, costs, budget*total)
	}
	return nil
}

// project moves probabilities to the nearest that are between 0 and 1 and cost as much as the budget allows.
func project(p, costs []float64, budget float64) {
	spent := func(price float64) (sum float64) {
		for j := range p {
			sum += costs[j] * min(max(p[j]-price*costs[j], 0), 1)
		}
		return sum
	}
	low, high := -1e6, 1e6
	for range 200 {
		if middle := (low + high) / 2; spent(middle) > budget {
			low = middle
		} else {
			high = middle
		}
	}
	for j := range p {
		p[j] = min(max(p[j]-high*costs[j], 0), 1)
	}
}

// laplacian is Σ p_j L_j.
func (s *MatchaSchedule) laplacian(n int, p []float64) *mat.SymDense {
	l := spectral.NewSym(n)
	for j, m := range s.Matchings {
		for _, e := range m {
			l.SetSym(e.I, e.J, l.At(e.I, e.J)-p[j])
			l.SetSym(e.I, e.I, l.At(e.I, e.I)+p[j])
			l.SetSym(e.J, e.J, l.At(e.J, e.J)+p[j])
		}
	}
	return l
}

// secondOf returns the second smallest eigenvalue and its vector.
func secondOf(l *mat.SymDense) (float64, []float64, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(l, true) {
		return 0, nil, errNoConvergence
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	return eigen.Values(nil)[1], mat.Col(nil, 1, &vectors), nil
}

// chooseAlpha minimises the largest eigenvalue of E[W²] − J = I − 2αL̄ + α²(L̄² + 2L̃) − J, L̃ = Σ p(1−p)L_j, which
// is convex in α.
func (s *MatchaSchedule) chooseAlpha(n int) error {
	mean := s.laplacian(n, s.Probabilities)
	spread := make([]float64, len(s.Probabilities))
	for j, p := range s.Probabilities {
		spread[j] = 2 * p * (1 - p)
	}
	var square mat.SymDense
	square.SymOuterK(1, mean)
	square.AddSym(&square, s.laplacian(n, spread))
	var failed error
	rate := func(alpha float64) float64 {
		m := spectral.NewSym(n)
		for i := range n {
			for j := i; j < n; j++ {
				v := -2*alpha*mean.At(i, j) + alpha*alpha*square.At(i, j) - 1/float64(n)
				if i == j {
					v++
				}
				m.SetSym(i, j, v)
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(m, false) {
			failed = errNoConvergence
			return 1
		}
		values := eigen.Values(nil)
		return max(values[n-1], -values[0])
	}
	low, high := 0.0, 2.0
	for range 100 {
		if a, b := low+(high-low)/3, high-(high-low)/3; rate(a) < rate(b) {
			high = b
		} else {
			low = a
		}
	}
	s.Alpha = (low + high) / 2
	s.Rate = rate(s.Alpha)
	return failed
}
