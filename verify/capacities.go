package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// capacities say how many edges every resource of a question may carry. The question is about the largest unit
// bandwidth at which a connected graph of max_edges edges fits: resource l then carries ⌊GBs/unit⌋ edges, no more than
// its cap and its candidates. Which unit that is takes a search, so here it is enclosed: a graph that fits at a unit
// shows that the question's is not below, a proof that none fits shows that it is below. Where both meet all is known.
type capacities struct {
	roomy []int // not below those of the question: what is proved within them holds
	tight []int // not above them: who keeps to these keeps to the question's
}

func (c capacities) known() bool { return slices.Equal(c.roomy, c.tight) }

// A verdict says whether a connected graph of enough edges keeps to capacities.
type verdict int

const (
	undecided verdict = iota
	fits              // one was found
	refuted           // it is proved that there is none
)

// slack is how near to a whole number a quotient of bandwidths counts as that number.
const slack = 1e-9

// A stock is what the resources have to give.
type stock struct {
	nodes, edges int // of the connected graph that has to fit
	bandwidth    []float64
	most         []int   // caps and candidates
	routes       *routes // nil where every pair loads just its two nodes
}

// at returns the capacities at a unit bandwidth; above returns those just above it.
func (s *stock) at(unit float64) []int {
	return s.each(func(b float64) float64 { return math.Floor(b / unit * (1 + slack)) })
}

func (s *stock) above(unit float64) []int {
	return s.each(func(b float64) float64 { return math.Ceil(b/unit*(1-slack)) - 1 })
}

func (s *stock) each(edges func(bandwidth float64) float64) []int {
	e := make([]int, len(s.most))
	for l, b := range s.bandwidth {
		e[l] = int(max(0, min(float64(s.most[l]), edges(b))))
	}
	return e
}

var errNoGraphFits = errors.New("no connected graph of max_edges edges fits into what the resources carry, " +
	"whatever the bandwidth")

// enclosed returns the capacities of the plan's question, as far as they are known.
func (k *check) enclosed() (capacities, error) {
	if e := k.cluster.Spec().Edges; e != nil { // the description states them, whatever the budget
		return capacities{e, e}, nil
	}
	s, err := k.stock()
	if err != nil {
		return capacities{}, err
	}
	p := k.plan
	unit, ok := k.unit()
	// A plan with all of its edges is itself the graph that fits.
	if ok && !p.Directed && len(p.Edges()) >= p.MaxEdges && k.connected() && k.room(s.most) == nil {
		if s.judge(s.above(unit)) == refuted {
			e := s.at(unit)
			return capacities{e, e}, nil
		}
		return capacities{roomy: s.at(s.last(unit, fits)), tight: s.at(s.last(unit, fits, undecided))}, nil
	}
	unit = s.lowest()
	switch s.judge(s.most) {
	case refuted:
		return capacities{}, errNoGraphFits
	case undecided:
		return capacities{roomy: s.most, tight: s.at(s.last(unit, fits, undecided))}, nil
	}
	return capacities{roomy: s.at(s.last(unit, fits)), tight: s.at(s.last(unit, fits, undecided))}, nil
}

// stock counts what the resources have to give, from the routes of all candidates.
func (k *check) stock() (*stock, error) {
	s := &stock{nodes: k.plan.Nodes, edges: k.plan.MaxEdges}
	if !k.cluster.PerNode() {
		r, err := k.routes()
		if err != nil {
			return nil, err
		}
		s.routes = r
	}
	for l, r := range k.cluster.Resources() {
		most := k.plan.Nodes - 1
		if s.routes != nil {
			most = len(s.routes.limits[l].Edges)
		}
		if r.MaxEdges > 0 {
			most = min(most, r.MaxEdges)
		}
		s.bandwidth, s.most = append(s.bandwidth, r.GBs), append(s.most, most)
	}
	return s, nil
}

// unit is the bandwidth that every edge of a static plan is sure to get when a resource gives the same to each.
func (k *check) unit() (unit float64, ok bool) {
	if !k.plan.Static() {
		return 0, false
	}
	load, err := k.carried(arcs(k.matrices[0]))
	if err != nil {
		return 0, false
	}
	unit = math.Inf(1)
	for l, r := range k.cluster.Resources() {
		if count := load.edges(l); count > 0 {
			unit = min(unit, r.GBs/float64(count))
		}
	}
	return unit, !math.IsInf(unit, 1)
}

// room returns an error that names a resource that carries more edges in some round than it may.
func (k *check) room(most []int) error {
	for t, w := range k.matrices {
		load, err := k.carried(arcs(w))
		if err != nil {
			return err
		}
		for l, r := range k.cluster.Resources() {
			if count := load.edges(l); count > most[l] {
				return fmt.Errorf("%s carries %d edges in round %d, allowed are %d", r.Name, count, t, most[l])
			}
		}
	}
	return nil
}

// lowest is a unit at which every resource carries as many edges as it ever may.
func (s *stock) lowest() float64 {
	unit := math.Inf(1)
	for l, b := range s.bandwidth {
		if s.most[l] > 0 {
			unit = min(unit, b/float64(s.most[l]))
		}
	}
	return unit
}

// last closes in on the largest unit with one of the verdicts, from one that has it on, by halving. Units with
// capacities that were judged already are not judged again.
func (s *stock) last(low float64, verdicts ...verdict) float64 {
	high := 2 * slices.Max(s.bandwidth) // nothing has an edge there
	lower, upper := s.at(low), s.at(high)
	for high > low*(1+2*slack) {
		middle := math.Sqrt(low * high)
		e := s.at(middle)
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
func (s *stock) judge(e []int) verdict {
	if s.routes != nil {
		return s.routes.judge(e, s.edges)
	}
	if slices.Min(e) < 1 {
		return refuted
	}
	// Where nobody is without edges, and there are n − 1 of them, connection costs nothing: a graph in parts has a
	// cycle, and an edge of it switched with an edge of another part joins the two.
	switch {
	case mostByParts(e) < s.edges:
		return refuted
	case pairedUp(e) >= s.edges:
		return fits
	}
	return undecided
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
