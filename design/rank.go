package design

import (
	"fmt"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A RankRound is what one rank does in one round: it takes SelfWeight of its own value and, step by step, Weight of
// what it receives.
type RankRound struct {
	Rank       int        `json:"rank"`
	SelfWeight float64    `json:"self_weight"`
	Steps      []RankStep `json:"steps"` // as many for every rank
}

// A RankStep is what a rank does in one step; nil means nothing in that direction.
type RankStep struct {
	SendTo   *int    `json:"send_to"`
	RecvFrom *int    `json:"recv_from"`
	Weight   float64 `json:"weight"` // of what is received
}

// Rank returns what rank i does in every round of a period, in the steps of [mixing.Matrix.Turns]. In a step a rank
// has at most one partner in each direction, and that partner has the matching entry in the same step: ranks
// that post a step's send and receive together cannot wait in a circle. All send the value they had before the round.
func (p *Plan) Rank(i int) ([]RankRound, error) {
	if i < 0 || i >= p.Nodes {
		return nil, fmt.Errorf("there is no rank %d; ranks are 0 … %d", i, p.Nodes-1)
	}
	tables, err := p.rankRounds([]int{i})
	if err != nil {
		return nil, err
	}
	rounds := make([]RankRound, len(tables))
	for t, table := range tables {
		rounds[t] = table[0]
	}
	return rounds, nil
}

// Ranks returns what every rank does, by round and then by rank; see [Plan.Rank].
func (p *Plan) Ranks() ([][]RankRound, error) {
	all := topology.InOrder(p.Nodes)
	return p.rankRounds(all)
}

func (p *Plan) rankRounds(ranks []int) ([][]RankRound, error) {
	matrices, err := p.Matrices()
	if err != nil {
		return nil, err
	}
	tables, steps := make([][]RankRound, len(matrices)), 0
	for t, w := range matrices {
		turns := w.Turns()
		steps += len(turns) * len(ranks)
		if steps > limits.RankSteps {
			return nil, fmt.Errorf("%d ranks in %d steps or more; tables of up to %d entries are made",
				len(ranks), len(turns), limits.RankSteps)
		}
		tables[t] = rankRound(w, turns, ranks)
	}
	return tables, nil
}

// rankRound tells the ranks asked for what they do in the turns of one round.
func rankRound(w *mixing.Matrix, turns [][]mixing.Arc, ranks []int) []RankRound {
	tables := make([]RankRound, len(ranks))
	at := make([]*RankRound, w.Nodes())
	for k, i := range ranks {
		tables[k] = RankRound{Rank: i, SelfWeight: w.Self()[i], Steps: make([]RankStep, len(turns))}
		at[i] = &tables[k]
	}
	for s, turn := range turns {
		for _, a := range turn {
			if sender := at[a.From]; sender != nil {
				sender.Steps[s].SendTo = &a.To
			}
			if receiver := at[a.To]; receiver != nil {
				receiver.Steps[s].RecvFrom, receiver.Steps[s].Weight = &a.From, a.Weight
			}
		}
	}
	return tables
}
