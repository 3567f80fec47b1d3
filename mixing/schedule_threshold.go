package mixing

import (
	"fmt"
	"math/rand/v2"

	"github.com/batopo/batopo/topology"
)

// ThresholdMatchings draws rounds of pairs as SAPS-PSGD and GossipFL do (Tang, Shi and Chu 2020, "Communication-
// efficient decentralized learning with sparsification and adaptive peer selection"; Tang, Shi, Li and Chu 2022,
// "GossipFL"; as their authors' program has it). Every round is a random maximum matching of the links that are at
// least as fast as a threshold. When the pairs of the last `window` rounds do not connect all nodes, it is one of the
// pairs that have not met in them, whatever their speed; nothing counts as long ago in the first `window` rounds. Nodes
// left over are matched with each other over links of any speed. Pairs average by halves. gbs says how fast a link is;
// the threshold is the highest at which the fast links still connect all nodes. Messages are whole: what these systems
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
	t := &threshold{n: n, window: window, links: links, rng: rand.New(rand.NewPCG(seed, uint64(n))),
		met: map[topology.Edge]int{}}
	for _, e := range links {
		if gbs(e) >= least {
			t.fast = append(t.fast, e)
		}
	}
	s := &Schedule{Name: "threshold-matchings",
		Note: fmt.Sprintf("links of at least %.4g GB/s; others when %d rounds connect too little", least, window)}
	for round := range rounds {
		w, err := halves(n, t.next(round))
		if err != nil {
			return nil, err
		}
		s.Rounds = append(s.Rounds, w)
	}
	return s, nil
}

// A threshold draws one matching after the other.
type threshold struct {
	n, window   int
	links, fast []topology.Edge
	rng         *rand.Rand
	met         map[topology.Edge]int // the last round in which a pair met
}

// next draws the matching of a round and remembers it.
func (t *threshold) next(round int) []topology.Edge {
	from := t.fast
	if round >= t.window && !t.connected(round) {
		from = nil
		for _, e := range t.links {
			if !t.recent(e, round) {
				from = append(from, e)
			}
		}
	}
	pairs := maximumMatching(t.n, shuffled(t.rng, from))
	taken := make([]bool, t.n)
	for _, e := range pairs {
		taken[e.I], taken[e.J] = true, true
	}
	var rest []topology.Edge
	for _, e := range t.links {
		if !taken[e.I] && !taken[e.J] {
			rest = append(rest, e)
		}
	}
	pairs = append(pairs, maximumMatching(t.n, shuffled(t.rng, rest))...)
	for _, e := range pairs {
		t.met[e] = round
	}
	return pairs
}

// recent reports whether a pair has met in the last rounds of the window.
func (t *threshold) recent(e topology.Edge, round int) bool {
	last, ever := t.met[e]
	return ever && last >= round-t.window
}

// connected reports whether the pairs of the window's rounds connect all nodes.
func (t *threshold) connected(round int) bool {
	parts := topology.NewParts(t.n)
	for e := range t.met {
		if t.recent(e, round) {
			parts.JoinEnds(e)
		}
	}
	return parts.Count() == 1
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
