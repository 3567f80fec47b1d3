package schedules

import (
	"math"
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

// anneal exchanges, drops and adds pairs, changes their weights and the rounds, for the least time to the target. Slow
// nodes lose pairs where that makes rounds shorter by more than it costs in contraction.
func (h *hunt) anneal() {
	rng := rand.New(rand.NewPCG(h.settings.Seed, uint64(h.problem.Cluster.Nodes())))
	m := newMeter(h)
	left := h.settings.Evaluations - h.best.Evaluations
	starts := m.starts(rng)
	if len(starts) == 0 || left <= 0 {
		return
	}
	for _, start := range starts {
		now, at := start, m.score(start)
		steps := left / len(starts)
		for step := 0; step < steps && !h.over(); step++ {
			part := float64(step%max(1, steps/reheats)) / float64(max(1, steps/reheats))
			heat := hottest * math.Pow(coldest/hottest, part)
			tried := now.clone()
			if !m.change(rng, tried) {
				h.priced()
				continue
			}
			s := m.score(tried)
			if s <= at || rng.Float64() < math.Exp((at-s)/(heat*at)) {
				now, at = tried, s
			}
		}
	}
}

// A meter measures tours.
type meter struct {
	h       *hunt
	n       int
	target  float64
	pairs   []topology.Edge
	product []float64 // n × n, by rows
	before  []float64
	self    []float64
}

func newMeter(h *hunt) *meter {
	n := h.problem.Cluster.Nodes()
	return &meter{h: h, n: n, target: h.problem.Cluster.Model().TargetError, pairs: h.problem.Cluster.Candidates(),
		product: make([]float64, n*n), before: make([]float64, n*n), self: make([]float64, n)}
}

// starts lists tours to begin with: the best that is known, the best in which slow nodes rest, and random matchings.
func (m *meter) starts(rng *rand.Rand) []*tour {
	var list []*tour
	if s := m.h.best.Schedule; s != nil && !s.Directed() {
		if t := m.tour(s); t != nil {
			list = append(list, t)
		}
	}
	if t := m.resting(); t != nil {
		list = append(list, t)
	}
	t := &tour{}
	for covered := 1; covered < 2*m.n; covered *= 2 {
		t.rounds, t.ms = append(t.rounds, m.matching(rng)), append(t.ms, 0)
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
	r, err := m.h.problem.Cluster.Round(w)
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

// mostPeriods is how often a tour is repeated before its pace is taken as known.
const mostPeriods = 6

// score measures the time to the target, or what it would be at the pace of some periods, and keeps the tour if it is
// the best of all that reach it. Within the last round time counts by the logarithm of the error, so that small
// gains are seen.
func (m *meter) score(t *tour) float64 {
	m.h.priced()
	clear(m.product)
	for i := range m.n {
		m.product[i*m.n+i] = 1
	}
	full := math.Sqrt(float64(m.n - 1))
	elapsed, last := 0.0, full
	for k := range mostPeriods * len(t.rounds) {
		at := k % len(t.rounds)
		left := m.apply(t.rounds[at])
		if left <= m.target {
			m.keep(t, elapsed+t.ms[at], k+1)
			return elapsed + t.ms[at]*math.Log(last/m.target)/math.Log(last/max(left, 1e-14))
		}
		elapsed, last = elapsed+t.ms[at], left
	}
	if last >= full*(1-1e-9) {
		return 1e300
	}
	return elapsed * math.Log(full/m.target) / math.Log(full/last)
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
