package search

import (
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A wiring is a choice of arcs within a frame's limits. It never exceeds them.
type wiring struct {
	f     *frame
	arcs  []topology.Arc
	load  []int // per resource
	edges int
	taken []uint64 // one bit per arc

	open  int // resources that could carry more
	stubs []int
	buf   []load
}

func newWiring(f *frame) *wiring {
	w := &wiring{f: f, load: make([]int, len(f.caps)), taken: make([]uint64, (f.orbits*f.orbits*f.size+63)/64)}
	for _, c := range f.caps {
		if c > 0 {
			w.open++
		}
	}
	return w
}

func (w *wiring) bit(a topology.Arc) (word int, mask uint64) {
	i := w.f.number(a)
	return i / 64, 1 << (i % 64)
}

// fits reports whether a canonical arc is allowed, new and within all limits.
func (w *wiring) fits(a topology.Arc) bool {
	if word, mask := w.bit(a); w.taken[word]&mask != 0 || w.edges+w.f.edgesOf(a) > w.f.budget {
		return false
	}
	var ok bool
	w.buf, ok = w.f.loads(w.buf[:0], a)
	if !ok {
		return false
	}
	for _, l := range w.buf {
		if w.load[l.resource]+l.amount > w.f.caps[l.resource] {
			return false
		}
	}
	return true
}

// charge adds what an arc uses (sign +1) or takes it back (sign −1).
func (w *wiring) charge(a topology.Arc, sign int) {
	w.buf, _ = w.f.loads(w.buf[:0], a)
	for _, l := range w.buf {
		before := w.load[l.resource]
		w.load[l.resource] += sign * l.amount
		full := w.f.caps[l.resource]
		if before < full && w.load[l.resource] == full {
			w.open--
		} else if before == full && w.load[l.resource] < full {
			w.open++
		}
	}
	w.edges += sign * w.f.edgesOf(a)
}

// add takes an arc that fits.
func (w *wiring) add(a topology.Arc) {
	w.charge(a, 1)
	word, mask := w.bit(a)
	w.taken[word] |= mask
	w.arcs = append(w.arcs, a)
}

// set replaces all arcs. They must fit together.
func (w *wiring) set(arcs []topology.Arc) {
	for _, a := range w.arcs {
		w.charge(a, -1)
		word, mask := w.bit(a)
		w.taken[word] &^= mask
	}
	w.arcs = w.arcs[:0]
	for _, a := range arcs {
		w.add(a)
	}
}

// missing returns how much capacity is unused where all of it must be used.
func (w *wiring) missing() int {
	sum := 0
	for r, must := range w.f.fill {
		if must {
			sum += w.f.caps[r] - w.load[r]
		}
	}
	return sum
}

// fill adds random arcs until many draws in a row find none that fits.
func (w *wiring) fill(rng *rand.Rand) {
	const patience = 200
	for failed := 0; failed < patience; {
		a, ok := w.draw(rng, nil)
		if !ok || !w.fits(a) {
			failed++
			continue
		}
		w.add(a)
		failed = 0
	}
}

// tree adds a random spanning tree of a frame without symmetry. Nodes join by falling
// degree limits, so there is always a free place as long as the limits allow a tree at all.
func (w *wiring) tree(rng *rand.Rand) {
	order := rng.Perm(w.f.orbits)
	slices.SortStableFunc(order, func(a, b int) int { return w.f.caps[b] - w.f.caps[a] })
	free := []int{order[0]}
	for _, a := range order[1:] {
		at := rng.IntN(len(free))
		b := free[at]
		w.add(topology.Arc{A: min(a, b), B: max(a, b)})
		if w.load[b] == w.f.caps[b] {
			free[at] = free[len(free)-1]
			free = free[:len(free)-1]
		}
		if w.load[a] < w.f.caps[a] {
			free = append(free, a)
		}
	}
}
