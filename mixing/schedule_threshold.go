package mixing

import (
	"fmt"
	"math/rand/v2"

	"github.com/batopo/batopo/topology"
)

// ThresholdMatchings draws rounds of pairs as SAPS-PSGD and GossipFL do (Tang, Shi and Chu 2020, "Communication-
// efficient decentralized learning with sparsification and adaptive peer selection"; Tang, Shi, Li and Chu 2022,
// "GossipFL"). Every round is a random maximum matching of the links that are at least as fast as a threshold, and its
// pairs average by halves. When the pairs of the last `window` rounds do not connect all nodes, links of any speed
// between the parts are matched first, and the rest is filled up with fast ones. gbs says how fast a link is; the
// threshold is the highest at which the fast links still connect all nodes. Messages are whole: what these systems
// leave out of a message is another matter.
func ThresholdMatchings(n int, links []topology.Edge, gbs func(topology.Edge) float64, window, rounds int,
	seed uint64) (*Schedule, error) {
	if err := checkNodes("threshold matchings", n, 2); err != nil {
		return nil, err
	}
	if err := checkRounds("threshold matchings", n, rounds, false); err != nil {
		return nil, err
	}
	least, ok := connecting(n, links, gbs)
	if !ok {
		return nil, fmt.Errorf("mixing: threshold matchings need links that connect all %d nodes", n)
	}
	var fast []topology.Edge
	for _, e := range links {
		if gbs(e) >= least {
			fast = append(fast, e)
		}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	s := &Schedule{Name: "threshold-matchings",
		Note: fmt.Sprintf("links of at least %.4g GB/s; parts joined after %d rounds", least, window)}
	var recent [][]topology.Edge
	for range rounds {
		pairs := nextMatching(rng, n, links, fast, recent)
		recent = append(recent, pairs)
		if len(recent) > window {
			recent = recent[1:]
		}
		w, err := halves(n, pairs)
		if err != nil {
			return nil, err
		}
		s.Rounds = append(s.Rounds, w)
	}
	return s, nil
}

// nextMatching joins parts first where the recent pairs do not connect all nodes.
func nextMatching(rng *rand.Rand, n int, links, fast []topology.Edge, recent [][]topology.Edge) []topology.Edge {
	parts := topology.NewParts(n)
	for _, pairs := range recent {
		for _, e := range pairs {
			parts.JoinEnds(e)
		}
	}
	if parts.Count() == 1 || len(recent) == 0 {
		return maximumMatching(n, shuffled(rng, fast))
	}
	var bridges []topology.Edge
	for _, e := range links {
		if parts.Of(e.I) != parts.Of(e.J) {
			bridges = append(bridges, e)
		}
	}
	pairs := maximumMatching(n, shuffled(rng, bridges))
	taken := make([]bool, n)
	for _, e := range pairs {
		taken[e.I], taken[e.J] = true, true
	}
	var rest []topology.Edge
	for _, e := range fast {
		if !taken[e.I] && !taken[e.J] {
			rest = append(rest, e)
		}
	}
	return append(pairs, maximumMatching(n, shuffled(rng, rest))...)
}

func shuffled(rng *rand.Rand, edges []topology.Edge) []topology.Edge {
	list := append([]topology.Edge(nil), edges...)
	rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	return list
}

// halves is the round in which pairs take their mean.
func halves(n int, pairs []topology.Edge) (*Matrix, error) {
	arcs := make([]Arc, 0, 2*len(pairs))
	for _, e := range pairs {
		arcs = append(arcs, Arc{e.I, e.J, 0.5}, Arc{e.J, e.I, 0.5})
	}
	return build(n, arcs, false)
}

// connecting is the highest speed such that links of at least that speed connect all nodes.
func connecting(n int, links []topology.Edge, gbs func(topology.Edge) float64) (least float64, ok bool) {
	for k, e := range quickest(n, links, func(e topology.Edge) float64 { return -gbs(e) }) {
		if k == 0 || gbs(e) < least {
			least, ok = gbs(e), true
		}
	}
	return least, ok
}
