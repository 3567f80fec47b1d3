package cluster

import (
	"fmt"
	"slices"
)

// A speed is how long a node computes between two rounds; nil where nothing is said about this one.
type speed struct{ compute, jitter *float64 }

// ComputeMS returns how long node i computes between two rounds.
func (c *Cluster) ComputeMS(i int) float64 {
	if c.speeds != nil && c.speeds[i].compute != nil {
		return *c.speeds[i].compute
	}
	return c.model.ComputeMS
}

// OwnCompute reports whether every node has a time of computation of its own, so that the model's counts for none.
func (c *Cluster) OwnCompute() bool { return c.ownCompute }

// JitterMS returns the standard deviation of ComputeMS from one round to the next.
func (c *Cluster) JitterMS(i int) float64 {
	if c.speeds != nil && c.speeds[i].jitter != nil {
		return *c.speeds[i].jitter
	}
	return 0
}

// setSpeeds reads the speeds of single nodes and lets the slowest of them decide about the model.
func (c *Cluster) setSpeeds(check *checker) {
	m := c.spec.Model
	if m != nil && len(m.NodeComputeMS)+len(m.JitterMS) > 0 {
		if c.speeds == nil {
			c.speeds = make([]speed, c.nodes)
		}
		if m.ComputeMS != nil && len(m.NodeComputeMS) > 0 {
			check.complain("model.compute_ms", "is given beside node_compute_ms; give one of them")
		}
		c.eachNode(check, "model.node_compute_ms", m.NodeComputeMS, func(i int, v *float64) { c.speeds[i].compute = v })
		c.eachNode(check, "model.jitter_ms", m.JitterMS, func(i int, v *float64) { c.speeds[i].jitter = v })
	}
	if c.speeds == nil || check.bad() {
		return
	}
	c.ownCompute = !slices.ContainsFunc(c.speeds, func(s speed) bool { return s.compute == nil })
	slowest, other := 0.0, c.model.ComputeMS
	for i := range c.nodes {
		if c.speeds[i].compute == nil {
			c.speeds[i].compute = &other
		}
		slowest = max(slowest, c.ComputeMS(i))
	}
	c.model.ComputeMS = slowest
	c.checkJitter(check)
}

// checkJitter complains about the first node that takes no time and yet is said to vary.
func (c *Cluster) checkJitter(check *checker) {
	for i := range c.nodes {
		if c.ComputeMS(i) > 0 || c.JitterMS(i) == 0 {
			continue
		}
		path := "tree"
		if c.spec.Model != nil && len(c.spec.Model.JitterMS) > 0 {
			path = "model.jitter_ms"
		}
		check.complain(path, "node %d computes 0 ± %v ms; what takes no time does not vary: give it a compute time above 0, "+
			"or no jitter", i, c.JitterMS(i))
		return
	}
}

// eachNode hands out one number for all nodes, or one for each.
func (c *Cluster) eachNode(check *checker, path string, numbers Numbers, set func(i int, v *float64)) {
	if len(numbers) > 1 && len(numbers) != c.nodes {
		check.complain(path, "has %d entries for %d nodes; give one number for all or one per node", len(numbers), c.nodes)
		return
	}
	for k, v := range numbers {
		check.within(fmt.Sprintf("%s[%d]", path, k), v, computeSpan)
	}
	for i := 0; i < c.nodes && len(numbers) > 0; i++ {
		set(i, &numbers[min(i, len(numbers)-1)])
	}
}
