package schedules

import (
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/topology"
)

// weightSteps are the weights that pairs take: means of a few values, and what makes small parts of a whole.
var weightSteps = []float64{1. / 2, 1. / 3, 2. / 3, 1. / 4, 3. / 4, 1. / 5, 2. / 5, 3. / 5, 4. / 5, 1. / 6, 5. / 6,
	3. / 7, 4. / 7}

// change alters a tour in one way and reports whether the result is possible.
func (m *meter) change(rng *rand.Rand, t *tour) bool {
	k := rng.IntN(len(t.rounds))
	switch rng.IntN(9) {
	case 0, 1:
		return m.cross(rng, t, k)
	case 2:
		return m.drop(rng, t, k)
	case 3, 4:
		return m.add(rng, t, k)
	case 5:
		return m.reweigh(rng, t, k)
	case 6:
		return m.rename(rng, t)
	case 7:
		other := rng.IntN(len(t.rounds))
		t.rounds[k], t.rounds[other] = t.rounds[other], t.rounds[k]
		t.ms[k], t.ms[other] = t.ms[other], t.ms[k]
		return k != other
	}
	return m.resize(rng, t, k)
}

// cross exchanges the partners of two pairs of a round.
func (m *meter) cross(rng *rand.Rand, t *tour, k int) bool {
	round := t.rounds[k]
	if len(round) < 2 {
		return false
	}
	a, b := rng.IntN(len(round)), rng.IntN(len(round))
	if a == b {
		return false
	}
	if rng.IntN(2) == 0 {
		round[a].j, round[b].i = round[b].i, round[a].j
	} else {
		round[a].j, round[b].j = round[b].j, round[a].j
	}
	return m.fits(t, k)
}

// drop takes a pair out of a round; a round that is empty goes.
func (m *meter) drop(rng *rand.Rand, t *tour, k int) bool {
	if len(t.rounds[k]) == 0 {
		return false
	}
	at := rng.IntN(len(t.rounds[k]))
	t.rounds[k] = slices.Delete(t.rounds[k], at, at+1)
	if len(t.rounds[k]) == 0 {
		return m.remove(t, k)
	}
	return m.fits(t, k)
}

// add puts a pair into a round.
func (m *meter) add(rng *rand.Rand, t *tour, k int) bool {
	e := m.pairs[rng.IntN(len(m.pairs))]
	t.rounds[k] = append(t.rounds[k], link{e.I, e.J, weightSteps[rng.IntN(len(weightSteps))]})
	return m.fits(t, k)
}

func (m *meter) reweigh(rng *rand.Rand, t *tour, k int) bool {
	if len(t.rounds[k]) == 0 {
		return false
	}
	l := &t.rounds[k][rng.IntN(len(t.rounds[k]))]
	if rng.IntN(2) == 0 {
		l.weight = weightSteps[rng.IntN(len(weightSteps))]
	} else {
		l.weight = min(max(l.weight+0.1*rng.NormFloat64(), 0.01), 1)
	}
	return m.fits(t, k)
}

// rename exchanges two nodes in all rounds.
func (m *meter) rename(rng *rand.Rand, t *tour) bool {
	a, b := rng.IntN(m.n), rng.IntN(m.n)
	if a == b {
		return false
	}
	swap := func(i int) int {
		switch i {
		case a:
			return b
		case b:
			return a
		}
		return i
	}
	for k := range t.rounds {
		for x, l := range t.rounds[k] {
			t.rounds[k][x].i, t.rounds[k][x].j = swap(l.i), swap(l.j)
		}
		if !m.fits(t, k) {
			return false
		}
	}
	return true
}

// resize doubles a round, puts in a new one, or takes one out.
func (m *meter) resize(rng *rand.Rand, t *tour, k int) bool {
	if rng.IntN(2) == 0 {
		return m.remove(t, k)
	}
	if len(t.rounds) >= 4*m.n {
		return false
	}
	round := m.matching(rng)
	if rng.IntN(2) == 0 {
		round = slices.Clone(t.rounds[rng.IntN(len(t.rounds))])
	}
	t.rounds, t.ms = slices.Insert(t.rounds, k, round), slices.Insert(t.ms, k, 0)
	return m.fits(t, k)
}

func (m *meter) remove(t *tour, k int) bool {
	if len(t.rounds) < 2 {
		return false
	}
	t.rounds, t.ms = slices.Delete(t.rounds, k, k+1), slices.Delete(t.ms, k, k+1)
	return true
}

// fits reports whether a round is one: pairs that may talk, none twice, no self weight below what is allowed. It
// prices the round.
func (m *meter) fits(t *tour, k int) bool {
	least := 0.0
	if m.h.problem.Positive {
		least = 0.5 // no eigenvalue below 0, by Gershgorin's circles
	}
	for i := range m.self {
		m.self[i] = 1
	}
	seen := map[topology.Edge]bool{}
	for x, l := range t.rounds[k] {
		if l.i == l.j {
			return false
		}
		l.i, l.j = min(l.i, l.j), max(l.i, l.j)
		t.rounds[k][x] = l
		e := topology.Edge{I: l.i, J: l.j}
		if seen[e] {
			return false
		}
		seen[e] = true
		m.self[l.i] -= l.weight
		m.self[l.j] -= l.weight
	}
	if len(t.rounds[k]) == 0 || slices.Min(m.self) < least-1e-12 {
		return false
	}
	return m.price(t, k)
}
