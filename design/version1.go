package design

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
)

const planFormatV1 = "batopo.plan/v1"

// planV1 is a plan file of version 1: everything in one object, and a static plan without rounds.
type planV1 struct {
	Format   string   `json:"format"`
	Nodes    int      `json:"nodes"`
	Names    []string `json:"names"`
	Directed bool     `json:"directed"`

	Edges       []PlanEdge `json:"edges"`
	SelfWeights []float64  `json:"self_weights"`
	Rounds      []roundV1  `json:"rounds"` // instead of edges

	Sign          Sign         `json:"setting"`
	Purpose       Purpose      `json:"purpose"`
	MinEigenvalue *float64     `json:"min_eigenvalue"`
	TargetError   float64      `json:"target_error"`
	Cluster       cluster.Spec `json:"cluster"`
	Settings      settingsV1   `json:"settings"`
	Hash          string       `json:"hash"`
	Claims
	Provenance
}

type roundV1 struct {
	Edges           []PlanEdge `json:"edges"`
	SelfWeights     []float64  `json:"self_weights"`
	CommunicationMS float64    `json:"communication_ms"`
}

type settingsV1 struct {
	MaxEdges    int                `json:"max_edges"`
	MaxDegree   int                `json:"max_degree"`
	Objective   Objective          `json:"objective"`
	Evaluations int                `json:"evaluations"`
	Parameters  map[string]float64 `json:"parameters"`
}

// plan says in this version's terms what the file says. The hash stays what it was.
func (v *planV1) plan() (*Plan, error) {
	s := v.Settings
	p := &Plan{
		Format: PlanFormat, Nodes: v.Nodes, Names: v.Names,
		Kind: GossipKind, Directed: v.Directed, Every: 1, Order: AdaptThenCombine, Hash: v.Hash, HashRule: HashV1,
		Question: Question{Cluster: v.Cluster, MaxEdges: s.MaxEdges, DegreeLimit: s.MaxDegree, Objective: s.Objective,
			Purpose: v.Purpose, Sign: v.Sign, MinEigenvalue: v.MinEigenvalue, TargetError: v.TargetError},
		Claims: v.Claims, Provenance: v.Provenance,
	}
	p.Settings = MethodSettings{s.Evaluations, s.Parameters}
	switch {
	case len(v.Rounds) == 0:
		p.Rounds, p.RoundMS = []Round{{1, v.Edges, v.SelfWeights}}, []float64{v.CommunicationMS}
	case len(v.Edges) > 0 || len(v.SelfWeights) > 0:
		return nil, errors.New("has both edges and rounds; a static plan has edges, a time-varying one has rounds")
	default:
		p.HashRule = HashV1Rounds
	}
	for _, r := range v.Rounds {
		p.Rounds = append(p.Rounds, Round{1, r.Edges, r.SelfWeights})
		p.RoundMS = append(p.RoundMS, r.CommunicationMS)
	}
	return p, p.renameSettings()
}

// renameSettings puts today's words for the weights that are allowed.
func (p *Plan) renameSettings() error {
	settings := []*Sign{&p.Sign}
	if b := p.WeightsBound; b != nil && b.Certificate != nil {
		settings = append(settings, &b.Certificate.Sign)
	}
	for _, s := range settings {
		switch *s {
		case "fmmc":
			*s = NonNegative
		case "fdla":
			*s = Free
		default:
			return fmt.Errorf("setting is %q; it must be one of [\"fmmc\" \"fdla\"]", *s)
		}
	}
	return nil
}
