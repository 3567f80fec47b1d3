package exporter

import (
	"bufio"
	"encoding/json"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// MatchingsFormat and RanksFormat are the version tags of the two formats of our own.
const (
	MatchingsFormat = "batopo.matchings/v1"
	RanksFormat     = "batopo.ranks/v1"
)

type matchingsFile struct {
	Format   string           `json:"format"`
	Nodes    int              `json:"nodes"`
	Names    []string         `json:"names,omitempty"`
	Hash     string           `json:"hash,omitempty"`
	Directed bool             `json:"directed"`
	Rounds   []matchingsRound `json:"rounds"`
}

type matchingsRound struct {
	SelfWeights []float64        `json:"self_weights"`
	Matchings   [][]matchingEdge `json:"matchings"`
}

type matchingEdge struct {
	I      int     `json:"i"`
	J      int     `json:"j"` // directed: receives from I
	Weight float64 `json:"weight"`
}

// writeMatchings lists every round's edges in turns; see [mixing.Matrix.Turns].
func writeMatchings(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	file := matchingsFile{Format: MatchingsFormat, Nodes: p.Nodes, Names: p.Names, Hash: p.Hash, Directed: s.Directed()}
	for _, w := range s.Rounds {
		round := matchingsRound{SelfWeights: w.Self(), Matchings: [][]matchingEdge{}}
		for _, turn := range w.Turns() {
			var matching []matchingEdge
			for _, a := range turn {
				if file.Directed || a.From < a.To {
					matching = append(matching, matchingEdge{a.From, a.To, a.Weight})
				}
			}
			round.Matchings = append(round.Matchings, matching)
		}
		file.Rounds = append(file.Rounds, round)
	}
	return nil, json.NewEncoder(out).Encode(file)
}

type ranksFile struct {
	Format string       `json:"format"`
	Nodes  int          `json:"nodes"`
	Names  []string     `json:"names,omitempty"`
	Hash   string       `json:"hash,omitempty"`
	Rounds []ranksRound `json:"rounds"`
}

type ranksRound struct {
	Ranks []design.RankRound `json:"ranks"` // in order
}

// writeTorch writes, per round and rank, the steps of [design.Plan.Rank].
func writeTorch(out *bufio.Writer, p *design.Plan, _ *mixing.Schedule) ([]string, error) {
	rounds, err := p.Ranks()
	if err != nil {
		return nil, fmt.Errorf("%w; use matchings", err)
	}
	file := ranksFile{Format: RanksFormat, Nodes: p.Nodes, Names: p.Names, Hash: p.Hash}
	for _, ranks := range rounds {
		file.Rounds = append(file.Rounds, ranksRound{ranks})
	}
	return nil, json.NewEncoder(out).Encode(file)
}
