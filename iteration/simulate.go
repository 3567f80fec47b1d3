package iteration

import (
	"cmp"
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
	if err := p.Validate(); err != nil {
		return 0, err
	}
	if err := c.validate(p.Nodes); err != nil {
		return 0, err
	}
	warm, iterations := 0, 1
	switch {
	case c.Varies():
		iterations = cmp.Or(s.Iterations, defaultIterations)
		warm = iterations / 4
	case !p.inStep(c): // who waits for whom has settled when delays have travelled everywhere
		iterations = min(p.Nodes, defaultIterations)
		warm = iterations
	}
	// Whole cycles, so that every round counts as often as it should.
	whole := func(iterations int) int { return (iterations + p.cycle() - 1) / p.cycle() * p.cycle() }
	warm, iterations = whole(warm), whole(iterations)
	run := newRun(p, c, c.draws(s.Seed))
	run.forward(warm)
	before := mean(run.begin)
	run.forward(iterations)
	return (mean(run.begin) - before) / float64(iterations), nil
}

// inStep reports whether all nodes begin every iteration at the same time: they are equally fast and always take part.
func (p *Process) inStep(c Compute) bool {
	for _, ms := range c.MS {
		if ms != c.MS[0] {
			return false
		}
	}
	for _, r := range p.Rounds {
		if slices.ContainsFunc(r.Peers, func(peers []int) bool { return len(peers) == 0 }) {
			return false
		}
	}
	return true
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
		last := r.ready[i]
		for _, j := range peers {
			last = max(last, r.ready[j])
		}
		r.begin[i] = max(r.begin[i], last+e.MS)
	}
}

// buckets computes forward, then backward; a bucket's all-reduce begins when all nodes have it and the one before it is
// over. The gradient's bytes become known at an even pace.
func (r *run) buckets() {
	known := 0.0
	for _, b := range r.p.Buckets {
		known += b.Share
		there := r.forwardShare + (1-r.forwardShare)*known
		for i, ms := range r.compute {
			r.free = max(r.free, r.begin[i]+there*ms)
		}
		r.free += b.MS
	}
	for i := range r.begin {
		r.begin[i] = r.free
	}
}
