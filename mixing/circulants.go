package mixing

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/mixing/internal/numpyrand"
)

// circulant builds the matrix in which node i listens to node i+s, modulo n, with weight[s], s = 1 … n−1;
// zeros are no arcs.
func circulant(weight []float64) (*Matrix, error) {
	n := len(weight)
	var shifts []int
	for s := 1; s < n; s++ {
		if weight[s] != 0 {
			shifts = append(shifts, s)
		}
	}
	arcs := make([]Arc, 0, n*len(shifts))
	for i := range n {
		// Senders in ascending order, which is what build wants: first those beyond the wrap.
		wrap, _ := slices.BinarySearch(shifts, n-i)
		for k := range shifts {
			s := shifts[(wrap+k)%len(shifts)]
			arcs = append(arcs, Arc{From: (i + s) % n, To: i, Weight: weight[s]})
		}
	}
	return build(n, arcs, true)
}

func checkNodes(family string, n, least int) error {
	if n < least || n > limits.Nodes {
		return fmt.Errorf("mixing: %s on %d nodes; the number of nodes must be %d … %d", family, n, least, limits.Nodes)
	}
	return nil
}

// checkArcs reports when a matrix or all rounds of a schedule would have too many arcs: two make an edge, unless
// they are directed.
func checkArcs(what string, arcs int, directed bool) error {
	edges := arcs
	if !directed {
		edges = arcs / 2
	}
	if edges > limits.Edges {
		return limits.Refuse("mixing: %s would have %d edges; at most %d are supported", what, edges, limits.Edges)
	}
	return nil
}

// log2Ceil returns ⌈log₂ n⌉ for n ≥ 1.
func log2Ceil(n int) int { return bits.Len(uint(n - 1)) }

// Exponential returns the static exponential graph (Ying et al. 2021): node i sends to
// i + 2^k, modulo n, for all 2^k ≤ n−1, and every node gives itself and the τ = ⌈log₂ n⌉ values it receives equal
// weights. For even n, r_asym = 1 − 2/(1+τ).
func Exponential(n int) (*Matrix, error) {
	if err := checkNodes("an exponential graph", n, 1); err != nil {
		return nil, err
	}
	if err := checkArcs(fmt.Sprintf("an exponential graph on %d nodes", n), n*log2Ceil(n), true); err != nil {
		return nil, err
	}
	weight := make([]float64, n)
	for hop := 1; hop <= n-1; hop *= 2 {
		weight[n-hop] = 1 / float64(1+log2Ceil(n)) // receiving from hop behind is listening to n−hop ahead
	}
	return circulant(weight)
}

// DefaultShifts returns how many shifts the EquiStatic families draw for n nodes
// when nothing is said: ⌈log₂ n⌉ for the directed one, half of that, rounded up, for the undirected
// one, which uses every shift both ways. Both then have about the degree of the exponential graph.
func DefaultShifts(n int, directed bool) int {
	if directed {
		return log2Ceil(n)
	}
	return (log2Ceil(n) + 1) / 2
}

// EquiStaticShifts draws m shifts from 1 … n−1 with replacement, as the published
// code of EquiTopo does: np.random.seed(seed), then np.random.choice. A circulant
// with these shifts is connected exactly when n and all of them have no common divisor.
func EquiStaticShifts(n, m int, seed uint64) ([]int, error) {
	if err := checkNodes("an EquiStatic graph", n, 2); err != nil {
		return nil, err
	}
	switch {
	case m < 1 || m > limits.Nodes:
		return nil, fmt.Errorf("mixing: an EquiStatic graph with %d shifts; their number must be 1 … %d", m, limits.Nodes)
	case seed > math.MaxUint32:
		return nil, fmt.Errorf("mixing: seed %d of an EquiStatic graph; NumPy's legacy generator takes 0 … %d",
			seed, uint32(math.MaxUint32))
	}
	source := numpyrand.New(uint32(seed))
	shifts := make([]int, m)
	for k := range shifts {
		shifts[k] = source.Between(1, n)
	}
	return shifts, nil
}

// EquiStatic returns the matrix of the given shifts (Song et al. 2022): self
// weight 1/n, and every shift a has the weight (n−1)/(nM), where M is the number of
// shifts. Directed, node i listens to i+a; undirected, half of it goes to i+a and half to i−a.
// Repeated shifts add up. A draw that is not connected has r_asym = 1.
func EquiStatic(n int, shifts []int, directed bool) (*Matrix, error) {
	if err := checkNodes("an EquiStatic graph", n, 2); err != nil {
		return nil, err
	}
	halves := make([]int, n) // of (n−1)/(nM) at each offset
	for _, a := range shifts {
		if a < 1 || a > n-1 {
			return nil, fmt.Errorf("mixing: EquiStatic shift %d; shifts are 1 … %d", a, n-1)
		}
		halves[a]++
		if directed {
			halves[a]++
		} else {
			halves[n-a]++
		}
	}
	offsets := 0
	weight := make([]float64, n)
	for s, h := range halves {
		if h > 0 {
			offsets++
			weight[s] = float64(h*(n-1)) / float64(2*n*len(shifts))
		}
	}
	if err := checkArcs("EquiStatic shifts", n*offsets, directed); err != nil {
		return nil, err
	}
	return circulant(weight)
}

func equiStatic(p Params, directed bool) (*Matrix, error) {
	if err := checkNodes("an EquiStatic graph", p.Nodes, 2); err != nil {
		return nil, err
	}
	m := p.Shifts
	if m == 0 {
		m = DefaultShifts(p.Nodes, directed)
	}
	shifts, err := EquiStaticShifts(p.Nodes, m, p.Seed)
	if err != nil {
		return nil, err
	}
	return EquiStatic(p.Nodes, shifts, directed)
}
