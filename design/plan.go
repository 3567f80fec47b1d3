package design

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// PlanFormat is the version tag of plan files. There is one format; plans of others are made again.
const PlanFormat = "batopo.plan/v4"

// A Plan is an answer. Its first part says who averages what with whom, which is all that a training run needs and
// what Hash identifies; then come what was asked, what is claimed and how it was found. It is the content of
// plan.json; docs/formats.md explains every field.
type Plan struct {
	Format string   `json:"format"`
	Nodes  int      `json:"nodes"`
	Names  []string `json:"names,omitempty"`

	Kind       PlanKind    `json:"kind"`
	Directed   bool        `json:"directed"`
	Every      int         `json:"every"`            // a round after that many training steps
	Order      Order       `json:"order"`            // of a training step and a round
	Overlap    bool        `json:"overlap"`          // a round runs while the next step is computed
	Rounds     []Round     `json:"rounds,omitempty"` // one period; a static plan has one round
	Collective *Collective `json:"collective,omitempty"`
	Inside     *Inside     `json:"inside,omitempty"`
	Clocks
	Hash string `json:"hash"`

	Answer *Answer `json:"answer,omitempty"` // what was said of it about training

	Question   `json:"question"`
	Claims     `json:"claims"`
	Provenance `json:"provenance"`
}

// Static reports whether every round is the same.
func (p *Plan) Static() bool { return len(p.Rounds) == 1 }

// Edges returns the edges of a static plan; nil where there is no such thing.
func (p *Plan) Edges() []PlanEdge {
	if !p.Static() {
		return nil
	}
	return p.Rounds[0].Edges
}

// A PlanEdge is an edge, or in a directed plan the arc I→J, with its weight.
type PlanEdge struct {
	I      int     `json:"i"`
	J      int     `json:"j"`
	Weight float64 `json:"weight"`
}

// A Round is one W. Undirected, edges have I < J; directed, J receives from I.
type Round struct {
	Part        float64    `json:"part"` // the share of the message that is averaged; 1 is all of it
	Edges       []PlanEdge `json:"edges"`
	SelfWeights []float64  `json:"self_weights"`
}

// A Question is what was asked.
type Question struct {
	Cluster       cluster.Spec `json:"cluster"`
	MaxEdges      int          `json:"max_edges,omitempty"`
	DegreeLimit   int          `json:"max_degree,omitempty"`
	Objective     Objective    `json:"objective,omitempty"`
	Purpose       Purpose      `json:"purpose"`
	Sign          Sign         `json:"weights"`
	MinEigenvalue *float64     `json:"min_eigenvalue"`
	TargetError   float64      `json:"target_error"`
}

// Claims are what is said about the rounds: how fast they average, what they cost, and what is proved.
type Claims struct {
	RAsym     float64   `json:"r_asym"` // ‖W − J‖₂
	RAsymKind Certainty `json:"r_asym_kind"`
	Lambda2   *float64  `json:"lambda_2"` // null when directed or time-varying
	LambdaN   *float64  `json:"lambda_n"`

	Bound        *Bound       `json:"bound"` // for the problem as posed
	Gap          *float64     `json:"gap"`   // r_asym / bound − 1; null when the bound is 0 or missing
	DegreeBound  *Bound       `json:"degree_bound,omitempty"`
	DegreeGap    *float64     `json:"degree_gap,omitempty"`
	WeightsBound *WeightBound `json:"weights_bound,omitempty"` // for these edges: are the weights best?
	TimeBound    *TimeBound   `json:"time_bound,omitempty"`    // for every schedule on the cluster

	// ResourceEdges is e where M z = e holds: how many edges every resource carries, no more and no fewer.
	ResourceEdges []int `json:"resource_edges,omitempty"`

	MaxDegree       int       `json:"max_degree"`
	MinEdgeGBs      float64   `json:"min_edge_gb_s"`
	RoundMS         []float64 `json:"round_ms"`         // communication time of every round
	CommunicationMS float64   `json:"communication_ms"` // of the slowest round
	ComputeMS       float64   `json:"compute_ms"`
	Iterations      int       `json:"iterations"` // first k with ‖Wᵏ − J‖_F ≤ target; 0 when never
	IterationsKind  Certainty `json:"iterations_kind"`
	TimeMS          float64   `json:"time_ms"`

	Lift *topology.Lift `json:"lift,omitempty"`
}

// Provenance says how a plan was found.
type Provenance struct {
	Method   string         `json:"method"`
	Seed     uint64         `json:"seed"`
	Stop     Stop           `json:"stop"`
	Settings MethodSettings `json:"settings"`
	Notes    []string       `json:"notes,omitempty"`
	Run      Run            `json:"run"`
}

// MethodSettings are what the method was run with.
type MethodSettings struct {
	Evaluations int                `json:"evaluations,omitempty"`
	Parameters  map[string]float64 `json:"parameters,omitempty"` // keys are written in order
}

// Run holds facts of one run. It is not part of what a plan is: the rest of the file
// is the same bytes for the same input and seed.
type Run struct {
	Program   string `json:"program"`
	LAPACK    string `json:"lapack"`
	ElapsedMS int64  `json:"elapsed_ms"`
	Started   string `json:"started"` // RFC 3339
}
