package bound

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/topology"
)

// Limits say which mixing matrices a bound speaks about: symmetric W with rows that sum
// to 1, whose graph is connected and keeps to the limits.
type Limits struct {
	Nodes    int
	MaxEdges int
	// Degrees holds the most neighbours that each node may have; nil means no limit.
	Degrees []int
	// Cuts are the sets of nodes that few edges can leave.
	Cuts []Cut
	// Gates are sets of nodes too. Their members are known.
	Gates []Gate
	// Sign says whether weights may be negative; "" means design.NonNegative, where they may not.
	Sign design.Sign
	// MinEigenvalue is μ in W ⪰ μI. With it the bound is on λ₂, without it on r_asym.
	MinEigenvalue *float64
}

// A Cut says that at most Edges edges join some set of Inside nodes to the others.
type Cut struct {
	Name          string // of what limits them, for messages
	Inside, Edges int
}

// A question is Limits in the form that the arguments need: checked, capped, sorted.
type question struct {
	n       int
	ends    int     // edge ends there can be: twice the edges
	classes []class // ascending limits, n nodes in all
	cuts    []Cut
	gates   []Gate
	fmmc    bool
	limited bool // the spectrum is limited from below by mu, and the bound is on λ₂
	mu      float64
}

// A class is a number of nodes with the same limit on their degree.
type class struct{ most, nodes int }

func (q *question) smallest() int { return q.classes[0].most }
func (q *question) largest() int  { return q.classes[len(q.classes)-1].most }

// average returns the largest possible average degree.
func (q *question) average() float64 { return float64(q.ends) / float64(q.n) }

// least returns the most that the smallest degree can be.
func (q *question) least() int { return min(q.smallest(), q.ends/q.n) }

func (l Limits) question() (*question, error) {
	n := l.Nodes
	if n < 2 {
		return nil, fmt.Errorf("bound: %d nodes; averaging needs at least 2", n)
	}
	q := &question{n: n, cuts: l.Cuts, gates: l.Gates, fmmc: l.Sign != design.Free}
	var errs []error
	complain := func(format string, args ...any) { errs = append(errs, fmt.Errorf("bound: "+format, args...)) }
	if err := cmp.Or(l.Sign, design.NonNegative).Validate(); err != nil {
		complain("%w", err)
	}
	if l.MinEigenvalue != nil {
		q.limited, q.mu = true, *l.MinEigenvalue
		if !(q.mu >= -1 && q.mu < 1) {
			complain("the smallest eigenvalue allowed is %v; it must be at least −1 and below 1", q.mu)
		}
	}
	if l.MaxEdges < n-1 {
		complain("%d edges cannot connect %d nodes; give at least %d", l.MaxEdges, n, n-1)
	}
	if l.Degrees != nil && len(l.Degrees) != n {
		complain("%d limits on degrees for %d nodes", len(l.Degrees), n)
	}
	for _, c := range l.Cuts {
		if c.Inside < 1 || c.Inside >= n || c.Edges < 1 {
			complain("cut by %s: %d edges around %d nodes of %d; a connected graph needs at least 1 edge "+
				"there, and nodes on both sides", c.Name, c.Edges, c.Inside, n)
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	q.ends = 2 * min(l.MaxEdges, topology.Pairs(n))
	if l.Degrees == nil {
		q.classes = []class{{n - 1, n}}
		return q, nil
	}
	return q, q.sort(l.Degrees)
}

// sort groups the limits on degrees and lowers the budget to what they admit.
func (q *question) sort(degrees []int) error {
	sorted := slices.Sorted(slices.Values(degrees))
	if sorted[0] < 1 {
		return fmt.Errorf("bound: node %d may have %d neighbours; a connected graph needs at least 1",
			slices.Index(degrees, sorted[0]), sorted[0])
	}
	ends := 0
	for _, d := range sorted {
		d = min(d, q.n-1)
		ends += d
		if k := len(q.classes); k == 0 || q.classes[k-1].most != d {
			q.classes = append(q.classes, class{most: d})
		}
		q.classes[len(q.classes)-1].nodes++
	}
	q.ends = min(q.ends, ends/2*2)
	if q.ends < 2*(q.n-1) {
		return fmt.Errorf("%w: the limits on degrees admit %d edges; %d nodes need at least %d to be connected",
			feasible.ErrInfeasible, q.ends/2, q.n, q.n-1)
	}
	return nil
}

// floor returns the least value that the question admits at all, reached by the complete graph.
func (q *question) floor() float64 {
	switch {
	case !q.limited:
		return 0
	case q.fmmc: // the self weights, whose sum is 1 + Σ of the other eigenvalues, are not negative
		return max(q.mu, -1/float64(q.n-1))
	}
	return q.mu
}

// fromContraction turns a bound ρ on r_asym, proved for weights of any sign, into one on what is
// asked for. If the spectrum lies in [μ, v], then (W − cI)/(1−c) with c = (v+μ)/2 lives on the same graph,
// has rows that sum to 1 and the contraction (v−c)/(1−c), which is therefore at least ρ.
func (q *question) fromContraction(rho float64) float64 {
	if !q.limited {
		return rho
	}
	return (q.mu + (2-q.mu)*rho) / (1 + rho)
}

// allowed says in words what is limited.
func (q *question) allowed() string {
	edges := fmt.Sprintf("%d nodes with at most %d edges", q.n, q.ends/2)
	switch {
	case q.largest() == q.n-1 && len(q.classes) == 1:
		return edges
	case len(q.classes) == 1:
		return fmt.Sprintf("%s and degrees of at most %d", edges, q.largest())
	}
	return fmt.Sprintf("%s and limits on degrees between %d and %d", edges, q.smallest(), q.largest())
}

// Best returns the largest lower bound that the package can prove. The cost grows
// with n log n for sorting the limits; what remains takes milliseconds to a second.
func (l Limits) Best() (design.Bound, error) {
	q, err := l.question()
	if err != nil {
		return design.Bound{}, err
	}
	if q.smallest() == q.n-1 && q.ends == q.n*(q.n-1) {
		return q.complete(), nil
	}
	best := q.complete()
	better := func(b design.Bound, ok bool) {
		if ok && b.RAsym > best.RAsym {
			best = b
		}
	}
	better(q.ball())
	better(q.tree())
	better(q.ring())
	better(q.cut())
	better(q.gateway())
	better(q.twoStep(best.RAsym))
	better(q.walk(best.RAsym))
	if math.IsNaN(best.RAsym) {
		return design.Bound{}, fmt.Errorf("bound: no number came out for %s", q.allowed())
	}
	return best, nil
}
