package iteration

import (
	"cmp"
	"math"
	"slices"
)

// Settings of a simulation; zero means the documented default.
type Settings struct {
	Seed       uint64
	Iterations int // that are averaged over where compute times vary; 0 means 1000
}

const defaultIterations = 1000

// MeanMS returns the mean time of an iteration in the long run.
func (p *Process) MeanMS(c Compute, s Settings) (float64, error) {
	return p.MeanOver(c.Draws(s.Seed), s.Iterations)
}

// MeanOver returns the mean time of an iteration in the long run, over compute times that may have been drawn for other
// processes before. Where they vary, that many iterations are averaged over; 0 means 1000.
func (p *Process) MeanOver(d *Draws, iterations int) (float64, error) {
	c := d.Compute
	if err := p.Validate(); err != nil {
		return 0, err
	}
	if err := c.validate(p.Nodes); err != nil {
		return 0, err
	}
	return max(p.simulate(d, iterations), p.BusyMS/float64(p.cycle())), nil
}

func (p *Process) simulate(d *Draws, iterations int) float64 {
	c := d.Compute
	if c.Varies() {
		// Whole cycles, so that every round counts as often as it should.
		whole := func(iterations int) int { return (iterations + p.cycle() - 1) / p.cycle() * p.cycle() }
		iterations = whole(cmp.Or(iterations, defaultIterations))
		lead := whole(iterations / 4)
		run := newRun(p, c, d.first(lead+iterations))
		run.forward(lead)
		before := mean(run.begin)
		run.forward(iterations)
		return (mean(run.begin) - before) / float64(iterations)
	}
	run := newRun(p, c, c.draws(d.seed))
	if p.inStep(c) {
		run.forward(p.cycle())
		return mean(run.begin) / float64(p.cycle())
	}
	return run.settled()
}

// settled runs until a cycle ends as an earlier one did, only later: from then on everything repeats. A delay travels
// one hop per round, and where little is lost per round it takes long until it has arrived everywhere; so after enough
// work the pace of the slowest node is taken, which the others come to.
func (r *run) settled() float64 {
	const work, rounding = 1 << 15, 1e-9
	before := make([]float64, len(r.begin))
	for cycles := 1; ; cycles *= 2 {
		copy(before, r.begin)
		slowest := 0.0
		for k := range cycles {
			r.forward(r.p.cycle())
			quickest := math.Inf(1)
			slowest = 0
			for i, at := range r.begin {
				slowest, quickest = max(slowest, at-before[i]), min(quickest, at-before[i])
			}
			if slowest-quickest <= rounding*slowest {
				return slowest / float64((k+1)*r.p.cycle())
			}
		}
		if cycles > 1 && r.iteration*r.p.Nodes > work {
			return slowest / float64(cycles*r.p.cycle())
		}
	}
}

// inStep reports whether all nodes begin every iteration at the same time: they are equally fast, always take part, and
// everybody has a pair that takes as long as the round.
func (p *Process) inStep(c Compute) bool {
	for _, ms := range c.MS {
		if ms != c.MS[0] {
			return false
		}
	}
	for _, r := range p.Rounds {
		if slices.ContainsFunc(r.Peers, func(peers []int) bool { return len(peers) == 0 }) || !r.even() {
			return false
		}
	}
	return true
}

// even reports whether the round takes equally long for every node.
func (e *Exchange) even() bool {
	return !slices.ContainsFunc(e.PairMS, func(ms []float64) bool { return len(ms) > 0 && slices.Max(ms) != e.MS })
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// A run is a simulation at work.
type run struct {
	p            *Process
	forwardShare float64
	draw         func(ms []float64)
	iteration    int
	begin        []float64 // when every node begins its next iteration
	compute      []float64 // scratch: how long it computes
	ready        []float64 // scratch: when it is ready for the round
	free         float64   // buckets: when the network is
}

func newRun(p *Process, c Compute, draw func(ms []float64)) *run {
	n := p.Nodes
	return &run{p: p, forwardShare: cmp.Or(c.Forward, ForwardShare), draw: draw,
		begin: make([]float64, n), compute: make([]float64, n), ready: make([]float64, n)}
}

func (r *run) forward(iterations int) {
	for range iterations {
		r.iteration++
		r.draw(r.compute)
		switch {
		case len(r.p.Buckets) > 0:
			r.buckets()
		case r.iteration%r.p.Every != 0:
			for i, ms := range r.compute {
				r.begin[i] += ms
			}
		default:
			r.round(&r.p.Rounds[(r.iteration/r.p.Every-1)%len(r.p.Rounds)])
		}
	}
}

// round computes and exchanges: one after the other, or side by side.
func (r *run) round(e *Exchange) {
	for i, ms := range r.compute {
		r.compute[i] = r.begin[i] + ms // from here on: when it is done
	}
	if r.p.Overlap {
		copy(r.ready, r.begin) // what travels is there before the gradient
	} else {
		copy(r.ready, r.compute)
	}
	if e.Peers == nil {
		end := slices.Max(r.ready) + e.MS
		for i := range r.begin {
			r.begin[i] = max(end, r.compute[i])
		}
		return
	}
	for i, peers := range e.Peers {
		r.begin[i] = r.compute[i]
		if len(peers) == 0 {
			continue
		}
		if e.PairMS == nil {
			last := r.ready[i]
			for _, j := range peers {
				last = max(last, r.ready[j])
			}
			r.begin[i] = max(r.begin[i], last+e.MS)
			continue
		}
		for k, j := range peers {
			r.begin[i] = max(r.begin[i], max(r.ready[i], r.ready[j])+e.PairMS[i][k])
		}
	}
}

// buckets computes forward, then backward; a bucket's all-reduce begins when all nodes have it and the one before it is
// over. The gradient's bytes become known at an even pace.
func (r *run) buckets() {
	known := 0.0
	for _, b := range r.p.Buckets {
		// Of equal buckets those between the first and the last make nobody wait: when one is there, and when the network
		// would be free for it, both grow evenly.
		all := b.count() * b.MS
		r.free += all
		first := r.forwardShare + (1-r.forwardShare)*(known+b.Share)
		known += b.Share * b.count()
		last := r.forwardShare + (1-r.forwardShare)*known
		for i, ms := range r.compute {
			r.free = max(r.free, r.begin[i]+first*ms+all, r.begin[i]+last*ms+b.MS)
		}
	}
	for i := range r.begin {
		r.begin[i] = r.free
	}
}
