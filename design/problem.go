package design

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// An Objective says what "best" means.
type Objective string

// Rate asks for the least r_asym within the budget, the paper's problem. Time asks for
// the least time to the target error, so that load counts and fewer edges may win.
const (
	Rate Objective = "rate"
	Time Objective = "time"
)

// A Purpose says what the averaging is for.
type Purpose string

// Consensus is the paper's purpose: agree as fast as possible. Training keeps the spectrum of
// W above a limit, since negative eigenvalues cost stability under momentum, and counts compute time.
const (
	Consensus Purpose = "consensus"
	Training  Purpose = "training"
)

// A Sign says which signs the weights may have.
type Sign string

// NonNegative demands W ≥ 0 elementwise (fastest mixing Markov chain); Free allows negative weights
// (fastest distributed linear averaging).
const (
	NonNegative Sign = "nonnegative"
	Free        Sign = "free"
)

// Validate reports a sign that is neither.
func (s Sign) Validate() error {
	if s == NonNegative || s == Free {
		return nil
	}
	return fmt.Errorf("the sign of weights is %q; it must be %q or %q", s, NonNegative, Free)
}

// A Problem is the question: which graph and which weights for this cluster. What is left out means its default, see
// [Problem.WithDefaults].
type Problem struct {
	Cluster       *cluster.Cluster
	MaxEdges      int       // the most edges allowed
	MaxDegree     int       // the most neighbours a node may have; 0 means no limit
	Objective     Objective // "" means Rate
	Purpose       Purpose   // "" means Consensus
	Sign          Sign      // "" means NonNegative
	MinEigenvalue *float64  // W ⪰ μI; nil means μ = 0 for Training, no limit for Consensus
}

// WithDefaults returns the question with everything that was left out filled in. Solvers, bounds and plans
// speak of that.
func (p Problem) WithDefaults() Problem {
	p.Objective = cmp.Or(p.Objective, Rate)
	p.Purpose = cmp.Or(p.Purpose, Consensus)
	p.Sign = cmp.Or(p.Sign, NonNegative)
	if p.Purpose == Training && p.MinEigenvalue == nil {
		p.MinEigenvalue = new(float64)
	}
	return p
}

// Validate reports everything wrong with the question itself.
func (p Problem) Validate() error {
	if p.Cluster == nil {
		return errors.New("a problem needs a cluster")
	}
	if one, other, apart := p.Cluster.Apart(); apart {
		return fmt.Errorf("nodes %s and %s of the cluster are apart: no way joins them, not even over other nodes",
			one, other)
	}
	p = p.WithDefaults()
	var errs []error
	complain := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	n := p.Cluster.Nodes()
	if p.MaxEdges < n-1 {
		complain("edges is %d, too few to connect %d nodes; give at least %d", p.MaxEdges, n, n-1)
	}
	if most := p.Cluster.CandidateCount(); p.MaxEdges > most {
		complain("edges is %d, but there are only %d candidate edges", p.MaxEdges, most)
	}
	if p.MaxDegree < 0 || p.MaxDegree == 1 && n > 2 {
		complain("max_degree is %d, too few peers to connect %d nodes; give at least 2, or no limit", p.MaxDegree, n)
	}
	if !slices.Contains([]Objective{Rate, Time}, p.Objective) {
		complain("objective is %q; it must be %q or %q", p.Objective, Rate, Time)
	}
	if !slices.Contains([]Purpose{Consensus, Training}, p.Purpose) {
		complain("purpose is %q; it must be %q or %q", p.Purpose, Consensus, Training)
	}
	if err := p.Sign.Validate(); err != nil {
		errs = append(errs, err)
	}
	if m := p.MinEigenvalue; m != nil && !(*m > -1 && *m < 1) {
		complain("min_eigenvalue is %v; it must be above −1, where nodes may never agree, and below 1", *m)
	}
	return errors.Join(errs...)
}
