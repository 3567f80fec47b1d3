package cost

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// Iterations is how many iterations are averaged over. It falls with the number of nodes, since a simulation costs
// nodes times iterations.
func Iterations(nodes int) int {
	const work, fewest, most = 64_000, 100, 1000
	return max(fewest, min(most, work/nodes))
}

// seed of the compute times that all predictions for a cluster draw, so that they can be compared.
const seed = 1

// DrawsOf are the compute times of a cluster's nodes that all predictions draw.
func DrawsOf(c *cluster.Cluster) *Draws { return DrawsWith(c, nil) }

// DrawsWith are the same where nodes have shares of the batch; nil: equal ones.
func DrawsWith(c *cluster.Cluster, shares []float64) *Draws {
	return ComputeOf(c).WithBatches(shares).Draws(seed)
}

// OnCluster returns the mean time of an iteration with the compute times of a cluster.
func (p *Process) OnCluster(c *cluster.Cluster) (float64, error) { return p.MeanOver(DrawsOf(c), 0) }

// Together is a process whose nodes all wait for each other and then exchange for that long, after every gradient.
func Together(c *cluster.Cluster, roundMS float64) *Process {
	return &Process{Nodes: c.Nodes(), Every: 1, Rounds: []Exchange{{MS: roundMS}}}
}

// Least is the least mean time of an iteration with a round after every gradient in which some pair takes that long: a
// node of that pair computes and exchanges in every iteration, and every node computes.
func Least(c *cluster.Cluster, roundMS float64) float64 {
	compute := ComputeOf(c)
	return max(slices.Min(compute.MS)+roundMS, slices.Max(compute.MS))
}

// Floor is a time that the mean of a simulation comes to at least: every node computes, and takes part in its rounds
// and buckets, even if it never waits for a late one. Four standard errors are taken off compute times that vary, since
// a simulation draws few.
func (p *Process) Floor(c Compute) float64 {
	forward, buckets := cmp.Or(c.Forward, usualForward), p.AllMS()-p.Gathers.count()*p.Gathers.MS
	least := p.BusyMS / float64(p.cycle())
	errors := 4 / math.Sqrt(float64(Iterations(p.Nodes))/float64(max(p.Every, 1)))
	for i, ms := range c.MS {
		ms = max(0, ms-errors*c.JitterMS[i])
		if len(p.Buckets) > 0 {
			ms = max(ms, forward*ms+buckets)
		}
		period := ms
		if len(p.Rounds) > 0 {
			period = 0
			every, alone := float64(p.Every)*ms, float64(p.Every-p.Delay)*ms
			for k := range p.Rounds {
				period += max(every, alone+p.Rounds[k].longestMS(i))
			}
		}
		least = max(least, period/float64(p.cycle()))
	}
	return least
}

// longestMS is the time of a node's longest exchange; 0 where it takes no part.
func (e *Exchange) longestMS(i int) float64 {
	switch {
	case e.Peers == nil:
		return e.MS
	case len(e.Peers[i]) == 0:
		return 0
	case e.PairMS == nil:
		return e.MS
	}
	return slices.Max(e.PairMS[i])
}

// DelayOf is how many gradients a round runs beside that overlaps with the gradient, or does not.
func DelayOf(overlap bool) int {
	if overlap {
		return 1
	}
	return 0
}

// MeanOver returns the mean time of an iteration in the long run, over compute times that may have been drawn for other
// processes before. Where they vary, that many iterations are averaged over; 0 means [Iterations].
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
		iterations = whole(cmp.Or(iterations, Iterations(p.Nodes)))
		lead := whole(iterations / 4)
		draws, together := d.first, len(p.Rounds) == 0 && len(p.Groups) == 0
		if together {
			draws = d.slowest
		}
		run := newRun(p, c, draws(lead+iterations))
		run.together = together
		run.forward(lead)
		before := mean(run.begin)
		run.forward(iterations)
		return (mean(run.begin) - before) / float64(iterations)
	}
	if p.inStep(c) {
		one := Compute{MS: c.MS[:1], JitterMS: c.JitterMS[:1], Forward: c.Forward}
		run := newRun(p.ofOne(), one, one.draws(d.seed))
		run.forward(p.cycle())
		return run.begin[0] / float64(p.cycle())
	}
	return newRun(p, c, c.draws(d.seed)).settled()
}

// ofOne is what one node does of a process whose nodes all keep in step.
func (p *Process) ofOne() *Process {
	out := &Process{Nodes: 1, Every: p.Every, Delay: p.Delay, Buckets: p.Buckets, Gathers: p.Gathers}
	out.Rounds = make([]Exchange, len(p.Rounds))
	for k := range p.Rounds {
		out.Rounds[k].MS = p.Rounds[k].MS
	}
	return out
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
