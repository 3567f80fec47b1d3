package measure

// An Epoch is what an epoch of training costs with one topology on one kind of hardware.
type Epoch struct {
	Edges      int     `json:"edges"`
	MaxDegree  int     `json:"max_degree"`
	Slowdown   float64 `json:"slowdown"`   // m = b_avail / b_min
	Iterations int     `json:"iterations"` // per epoch
	Seconds    float64 `json:"seconds"`
}
