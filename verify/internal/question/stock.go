package question

import (
	"errors"
	"math"
	"slices"
)

// Capacities say how many edges every resource of a question may carry. The question is about the largest unit
// bandwidth at which a connected graph of max_edges edges fits: resource l then carries ⌊GBs/unit⌋ edges, no more than
// its cap and its candidates. Which unit that is takes a search, so here it is enclosed: a graph that fits at a unit
// shows that the question's is not below, a proof that none fits shows that it is below. Where both meet all is known.
type Capacities struct {
	Roomy []int // not below those of the question: what is proved within them holds
	Tight []int // not above them: who keeps to these keeps to the question's
}

// Known reports whether both are those of the question.
func (c Capacities) Known() bool { return slices.Equal(c.Roomy, c.Tight) }

// A Verdict says whether a connected graph of enough edges keeps to capacities.
type Verdict int

const (
	Undecided Verdict = iota
	Fits              // one was found
	Refuted           // it is proved that there is none
)

// slack is how near to a whole number a quotient of bandwidths counts as that number.
const slack = 1e-9

// A Stock is what the resources have to give.
type Stock struct {
	Edges     int // of the connected graph that has to fit
	Bandwidth []float64
	Most      []int   // caps and candidates
	Routes    *Routes // nil where every pair loads just its two nodes
}

// At returns the capacities at a unit bandwidth; above returns those just above it.
func (s *Stock) At(unit float64) []int {
	return s.each(func(b float64) float64 { return math.Floor(b / unit * (1 + slack)) })
}

func (s *Stock) above(unit float64) []int {
	return s.each(func(b float64) float64 { return math.Ceil(b/unit*(1-slack)) - 1 })
}

func (s *Stock) each(edges func(bandwidth float64) float64) []int {
	e := make([]int, len(s.Most))
	for l, b := range s.Bandwidth {
		e[l] = int(max(0, min(float64(s.Most[l]), edges(b))))
	}
	return e
}

var errNoGraphFits = errors.New("no connected graph of max_edges edges fits into what the resources carry, " +
	"whatever the bandwidth")

// Enclose returns the capacities of the question, as far as they are known. Where a graph is known that fits, unit is
// the bandwidth that each of its edges gets; it is 0 elsewhere.
func (s *Stock) Enclose(unit float64) (Capacities, error) {
	if unit > 0 && s.judge(s.above(unit)) == Refuted {
		e := s.At(unit)
		return Capacities{e, e}, nil
	}
	if unit == 0 {
		unit = s.Lowest()
		switch s.judge(s.Most) {
		case Refuted:
			return Capacities{}, errNoGraphFits
		case Undecided:
			return Capacities{Roomy: s.Most, Tight: s.At(s.last(unit, Fits, Undecided))}, nil
		}
	}
	return Capacities{Roomy: s.At(s.last(unit, Fits)), Tight: s.At(s.last(unit, Fits, Undecided))}, nil
}

// Lowest is a unit at which every resource carries as many edges as it ever may.
func (s *Stock) Lowest() float64 {
	unit := math.Inf(1)
	for l, b := range s.Bandwidth {
		if s.Most[l] > 0 {
			unit = min(unit, b/float64(s.Most[l]))
		}
	}
	return unit
}

// last closes in on the largest unit with one of the verdicts, from one that has it on, by halving. Units with
// capacities that were judged already are not judged again.
func (s *Stock) last(low float64, verdicts ...Verdict) float64 {
	high := 2 * slices.Max(s.Bandwidth) // nothing has an edge there
	lower, upper := s.At(low), s.At(high)
	for high > low*(1+2*slack) {
		middle := math.Sqrt(low * high)
		e := s.At(middle)
		switch {
		case slices.Equal(e, lower):
			low = middle
		case slices.Equal(e, upper):
			high = middle
		case slices.Contains(verdicts, s.judge(e)):
			low, lower = middle, e
		default:
			high, upper = middle, e
		}
	}
	return low
}

// judge looks for a connected graph of enough edges within capacities, and for a proof that there is none.
func (s *Stock) judge(e []int) Verdict {
	if s.Routes != nil {
		return s.Routes.Judge(e, s.Edges)
	}
	if slices.Min(e) < 1 {
		return Refuted
	}
	// Where nobody is without edges, and there are n − 1 of them, connection costs nothing: a graph in parts has a
	// cycle, and an edge of it switched with an edge of another part joins the two.
	switch {
	case mostByParts(e) < s.Edges:
		return Refuted
	case pairedUp(e) >= s.Edges:
		return Fits
	}
	return Undecided
}

// mostByParts is a number of edges that no graph with these degrees at most exceeds. Of the k nodes with the largest,
// every other node can see k at most; so can each of them k − 1 (Erdős and Gallai).
func mostByParts(degrees []int) int {
	d := slices.Clone(degrees)
	slices.SortFunc(d, func(a, b int) int { return b - a })
	after := make([]int, len(d)+1) // sums of d[k:]
	for k := len(d) - 1; k >= 0; k-- {
		after[k] = after[k+1] + d[k]
	}
	least, small := after[0], len(d)
	for k := range d {
		for small > 0 && d[small-1] <= k { // d[small:] are at most k
			small--
		}
		from := max(small, k)
		least = min(least, k*(k-1)+(from-k)*k+after[from]+after[k])
	}
	return least / 2
}

// pairedUp is the number of edges of a graph with these degrees at most: the node that wants most neighbours takes
// those that want most of the others, and is done.
func pairedUp(degrees []int) (edges int) {
	want := make([]int, slices.Max(degrees)+1) // nodes by how many they still want
	for _, d := range degrees {
		want[d]++
	}
	for top := len(want) - 1; top > 0; {
		if want[top] == 0 {
			top--
			continue
		}
		want[top]--
		moved, missing := 0, top // moved: from the degree above, not to be taken twice
		for d := top; d > 0 && (missing > 0 || moved > 0); d-- {
			taken := min(missing, want[d])
			want[d] += moved - taken
			moved, missing, edges = taken, missing-taken, edges+taken
			if d == 1 {
				want[0] += moved
			}
		}
	}
	return edges
}
