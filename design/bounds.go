package design

// A Kind says how sure a number is.
type Kind string

// Proved numbers come with an argument that verify repeats; estimates do not.
const (
	Proved   Kind = "proved"
	Estimate Kind = "estimate"
)

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
