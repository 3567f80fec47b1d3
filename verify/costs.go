package verify

import (
	"fmt"
	"slices"

	"batopo/cluster"
)

// costs rechecks degrees, bandwidths and times under the plan's own cluster.
func (k *check) costs() {
	p := k.plan
	var degree int
	var rounds []cluster.Round
	for t, w := range k.matrices {
		r, err := k.cluster.Round(w)
		if err != nil {
			k.holds("routes", false, err.Error())
			return
		}
		rounds = append(rounds, r)
		degree = max(degree, slices.Max(w.Degrees()))
		if len(p.Rounds) > 0 {
			k.relative(fmt.Sprintf("rounds[%d].communication_ms", t), p.Rounds[t].CommunicationMS, r.CommunicationMS)
		}
	}
	k.number("max_degree", float64(p.MaxDegree), float64(degree), 0)
	slowest, longest := rounds[0].MinEdgeGBs, 0.0
	for _, r := range rounds {
		slowest, longest = min(slowest, r.MinEdgeGBs), max(longest, r.CommunicationMS)
	}
	k.relative("min_edge_gb_s", p.MinEdgeGBs, slowest)
	k.relative("communication_ms", p.CommunicationMS, longest)
	model := k.cluster.Model()
	k.relative("compute_ms", p.ComputeMS, model.ComputeMS)
	k.relative("target_error", p.TargetError, model.TargetError)
	k.relative("time_ms", p.TimeMS, duration(rounds, p.Iterations))
}

// duration adds up so many rounds, whole periods at once: an edited plan may claim any number of them.
func duration(rounds []cluster.Round, count int) float64 {
	period, rest := 0.0, 0.0
	for t, r := range rounds {
		period += r.CommunicationMS
		if t < count%len(rounds) {
			rest += r.CommunicationMS
		}
	}
	return float64(count/len(rounds))*period + rest
}

// limits rechecks what the plan was asked to keep to.
func (k *check) limits() {
	p := k.plan
	if len(p.Rounds) > 0 || p.Directed {
		return
	}
	k.holds("connected", k.matrices[0].Graph().Connected() || p.RAsym >= 1, "some nodes cannot reach each other, yet r_asym is below 1")
	if p.Settings.MaxEdges > 0 {
		k.atMost("edge budget", float64(p.Settings.MaxEdges), float64(len(p.Edges)), "more edges than asked for")
		k.candidates()
		k.resourceLimits()
	}
	if p.Settings.MaxDegree > 0 {
		k.atMost("degree limit", float64(p.Settings.MaxDegree), float64(p.MaxDegree), "a node has more neighbours than asked for")
	}
}

// candidates checks that every edge joins a pair that the cluster lets be joined.
func (k *check) candidates() {
	if k.cluster.PerNode() {
		return
	}
	allowed := map[[2]int]bool{}
	for _, e := range k.cluster.Candidates() {
		allowed[[2]int{e.I, e.J}] = true
	}
	for _, e := range k.plan.Edges {
		if !allowed[[2]int{e.I, e.J}] {
			k.holds("candidate edges", false, fmt.Sprintf("the cluster does not let %d and %d be joined", e.I, e.J))
			return
		}
	}
	k.holds("candidate edges", true, "")
}

// resourceLimits checks that no resource carries more edges than the allocation for the
// plan's budget allows, by counting the edges on it.
func (k *check) resourceLimits() {
	if k.cluster.Homogeneous() {
		return
	}
	allowed, err := k.allocate()
	if err != nil {
		k.holds("resource limits", false, err.Error())
		return
	}
	load, err := k.cluster.Load(k.matrices[0])
	if err != nil {
		k.holds("resource limits", false, err.Error())
		return
	}
	for l, r := range k.cluster.Resources() {
		if load.Count[l] > allowed.Edges[l] {
			k.holds("resource limits", false, fmt.Sprintf("%s carries %d edges, allowed are %d", r.Name, load.Count[l], allowed.Edges[l]))
			return
		}
	}
	k.holds("resource limits", true, "")
}
