package schedules

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A link is a pair that averages in a round, with its weight.
type link struct {
	i, j   int
	weight float64
}

// A tour is a period of rounds under change: who averages with whom, and what each round costs.
type tour struct {
	rounds [][]link
	ms     []float64
}

func (t *tour) clone() *tour {
	c := &tour{rounds: slices.Clone(t.rounds), ms: slices.Clone(t.ms)}
	for k := range c.rounds {
		c.rounds[k] = slices.Clone(c.rounds[k])
	}
	return c
}

// Temperatures of the annealing, as shares of the time to the target, and how often it begins again at the best.
const (
	hottest = 0.08
	coldest = 0.0005
	reheats = 3
)

// anneal exchanges, drops and adds pairs, changes their weights and the rounds, for the least time to the target, in so
// many steps. Slow nodes lose pairs where that makes rounds shorter by more than it costs in contraction. It begins
// with what there is to begin with in turn, and reports whether there is anything.
func (m *meter) anneal(rng *rand.Rand, turn, steps int) bool {
	starts := m.starts(rng)
	if len(starts) == 0 {
		return false
	}
	now := starts[turn%len(starts)]
	at := m.score(now)
	for step := 0; step < steps && !m.h.over() && !m.h.spent(); step++ {
		part := float64(step%max(1, steps/reheats)) / float64(max(1, steps/reheats))
		heat := hottest * math.Pow(coldest/hottest, part)
		tried := now.clone()
		if !m.change(rng, tried) {
			m.h.priced()
			continue
		}
		s := m.score(tried)
		if s <= at || rng.Float64() < math.Exp((at-s)/(heat*at)) {
			now, at = tried, s
		}
	}
	if !m.h.over() && !m.h.spent() {
		m.follow(now) // where it has cooled down; a promise may be better than what comes of it
	}
	return true
}

// starts lists tours to begin with: the best that is known or hoped for, the best in which slow nodes rest, and random
// matchings.
func (m *meter) starts(rng *rand.Rand) []*tour {
	var list []*tour
	if s := m.h.best.Schedule; s != nil && !s.Directed() {
		if t := m.tour(s); t != nil {
			list = append(list, t)
		}
	} else if m.hope != nil {
		list = append(list, m.hope)
	}
	if t := m.resting(); t != nil {
		list = append(list, t)
	}
	t, parts := &tour{}, topology.NewParts(m.n)
	few, many := bits.Len(uint(2*m.n-1)), 4*m.n
	for len(t.rounds) < few || parts.Count() > 1 && len(t.rounds) < many {
		round := m.matching(rng)
		for _, l := range round {
			parts.Join(l.i, l.j)
		}
		t.rounds, t.ms = append(t.rounds, round), append(t.ms, 0)
	}
	if m.priceAll(t) {
		list = append(list, t)
	}
	return list
}

// tour turns a schedule into one that can be changed; nil where it cannot run.
func (m *meter) tour(s *mixing.Schedule) *tour {
	t := &tour{}
	for _, w := range s.Rounds {
		edges, weights := w.Edges()
		round := make([]link, len(edges))
		for k, e := range edges {
			round[k] = link{e.I, e.J, weights[k]}
		}
		t.rounds, t.ms = append(t.rounds, round), append(t.ms, 0)
	}
	for k := range t.rounds {
		if !m.fits(t, k) {
			return nil
		}
	}
	return t
}

// resting is the best tour in which slow nodes take part in some rounds only; nil where no nodes are slow.
func (m *meter) resting() (best *tour) {
	least := math.Inf(1)
	for _, every := range RestingEvery {
		s, _, err := Resting(m.h.problem.Cluster, every)
		if err != nil {
			return nil
		}
		t := m.tour(s)
		if t == nil {
			continue
		}
		if score := m.score(t); score < least {
			best, least = t, score
		}
	}
	return best
}

// matching draws pairs in random order and takes those whose ends are free.
func (m *meter) matching(rng *rand.Rand) []link {
	used := make([]bool, m.n)
	var round []link
	for range 4 * m.n {
		e := m.pairs[rng.IntN(len(m.pairs))]
		if !used[e.I] && !used[e.J] {
			used[e.I], used[e.J] = true, true
			round = append(round, link{e.I, e.J, 0.5})
		}
	}
	return round
}
