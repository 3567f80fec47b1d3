package cost

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/batopo/batopo/cluster"
)

// usualForward is the part of a gradient's computation that comes before its first bytes are known: the backward pass
// costs about twice the forward pass.
const usualForward = 1.0 / 3

// Compute says how long nodes compute one gradient. Where it varies, its times are log-normal: never negative, with
// late ones further out than early ones.
type Compute struct {
	MS       []float64 // mean of every node
	JitterMS []float64 // standard deviation of every node from one iteration to the next
	Forward  float64   // share of the forward pass; 0 means usualForward
}

// ComputeOf returns the compute times that a cluster's description states.
func ComputeOf(c *cluster.Cluster) Compute {
	out := Compute{MS: make([]float64, c.Nodes()), JitterMS: make([]float64, c.Nodes())}
	for i := range out.MS {
		out.MS[i], out.JitterMS[i] = c.ComputeMS(i), c.JitterMS(i)
	}
	return out
}

// Scaled returns the compute times with means and deviations that many times as long.
func (c Compute) Scaled(times float64) Compute { return c.scaled(func(int) float64 { return times }) }

// WithBatches returns the compute times of nodes that each have a share of the batch of all; nil: equal shares.
func (c Compute) WithBatches(shares []float64) Compute {
	if len(shares) == 0 {
		return c
	}
	return c.scaled(func(i int) float64 { return shares[i] * float64(len(shares)) })
}

func (c Compute) scaled(times func(node int) float64) Compute {
	out := Compute{MS: slices.Clone(c.MS), JitterMS: slices.Clone(c.JitterMS), Forward: c.Forward}
	for i := range out.MS {
		out.MS[i] *= times(i)
		out.JitterMS[i] *= times(i)
	}
	return out
}

// Varies reports whether some node's compute time changes from one iteration to the next.
func (c Compute) Varies() bool {
	return slices.ContainsFunc(c.JitterMS, func(ms float64) bool { return ms > 0 })
}

func (c Compute) validate(nodes int) error {
	if len(c.MS) != nodes || len(c.JitterMS) != nodes {
		return fmt.Errorf("cost: compute times of %d and jitter of %d nodes; there are %d",
			len(c.MS), len(c.JitterMS), nodes)
	}
	for i := range nodes {
		if !(c.MS[i] >= 0) || !(c.JitterMS[i] >= 0) || c.MS[i] == 0 && c.JitterMS[i] > 0 {
			return fmt.Errorf("cost: node %d computes %v ± %v ms; neither may be negative, and 0 does not vary",
				i, c.MS[i], c.JitterMS[i])
		}
	}
	if !(c.Forward >= 0 && c.Forward <= 1) {
		return fmt.Errorf("cost: the forward pass is %v of the computation; it must be 0 to 1", c.Forward)
	}
	return nil
}

// draws returns a function that fills in every node's next compute time. Nodes draw from sources of their own, so two
// processes that are simulated with the same seed have the same late nodes.
func (c Compute) draws(seed uint64) func(ms []float64) {
	sources := make([]*rand.Rand, len(c.MS))
	mean, spread := make([]float64, len(c.MS)), make([]float64, len(c.MS))
	for i, ms := range c.MS {
		if c.JitterMS[i] > 0 {
			sources[i] = rand.New(rand.NewPCG(seed, uint64(i)))
			relative := c.JitterMS[i] / ms
			variance := math.Log1p(relative * relative)
			mean[i], spread[i] = math.Log(ms)-variance/2, math.Sqrt(variance)
		}
	}
	return func(ms []float64) {
		for i := range ms {
			ms[i] = c.MS[i]
			if sources[i] != nil {
				ms[i] = math.Exp(mean[i] + spread[i]*sources[i].NormFloat64())
			}
		}
	}
}

// Draws are compute times as nodes draw them, one iteration after the other. They are kept, so that processes that are
// compared do not draw them again. Several goroutines may use one at the same time.
type Draws struct {
	Compute Compute

	seed    uint64
	lock    sync.Mutex
	kept    []float64          // those of the first iterations, all nodes of one after each other
	longest []float64          // of each of these iterations
	next    func(ms []float64) // draws the first that are not kept
}

// Draws returns the compute times that a seed gives; none is drawn yet.
func (c Compute) Draws(seed uint64) *Draws { return &Draws{Compute: c, seed: seed} }

// first returns a function that fills in every node's next compute time, for that many iterations.
func (d *Draws) first(iterations int) func(ms []float64) {
	if all, _, kept := d.keep(iterations); kept {
		return inTurn(all, len(d.Compute.MS))
	}
	return d.Compute.draws(d.seed)
}

// slowest is the same for node 0 only, which is given the time of the slowest node in every iteration.
func (d *Draws) slowest(iterations int) func(ms []float64) {
	if _, longest, kept := d.keep(iterations); kept {
		return inTurn(longest, 1)
	}
	draw := d.Compute.draws(d.seed)
	return func(ms []float64) {
		draw(ms)
		ms[0] = slices.Max(ms)
	}
}

// keep draws what is not kept yet of that many iterations, unless that would be too much, or always the same.
func (d *Draws) keep(iterations int) (all, longest []float64, kept bool) {
	const mostKept = 1 << 20 // numbers
	n := len(d.Compute.MS)
	if !d.Compute.Varies() || iterations > mostKept/n {
		return nil, nil, false
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.next == nil {
		d.next = d.Compute.draws(d.seed)
	}
	d.kept = slices.Grow(d.kept, max(0, iterations*n-len(d.kept)))
	for have := len(d.kept); have < iterations*n; have += n {
		d.kept = d.kept[:have+n]
		d.next(d.kept[have:])
		d.longest = append(d.longest, slices.Max(d.kept[have:]))
	}
	return d.kept, d.longest, true
}

// inTurn fills in the next numbers, that many each time.
func inTurn(left []float64, each int) func(ms []float64) {
	return func(ms []float64) {
		copy(ms, left[:each])
		left = left[each:]
	}
}
