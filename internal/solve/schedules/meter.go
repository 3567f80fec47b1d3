package schedules

import (
	"math"
	"slices"

	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A meter measures tours.
type meter struct {
	h       *hunt
	n       int
	target  float64
	pairs   []topology.Edge
	product []float64 // n × n, by rows
	before  []float64
	self    []float64
	// hope is the tour that would take least time, promised, at its pace, of those that do not arrive in a few periods.
	hope     *tour
	promised float64
}

func newMeter(h *hunt) *meter {
	n := h.problem.Cluster.Nodes()
	return &meter{h: h, n: n, target: h.problem.Cluster.Model().TargetError, pairs: h.problem.Cluster.Candidates(),
		product: make([]float64, n*n), before: make([]float64, n*n), self: make([]float64, n),
		promised: math.Inf(1)}
}

func (m *meter) priceAll(t *tour) bool {
	for k := range t.rounds {
		if !m.price(t, k) {
			return false
		}
	}
	return true
}

// price puts down what a round costs and reports whether it is possible.
func (m *meter) price(t *tour, k int) bool {
	w, err := m.matrix(t.rounds[k])
	if err != nil {
		return false
	}
	r, err := cost.Gossip(m.h.problem.Cluster, w)
	if err != nil {
		return false
	}
	t.ms[k] = r.CommunicationMS
	return true
}

func (m *meter) matrix(round []link) (*mixing.Matrix, error) {
	arcs := make([]mixing.Arc, 0, 2*len(round))
	for _, l := range round {
		arcs = append(arcs, pair(l.i, l.j, l.weight)...)
	}
	return mixing.FromArcs(m.n, arcs)
}

// fewPeriods is how often a tour is repeated before its pace is taken as known, mostRounds how long one that
// seems to be the best is followed.
const (
	fewPeriods = 6
	mostRounds = 10_000
	clearly    = 0.99 // of what was promised before, so that few are followed
)

// score measures the time to the target, or what it would be at the pace of some periods. A tour that does not arrive,
// but promises clearly more than all before it, is followed until it does. Its score is its promise all the same: those
// of tours that were followed and of others could not be compared.
func (m *meter) score(t *tour) float64 {
	m.h.priced()
	ms, arrived := m.repeated(t, fewPeriods)
	if !arrived && ms < min(clearly*m.promised, m.h.best.MS) {
		m.hope, m.promised = t, ms
		m.follow(t)
	}
	return ms
}

// follow repeats a tour until it arrives or has taken as long as the best so far.
func (m *meter) follow(t *tour) {
	m.repeated(t, max(fewPeriods, mostRounds/len(t.rounds)))
}

// repeated measures the time to the target, or what it would be at the pace of the later half of the periods, and
// keeps the tour if it is the best of all that reach it. Within the last round time counts by the logarithm of the
// error, so that small gains are seen. Early rounds say little: pairs that never meet others agree soon, and then stop.
func (m *meter) repeated(t *tour, periods int) (ms float64, arrived bool) {
	clear(m.product)
	for i := range m.n {
		m.product[i*m.n+i] = 1
	}
	elapsed, last := 0.0, math.Sqrt(float64(m.n-1))
	halfway, before := 0.0, last // when the later half began, and what was left then
	for k := range periods * len(t.rounds) {
		at := k % len(t.rounds)
		left := m.apply(t.rounds[at])
		if left <= m.target {
			m.keep(t, elapsed+t.ms[at], k+1)
			return elapsed + t.ms[at]*math.Log(last/m.target)/math.Log(last/max(left, 1e-14)), true
		}
		elapsed, last = elapsed+t.ms[at], left
		if k+1 == periods/2*len(t.rounds) {
			halfway, before = elapsed, left
		}
		if periods > fewPeriods && elapsed > m.h.best.MS {
			break
		}
	}
	if last >= before*(1-1e-9) || !m.connects(t) {
		return never, false
	}
	return elapsed + (elapsed-halfway)*math.Log(last/m.target)/math.Log(before/last), false
}

// never is the time of a tour that does not arrive.
const never = 1e300

// connects reports whether the rounds together reach all nodes. Without that the error falls for a while, as if it
// would go on, and then stays; and the tour is cheap where the pair that is left out is slow.
func (m *meter) connects(t *tour) bool {
	parts := topology.NewParts(m.n)
	for _, round := range t.rounds {
		for _, l := range round {
			parts.Join(l.i, l.j)
		}
	}
	return parts.Count() == 1
}

// apply multiplies by a round and returns ‖product − J‖_F.
func (m *meter) apply(round []link) float64 {
	n := m.n
	copy(m.before, m.product)
	for i := range m.self {
		m.self[i] = 1
	}
	for _, l := range round {
		m.self[l.i] -= l.weight
		m.self[l.j] -= l.weight
	}
	for _, l := range round {
		for _, end := range [2]int{l.i, l.j} {
			if s := m.self[end]; s != 1 {
				for x := range n {
					m.product[end*n+x] = s * m.before[end*n+x]
				}
				m.self[end] = 1 // done; further pairs only add
			}
		}
	}
	for _, l := range round {
		for x := range n {
			m.product[l.i*n+x] += l.weight * m.before[l.j*n+x]
			m.product[l.j*n+x] += l.weight * m.before[l.i*n+x]
		}
	}
	sum := 0.0
	for _, x := range m.product {
		d := x - 1/float64(n)
		sum += d * d
	}
	return math.Sqrt(sum)
}

// keep remembers a tour that reaches the target sooner than any before it.
func (m *meter) keep(t *tour, ms float64, rounds int) {
	h := m.h
	if ms >= h.best.MS*(1-better) {
		return
	}
	s := &mixing.Schedule{Name: "pairs in turn", RoundMS: slices.Clone(t.ms)}
	for _, round := range t.rounds {
		w, err := m.matrix(round)
		if err != nil {
			return
		}
		s.Rounds = append(s.Rounds, w)
	}
	if rounds < len(t.rounds) {
		s.Rounds, s.RoundMS = s.Rounds[:rounds], s.RoundMS[:rounds]
	}
	h.best.Name, h.best.MS, h.best.Schedule, h.best.Exact = s.Name, ms, s, false
}
