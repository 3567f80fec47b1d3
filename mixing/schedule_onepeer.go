package mixing

import (
	"fmt"
	"math/bits"
)

// OnePeerExponential returns the one-peer exponential graph (Ying et al. 2021):
// in round j node i sends to i + 2^j, modulo n, and everyone takes the mean of what it has
// and what it gets. T = ⌈log₂ n⌉; the product of a period is J exactly when n is a power of 2.
func OnePeerExponential(n int) (*Schedule, error) {
	if err := checkNodes("a one-peer exponential schedule", n, 2); err != nil {
		return nil, err
	}
	if err := checkArcs(fmt.Sprintf("a one-peer exponential schedule on %d nodes", n), n*log2Ceil(n), true); err != nil {
		return nil, err
	}
	s := &Schedule{Name: "one-peer-exponential"}
	for hop := 1; hop <= n-1; hop *= 2 {
		weight := make([]float64, n)
		weight[n-hop] = 0.5 // receiving from hop behind is listening to n−hop ahead
		w, err := circulant(weight)
		if err != nil {
			return nil, err
		}
		s.Rounds = append(s.Rounds, w)
	}
	return s, nil
}

// OnePeerHypercube returns the schedule in which round j averages the pairs whose
// numbers differ in bit j. T = log₂ n, and the product is J. n must be a power of 2.
func OnePeerHypercube(n int) (*Schedule, error) {
	if err := checkNodes("a one-peer hypercube schedule", n, 2); err != nil {
		return nil, err
	}
	if bits.OnesCount(uint(n)) != 1 {
		return nil, fmt.Errorf("mixing: a one-peer hypercube schedule on %d nodes; "+
			"the number must be a power of 2 (base works for all)", n)
	}
	s, err := HyperHypercube(n, 1)
	if err != nil {
		return nil, err
	}
	s.Name = "one-peer-hypercube"
	return s, nil
}
