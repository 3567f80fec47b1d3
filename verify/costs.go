package verify

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// costs rechecks degrees, bandwidths and times under the plan's own cluster, from its routes. Plans are made with the
// prices of package cluster, which are not asked here.
func (k *check) costs() {
	var rounds []cluster.Round
	degree := 0
	for _, w := range k.matrices {
		if k.crowded(w.Arcs()) {
			k.unproved("max_degree, round_ms, min_edge_gb_s, communication_ms, time_ms", 0, errTooLarge.Error())
			return
		}
		var total cluster.Round
		for _, phase := range k.phases(w) {
			price, err := k.slot(phase)
			if err != nil {
				k.holds("routes", false, err.Error())
				return
			}
			total.CommunicationMS += price.CommunicationMS
			if total.MinEdgeGBs == 0 || price.MinEdgeGBs < total.MinEdgeGBs {
				total.MinEdgeGBs = price.MinEdgeGBs
			}
			degree = max(degree, k.busiest(phase))
		}
		if k.plan.Inside != nil {
			total.CommunicationMS += k.cluster.PerCollectiveMS()
		}
		rounds = append(rounds, total)
	}
	k.number("max_degree", float64(k.plan.MaxDegree), float64(degree), 0)
	k.times(rounds)
}

// times compares what the plan says about its rounds with what they cost.
func (k *check) times(rounds []cluster.Round) {
	p := k.plan
	slowest, longest := 0.0, 0.0
	k.rounds = rounds
	k.roundTimes(rounds)
	for _, r := range rounds {
		longest = max(longest, r.CommunicationMS)
		if r.MinEdgeGBs > 0 && (slowest == 0 || r.MinEdgeGBs < slowest) { // 0: a round without edges has no slowest one
			slowest = r.MinEdgeGBs
		}
	}
	k.relative("min_edge_gb_s", p.MinEdgeGBs, slowest)
	k.relative("communication_ms", p.CommunicationMS, longest)
	model := k.cluster.Model()
	k.relative("compute_ms", p.ComputeMS, model.ComputeMS)
	k.relative("target_error", p.TargetError, model.TargetError)
	if p.Kind == design.CollectiveKind && k.found("exact average") != OK {
		return // listed as not proved: how many calls average is not known
	}
	k.relative("time_ms", p.TimeMS, duration(rounds, p.Iterations))
}

// roundTimes compares the time of every round. Those that hold are one finding: a schedule may have thousands.
func (k *check) roundTimes(rounds []cluster.Round) {
	if len(rounds) == 1 {
		k.relative("round_ms", k.plan.RoundMS[0], rounds[0].CommunicationMS)
		return
	}
	before := len(k.report)
	for t, r := range rounds {
		k.relative(fmt.Sprintf("round_ms[%d]", t), k.plan.RoundMS[t], r.CommunicationMS)
	}
	holds := func(f Finding) bool { return f.Status == OK }
	found := k.report[before:]
	bad := slices.DeleteFunc(slices.Clone(found), holds)
	if good := len(found) - len(bad); good > 0 {
		k.report = append(k.report[:before], bad...)
		k.add(Finding{Claim: "round_ms", Status: OK, Claimed: 1, Recomputed: 1, truth: true,
			Detail: fmt.Sprintf("%d of %d rounds", good, len(found))})
	}
}

// duration adds up the first count rounds, whole periods at once: an edited plan may claim any number of them.
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
