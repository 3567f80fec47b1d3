package exporter

import (
	"bufio"
	"encoding/json"

	"batopo/mixing"
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
func writeMatchings(out *bufio.Writer, t Topology) ([]string, error) {
	file := matchingsFile{Format: MatchingsFormat, Nodes: t.nodes(), Names: t.Names, Hash: t.Hash, Directed: t.directed()}
	for _, w := range t.Rounds {
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
	Ranks []rankTable `json:"ranks"` // in order
}

type rankTable struct {
	Rank       int        `json:"rank"`
	SelfWeight float64    `json:"self_weight"`
	Steps      []rankStep `json:"steps"` // as many for every rank
}

// A rankStep is what a rank does in one turn; null means nothing in that direction.
type rankStep struct {
	SendTo   *int    `json:"send_to"`
	RecvFrom *int    `json:"recv_from"`
	Weight   float64 `json:"weight"` // of what is received
}

// writeTorch writes, per round and rank, the steps of [mixing.Matrix.Turns] as that rank sees them. In step s every
// rank has at most one partner in each direction, and that partner has the matching entry in the
// same step: ranks that post a step's send and receive together cannot wait in a circle.
func writeTorch(out *bufio.Writer, t Topology) ([]string, error) {
	file := ranksFile{Format: RanksFormat, Nodes: t.nodes(), Names: t.Names, Hash: t.Hash}
	for _, w := range t.Rounds {
		file.Rounds = append(file.Rounds, ranksRound{rankTables(w)})
	}
	return nil, json.NewEncoder(out).Encode(file)
}

func rankTables(w *mixing.Matrix) []rankTable {
	turns := w.Turns()
	tables := make([]rankTable, w.Nodes())
	for i, self := range w.Self() {
		tables[i] = rankTable{Rank: i, SelfWeight: self, Steps: make([]rankStep, len(turns))}
	}
	for s, turn := range turns {
		for _, a := range turn {
			tables[a.From].Steps[s].SendTo = &a.To
			tables[a.To].Steps[s].RecvFrom = &a.From
			tables[a.To].Steps[s].Weight = a.Weight
		}
	}
	return tables
}
