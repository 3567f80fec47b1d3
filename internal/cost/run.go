package cost

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A run is a simulation at work.
type run struct {
	p            *Process
	forwardShare float64
	draw         func(ms []float64)
	waits        [][]wait // of every round in which not all take part
	together     bool     // all begin at the same time, so buckets wait for the slowest only, whom draw calls node 0
	iteration    int
	begin        []float64 // when every node begins its next iteration
	compute      []float64 // scratch: how long it computes
	end          []float64 // when the round is over for it
	groups       [][]int   // that average buckets
	free         []float64 // buckets: when the network of each group is
}

func newRun(p *Process, c Compute, draw func(ms []float64)) *run {
	n := p.Nodes
	r := &run{p: p, forwardShare: cmp.Or(c.Forward, usualForward), draw: draw, waits: make([][]wait, len(p.Rounds)),
		begin: make([]float64, n), compute: make([]float64, n), end: make([]float64, n)}
	for k := range p.Rounds {
		r.waits[k] = p.Rounds[k].waits()
	}
	if r.groups = p.Groups; len(r.groups) == 0 {
		r.groups = [][]int{topology.InOrder(n)}
	}
	r.free = make([]float64, len(r.groups))
	return r
}

func (r *run) forward(iterations int) {
	for range iterations {
		r.iteration++
		r.draw(r.compute)
		// With a delay what travels is there before the gradients that the round runs beside.
		if ahead := r.iteration + r.p.Delay - 1; r.p.Delay > 0 && ahead%r.p.Every == 0 {
			r.round(ahead / r.p.Every)
		}
		if len(r.p.Buckets) > 0 {
			for g, members := range r.groups {
				r.buckets(g, members)
			}
		} else {
			for i, ms := range r.compute {
				r.begin[i] += ms
			}
		}
		if len(r.p.Rounds) == 0 || r.iteration%r.p.Every != 0 {
			continue
		}
		if r.p.Delay == 0 {
			r.round(r.iteration / r.p.Every)
		}
		for i, end := range r.end {
			r.begin[i] = later(end, r.begin[i])
		}
	}
}

// round exchanges for the count-th time, from now on.
func (r *run) round(count int) {
	k := (count - 1) % len(r.p.Rounds)
	if e := &r.p.Rounds[k]; e.Peers == nil {
		end := slices.Max(r.begin) + e.MS
		for i := range r.end {
			r.end[i] = end
		}
		return
	}
	copy(r.end, r.begin)
	end, ready := r.end, r.begin[:len(r.end)]
	for _, w := range r.waits[k] {
		done := later(ready[w.i], ready[w.j]) + w.ms
		end[w.i] = later(done, end[w.i])
		if w.both {
			end[w.j] = later(done, end[w.j])
		}
	}
}

// later is the greater of two times. None is negative or NaN, so their bits are in the same order as they are. Which
// one it is cannot be foreseen, and integers are compared without a branch.
func later(a, b float64) float64 {
	return math.Float64frombits(max(math.Float64bits(a), math.Float64bits(b)))
}

// A wait is a pair: node i goes on when both are ready and their exchange is over, and node j too where it waits for
// i as long.
type wait struct {
	i, j int32
	both bool
	ms   float64
}

// waits lists who waits for whom in a round. Where lists of peers are sorted, a pair that waits for each other equally
// long is there once.
func (e *Exchange) waits() []wait {
	count := 0
	for _, peers := range e.Peers {
		count += len(peers)
	}
	out := make([]wait, 0, count)
	listed := make([]int, len(e.Peers)) // that many of a node's first peers have listed the pair
	for i, peers := range e.Peers {
		for k, j := range peers {
			if k < listed[i] {
				continue
			}
			w := wait{i: int32(i), j: int32(j), ms: e.pairMS(i, k)}
			if back := listed[j]; j > i && back < len(e.Peers[j]) && e.Peers[j][back] == i {
				w.both = e.pairMS(j, back) == w.ms
			}
			if w.both {
				listed[j]++
			}
			out = append(out, w)
		}
	}
	return out
}

// pairMS is how long the exchange of a node with its k-th peer takes.
func (e *Exchange) pairMS(i, k int) float64 {
	if e.PairMS == nil {
		return e.MS
	}
	return e.PairMS[i][k]
}

// buckets computes forward, then backward; a bucket's all-reduce begins when all nodes of a group have it and the one
// before it is over. The gradient's bytes become known at an even pace.
func (r *run) buckets(group int, members []int) {
	waits := members
	if r.together {
		waits = members[:1]
	}
	known := 0.0
	for _, b := range r.p.Buckets {
		// Of equal buckets those between the first and the last make nobody wait: when one is there, and when the network
		// would be free for it, both grow evenly.
		all := b.count() * b.MS
		free := r.free[group] + all
		first := r.forwardShare + (1-r.forwardShare)*(known+b.Share)
		known += b.Share * b.count()
		last := r.forwardShare + (1-r.forwardShare)*known
		for _, i := range waits {
			begin := r.begin[i] + r.p.gathering(r.forwardShare*r.compute[i])
			free = max(free, begin+first*r.compute[i]+all, begin+last*r.compute[i]+b.MS)
		}
		r.free[group] = free
	}
	for _, i := range members {
		r.begin[i] = r.free[group]
	}
}
