package search

import (
	"math/rand/v2"

	"github.com/batopo/batopo/topology"
)

const (
	mostDrops   = 2
	mostAdds    = 4
	mostChanges = mostDrops + mostAdds
)

// A change adds an arc to a wiring (weight > 0) or drops one (weight < 0).
type change struct {
	arc    topology.Arc
	weight float64 // nominal, signed
	slot   int     // position of a dropped arc
}

// A move is a set of changes, additions first. That order matters: see resolvents.
type move struct {
	changes [mostChanges]change
	count   int
	adds    int
}

func (m *move) all() []change { return m.changes[:m.count] }

// propose fills m with a random move: one or two arcs go, and others take their
// place until nothing more fits. Moves that would leave edges (or capacity that must be used) unused
// are not proposed, because with optimal weights more edges never do harm. The wiring is left as it was.
func (w *wiring) propose(rng *rand.Rand, m *move) bool {
	if len(w.arcs) == 0 {
		return false
	}
	edges, missing := w.edges, w.missing()
	var dropped [mostDrops]int
	count := 1
	dropped[0] = rng.IntN(len(w.arcs))
	// Dropping one arc of a saturated wiring without shifts (size 1) can only put it back.
	single := w.f.orbits == 1 || w.f.size > 2 && rng.IntN(2) == 0 || w.open > 0 && rng.IntN(2) == 0
	if !single {
		dropped[1] = rng.IntN(len(w.arcs))
		if dropped[1] == dropped[0] {
			return false
		}
		count = 2
	}
	w.stubs = w.stubs[:0]
	for _, slot := range dropped[:count] {
		w.charge(w.arcs[slot], -1)
		for _, l := range w.buf {
			for range l.amount {
				w.stubs = append(w.stubs, l.resource)
			}
		}
	}
	m.adds = 0
	for failed := 0; failed < 2 && m.adds < mostAdds && w.edges < w.f.budget; {
		a, ok := w.draw(rng, w.stubs)
		if !ok || !w.fits(a) || m.contains(a) {
			failed++
			continue
		}
		w.charge(a, 1)
		m.changes[m.adds] = change{arc: a, weight: w.f.nominal(a), slot: -1}
		m.adds++
	}
	good := w.edges >= edges && w.missing() <= missing
	m.count = m.adds
	for _, c := range m.changes[:m.adds] {
		w.charge(c.arc, -1)
	}
	for _, slot := range dropped[:count] {
		w.charge(w.arcs[slot], 1)
		m.changes[m.count] = change{arc: w.arcs[slot], weight: -w.f.nominal(w.arcs[slot]), slot: slot}
		m.count++
	}
	return good
}

func (m *move) contains(a topology.Arc) bool {
	for _, c := range m.changes[:m.adds] {
		if c.arc == a {
			return true
		}
	}
	return false
}

// draw picks a random arc, preferring resources listed in stubs. It need not fit.
func (w *wiring) draw(rng *rand.Rand, stubs []int) (topology.Arc, bool) {
	f := w.f
	if f.table != nil {
		return w.drawListed(rng, stubs)
	}
	a, ok := w.drawOrbit(rng, stubs)
	if !ok {
		return topology.Arc{}, false
	}
	// A node with one free port can only be served by a matching; others now and then.
	if f.size%2 == 0 && (f.caps[a]-w.load[a] == 1 && rng.IntN(2) == 0 || rng.IntN(8) == 0) {
		return topology.Arc{A: a, B: a, S: f.size / 2}, true
	}
	w.load[a]++
	b, ok := w.drawOrbit(rng, stubs)
	w.load[a]--
	if !ok {
		return topology.Arc{}, false
	}
	return f.lift(nil).Canonical(topology.Arc{A: a, B: b, S: rng.IntN(f.size)}), true
}

// drawOrbit picks an orbit that may have more neighbours.
func (w *wiring) drawOrbit(rng *rand.Rand, stubs []int) (int, bool) {
	const tries = 4
	for range tries {
		a := 0
		if len(stubs) > 0 && (w.open <= len(stubs) || rng.IntN(2) == 0) {
			a = stubs[rng.IntN(len(stubs))]
		} else {
			a = rng.IntN(w.f.orbits)
		}
		if w.load[a] < w.f.caps[a] {
			return a, true
		}
	}
	return 0, false
}

// drawListed picks an allowed arc, half of the time one that uses a resource in stubs.
func (w *wiring) drawListed(rng *rand.Rand, stubs []int) (topology.Arc, bool) {
	t := w.f.table
	if len(stubs) > 0 && rng.IntN(2) == 0 {
		r := stubs[rng.IntN(len(stubs))]
		users := t.users[t.ustart[r]:t.ustart[r+1]]
		return t.arcs[users[rng.IntN(len(users))]], true
	}
	return t.arcs[rng.IntN(len(t.arcs))], true
}

// after appends the arcs that a move leads to.
func (w *wiring) after(dst []topology.Arc, m *move) []topology.Arc {
	drops := m.changes[m.adds:m.count]
	for slot, a := range w.arcs {
		if slot != drops[0].slot && slot != drops[len(drops)-1].slot {
			dst = append(dst, a)
		}
	}
	for _, c := range m.changes[:m.adds] {
		dst = append(dst, c.arc)
	}
	return dst
}

// apply carries out a move that was proposed for the present state.
func (w *wiring) apply(m *move) {
	drops := m.changes[m.adds:m.count]
	for _, c := range drops {
		w.charge(c.arc, -1)
		word, mask := w.bit(c.arc)
		w.taken[word] &^= mask
	}
	// New arcs take the places of old ones, so that proposals stay cheap to draw.
	for i, c := range m.changes[:m.adds] {
		w.charge(c.arc, 1)
		word, mask := w.bit(c.arc)
		w.taken[word] |= mask
		if i < len(drops) {
			w.arcs[drops[i].slot] = c.arc
		} else {
			w.arcs = append(w.arcs, c.arc)
		}
	}
	if len(drops) > m.adds { // fewer additions than drops: close the gaps from behind
		last := drops[len(drops)-1].slot
		if len(drops)-m.adds == 2 {
			last = max(drops[0].slot, drops[1].slot)
			w.remove(last)
			last = min(drops[0].slot, drops[1].slot)
		}
		w.remove(last)
	}
}

func (w *wiring) remove(slot int) {
	end := len(w.arcs) - 1
	w.arcs[slot] = w.arcs[end]
	w.arcs = w.arcs[:end]
}
