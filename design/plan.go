package design

import (
	"batopo/cluster"
	"batopo/topology"
)

// PlanFormat is the version tag of plan files.
const PlanFormat = "batopo.plan/v1"

// A Kind says how sure a number is.
type Kind string

// Proved numbers come with an argument that verify repeats; estimates do not.
const (
	Proved   Kind = "proved"
	Estimate Kind = "estimate"
)

// A Plan is an answer: who averages with whom, with what weights, how fast that
// is and how it was found. It is the content of plan.json; docs/formats.md explains every field.
type Plan struct {
	Format   string   `json:"format"`
	Nodes    int      `json:"nodes"`
	Names    []string `json:"names,omitempty"`
	Directed bool     `json:"directed"`

	Edges       []PlanEdge  `json:"edges,omitempty"` // undirected: I < J; directed: J receives from I
	SelfWeights []float64   `json:"self_weights,omitempty"`
	Rounds      []PlanRound `json:"rounds,omitempty"` // one period of a time-varying plan, instead of Edges

	Setting       Setting  `json:"setting"`
	Purpose       Purpose  `json:"purpose"`
	MinEigenvalue *float64 `json:"min_eigenvalue"`

	RAsym     float64  `json:"r_asym"` // ‖W − J‖₂
	RAsymKind Kind     `json:"r_asym_kind"`
	Lambda2   *float64 `json:"lambda_2"` // null when directed or time-varying
	LambdaN   *float64 `json:"lambda_n"`

	Bound        *Bound       `json:"bound"` // for the problem as posed
	Gap          *float64     `json:"gap"`   // r_asym / bound − 1; null when the bound is 0 or missing
	DegreeBound  *Bound       `json:"degree_bound,omitempty"`
	DegreeGap    *float64     `json:"degree_gap,omitempty"`
	WeightsBound *WeightBound `json:"weights_bound,omitempty"` // for these edges: are the weights best?
	RoundsBound  *RoundsBound `json:"rounds_bound,omitempty"`  // for these edges: are the rounds fewest?

	MaxDegree       int     `json:"max_degree"`
	MinEdgeGBs      float64 `json:"min_edge_gb_s"`
	CommunicationMS float64 `json:"communication_ms"` // per round; of the slowest round when they differ
	ComputeMS       float64 `json:"compute_ms"`
	TargetError     float64 `json:"target_error"`
	Iterations      int     `json:"iterations"` // first k with ‖Wᵏ − J‖_F ≤ target; 0 when never
	IterationsKind  Kind    `json:"iterations_kind"`
	TimeMS          float64 `json:"time_ms"`

	Cluster  cluster.Spec   `json:"cluster"`
	Method   string         `json:"method"`
	Seed     uint64         `json:"seed"`
	Stop     Stop           `json:"stop"`
	Settings Settings       `json:"settings"`
	Notes    []string       `json:"notes,omitempty"`
	Lift     *topology.Lift `json:"lift,omitempty"`
	Hash     string         `json:"hash"`
	Run      Run            `json:"run"`
}

// A PlanEdge is an edge, or in a directed plan the arc I→J, with its weight.
type PlanEdge struct {
	I      int     `json:"i"`
	J      int     `json:"j"`
	Weight float64 `json:"weight"`
}

// A PlanRound is one round of a time-varying plan.
type PlanRound struct {
	Edges           []PlanEdge `json:"edges"`
	SelfWeights     []float64  `json:"self_weights"`
	CommunicationMS float64    `json:"communication_ms"`
}

// A Bound proves that no plan within the limits it names has a smaller r_asym.
type Bound struct {
	RAsym  float64 `json:"r_asym"`
	Kind   string  `json:"kind"`   // which argument; verify repeats it
	Detail string  `json:"detail"` // in words
	// Order is the degree of the polynomial that the argument uses; 0 where it uses none.
	Order int `json:"order,omitempty"`
	// The numbers that an argument leaves free, with the names of docs/bounds.md. Any choice
	// gives a proof, these give the value, so that nobody has to search again.
	Gamma float64 `json:"gamma,omitempty"` // two-step
	Eta   float64 `json:"eta,omitempty"`   // walk of order 3
	Theta float64 `json:"theta,omitempty"` // walk of order 4
	Tau   float64 `json:"tau,omitempty"`   // walk of order 4
}

// A WeightBound proves that no weights on the plan's edges give a smaller value.
type WeightBound struct {
	RAsym       float64      `json:"r_asym"` // a bound on λ₂ when the certificate has a smallest eigenvalue
	Certificate *Certificate `json:"certificate"`
}

// Settings are the inputs that shaped a plan.
type Settings struct {
	MaxEdges    int                `json:"max_edges,omitempty"`
	MaxDegree   int                `json:"max_degree,omitempty"`
	Objective   Objective          `json:"objective,omitempty"`
	Evaluations int                `json:"evaluations,omitempty"`
	Parameters  map[string]float64 `json:"parameters,omitempty"` // of the method; keys are written in order
}

// Run holds facts of one run. It is not part of what a plan is: the rest of the file
// is the same bytes for the same input and seed.
type Run struct {
	Program   string `json:"program"`
	LAPACK    string `json:"lapack"`
	ElapsedMS int64  `json:"elapsed_ms"`
	Started   string `json:"started"` // RFC 3339
}
