package mixing

import (
	"errors"
	"fmt"
)

// Matchings turns an undirected W into a schedule: round t averages the pairs of
// the t-th matching of its graph, weight 1/2 each, at most Δ+1 rounds a period.
//
// Kept: the edges, each used once a period, and the average. Every round has degree 1, is symmetric and
// a projection (eigenvalues 0 and 1 only), and 1/2 is the best weight of a pair on its own. Not
// kept: the weights of W and its r_asym; the product of a period is neither W nor
// symmetric, and often contracts more than W does. To compute Wx itself one peer at a time, use [Matrix.Turns].
func Matchings(w *Matrix) (*Schedule, error) {
	switch {
	case w.Directed():
		return nil, errors.New("mixing: matchings of a directed matrix; a pair that averages needs both directions")
	case w.Arcs() == 0:
		return nil, errors.New("mixing: matchings of a matrix without edges")
	}
	s := &Schedule{Name: "matchings"}
	for _, turn := range w.Turns() {
		arcs := make([]Arc, len(turn))
		for k, a := range turn {
			arcs[k] = Arc{a.From, a.To, 0.5}
		}
		round, err := build(w.Nodes(), arcs, false)
		if err != nil {
			return nil, err
		}
		s.Rounds = append(s.Rounds, round)
	}
	s.Note = fmt.Sprintf("%d edges in %d matchings, weight 1/2 each", w.Arcs()/2, len(s.Rounds))
	return s, nil
}
