package design

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/mixing"
)

// Matrices returns the plan's mixing matrices: one for a static plan, one per round of a period otherwise. It is an
// error for a plan that is not [Plan.Plain].
func (p *Plan) Matrices() ([]*mixing.Matrix, error) {
	if err := p.checkCounts(); err != nil {
		return nil, err
	}
	if err := p.Plain(); err != nil {
		return nil, err
	}
	return p.between()
}

// Between returns the matrices of the rounds of a gossip plan: between nodes or, with
// hierarchical averaging, between groups.
func (p *Plan) Between() ([]*mixing.Matrix, error) {
	if err := p.checkCounts(); err != nil {
		return nil, err
	}
	return p.between()
}

// between is the same for a plan that has not been priced yet.
func (p *Plan) between() ([]*mixing.Matrix, error) {
	if err := p.gossips(); err != nil {
		return nil, err
	}
	rounds := make([]*mixing.Matrix, len(p.Rounds))
	for t, r := range p.Rounds {
		var err error
		if rounds[t], err = p.matrix(fmt.Sprintf("rounds[%d].", t), r.Edges, r.SelfWeights); err != nil {
			return nil, err
		}
	}
	return rounds, nil
}

func (p *Plan) matrix(at string, edges []PlanEdge, self []float64) (*mixing.Matrix, error) {
	arcs := make([]mixing.Arc, 0, 2*len(edges))
	for k, e := range edges {
		if !p.Directed && e.I >= e.J {
			return nil, fmt.Errorf("%sedges[%d] is %d–%d; an undirected plan lists the smaller node first", at, k, e.I, e.J)
		}
		if k > 0 && (edges[k-1].I > e.I || edges[k-1].I == e.I && edges[k-1].J >= e.J) {
			return nil, fmt.Errorf("%sedges[%d] is %d–%d, which is out of order or listed twice", at, k, e.I, e.J)
		}
		arcs = append(arcs, mixing.Arc{From: e.I, To: e.J, Weight: e.Weight})
		if !p.Directed {
			arcs = append(arcs, mixing.Arc{From: e.J, To: e.I, Weight: e.Weight})
		}
	}
	m, err := mixing.FromArcs(p.parties(), arcs)
	if err != nil {
		return nil, err
	}
	for i, w := range m.Self() {
		if !(math.Abs(w-self[i]) <= mixing.SumTolerance) {
			return nil, fmt.Errorf("%sself_weights[%d] is %v, but the row then sums to %v instead of 1",
				at, i, self[i], 1-w+self[i])
		}
	}
	return m, nil
}

// planEdges lists a matrix as a plan does: undirected edges once, directed arcs
// sorted by sender. A schedule whose rounds are partly directed lists all as directed.
func planEdges(m *mixing.Matrix, directed bool) []PlanEdge {
	if !directed {
		edges, weights := m.Edges()
		out := make([]PlanEdge, len(edges))
		for k, e := range edges {
			out[k] = PlanEdge{e.I, e.J, weights[k]}
		}
		return out
	}
	out := make([]PlanEdge, 0, m.Arcs())
	senders := make([][]PlanEdge, m.Nodes())
	for i := range m.Nodes() {
		from, weight := m.Row(i)
		for k, j := range from {
			senders[j] = append(senders[j], PlanEdge{j, i, weight[k]})
		}
	}
	for _, arcs := range senders {
		out = append(out, arcs...)
	}
	return out
}
