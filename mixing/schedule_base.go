package mixing

import (
	"fmt"

	"github.com/batopo/batopo/internal/ground/limits"
)

// links are the pairs that exchange values in one round; the arcs say one direction, both are meant.
type links []Arc

// average makes the nodes take the mean of each other's values.
func (l links) average(nodes []int) links {
	for x, i := range nodes {
		for _, j := range nodes[x+1:] {
			l = append(l, Arc{From: i, To: j, Weight: 1 / float64(len(nodes))})
		}
	}
	return l
}

func scheduleOf(name string, n int, rounds []links) (*Schedule, error) {
	edges := 0
	for _, pairs := range rounds {
		edges += len(pairs)
	}
	if err := checkArcs(fmt.Sprintf("the rounds of %s on %d nodes", name, n), 2*edges, false); err != nil {
		return nil, err
	}
	s := &Schedule{Name: name}
	for _, pairs := range rounds {
		arcs := make([]Arc, 0, 2*len(pairs))
		for _, a := range pairs {
			arcs = append(arcs, a, Arc{From: a.To, To: a.From, Weight: a.Weight})
		}
		w, err := build(n, arcs, false)
		if err != nil {
			return nil, err
		}
		s.Rounds = append(s.Rounds, w)
	}
	return s, nil
}

func checkBase(kind string, n, k int) error {
	if err := checkNodes(kind, n, 2); err != nil {
		return err
	}
	if k < 1 || k > n-1 {
		return fmt.Errorf("mixing: %s on %d nodes with %d peers; peers are 1 … %d", kind, n, k, n-1)
	}
	if edges := n * k / 2; edges > limits.Edges {
		return limits.Refuse("mixing: %s on %d nodes with %d peers has up to %d edges a round; at most %d are supported",
			kind, n, k, edges, limits.Edges)
	}
	return nil
}

// HyperHypercube returns the k-peer hyper-hypercube (Takezawa et al. 2023): n is a product of as
// few factors ≤ k+1 as possible, and round l averages the groups of nodes whose
// numbers differ only in digit l of that mixed radix. The product is J. n must have no prime factor above k+1.
func HyperHypercube(n, k int) (*Schedule, error) {
	if err := checkBase("a hyper-hypercube", n, k); err != nil {
		return nil, err
	}
	if _, rest := smoothPart(n, k+1); rest > 1 {
		return nil, fmt.Errorf("mixing: a hyper-hypercube on %d nodes with %d peers needs all prime factors of n to be at "+
			"most %d; what remains is %d (base works for all)",
			n, k, k+1, rest)
	}
	return scheduleOf("hyper-hypercube", n, hyperHypercube(count(0, n), k))
}

// Base returns the Base-(k+1) graph (Takezawa et al. 2023), exact for every n with at
// most k peers a round. Where n = p·q and p collects the prime factors up to k+1, the simple construction runs
// inside p groups of q and a hyper-hypercube across them, unless the simple construction on all nodes is shorter.
func Base(n, k int) (*Schedule, error) {
	if err := checkBase("a Base graph", n, k); err != nil {
		return nil, err
	}
	rounds := simpleBase(count(0, n), k)
	if grouped := groupedBase(n, k); len(grouped) < len(rounds) {
		rounds = grouped
	}
	return scheduleOf("base", n, rounds)
}

func groupedBase(n, k int) []links {
	p, q := smoothPart(n, k+1)
	var rounds []links
	for g := range p {
		rounds = overlay(rounds, 0, simpleBase(count(g*q, q), k))
	}
	across := len(rounds)
	member := make([]int, p)
	for x := range q {
		for g := range member {
			member[g] = g*q + x
		}
		rounds = overlay(rounds, across, hyperHypercube(member, k))
	}
	return rounds
}

// overlay lets more run at the same time as rounds, starting with round at.
func overlay(rounds []links, at int, more []links) []links {
	for t, l := range more {
		for len(rounds) <= at+t {
			rounds = append(rounds, nil)
		}
		rounds[at+t] = append(rounds[at+t], l...)
	}
	return rounds
}

// hyperHypercube averages nodes exactly in groups of at most k+1; their number must be smooth.
func hyperHypercube(nodes []int, k int) []links {
	var rounds []links
	stride := 1
	for _, size := range fewestFactors(len(nodes), k+1) {
		group := make([]int, size)
		var round links
		for x := range nodes {
			if x/stride%size != 0 {
				continue
			}
			for digit := range group {
				group[digit] = nodes[x+digit*stride]
			}
			round = round.average(group)
		}
		rounds = append(rounds, round)
		stride *= size
	}
	return rounds
}

// smoothPart splits n = p·q, where p holds all prime factors ≤ limit and q none.
func smoothPart(n, limit int) (p, q int) {
	p, q = 1, n
	for f := 2; f <= limit && f <= q; f++ {
		for q%f == 0 {
			p, q = p*f, q/f
		}
	}
	return p, q
}

// fewestFactors returns the shortest list of factors 2 … limit with product n,
// ascending; n must have no larger prime factor.
func fewestFactors(n, limit int) []int {
	for length := 0; ; length++ {
		if factors, ok := factorise(n, limit, length); ok {
			return factors
		}
	}
}

// factorise finds length factors ≤ most with product n, ascending.
func factorise(n, most, length int) ([]int, bool) {
	if length == 0 {
		return nil, n == 1
	}
	for f := min(most, n); f >= 2; f-- {
		if n%f == 0 {
			if rest, ok := factorise(n/f, f, length-1); ok {
				return append(rest, f), true
			}
		}
	}
	return nil, false
}

// count returns from, from+1, …, that many numbers.
func count(from, many int) []int {
	out := make([]int, many)
	for x := range out {
		out[x] = from + x
	}
	return out
}
