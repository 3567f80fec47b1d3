package advise

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
)

// slowestMeasured is the number of steps after which differences between nodes are down to 1/e, at worst, in the
// slowest process that was trained with a round after every step: a ring of 32 nodes. A ring of 16 in every 16th step,
// 320 steps, mostly never arrived.
const slowestMeasured = 78

// errSlow says that nodes agree too slowly for the convergence model.
var errSlow = errors.New("how it trains is not predicted")

// A Meeting says how fast nodes come to agree. Counts are in rounds of a process or in steps of a candidate.
type Meeting struct {
	Agree float64 // until differences between nodes are down to 1/e, at worst
	Node  int     // from one meeting with another node to the next, for the node that waits longest
	Group int     // the same for groups of nodes, such as servers or sites; 0: the cluster has none
}

// every returns the same in steps, with a round after every that many.
func (m Meeting) every(steps int) Meeting {
	return Meeting{m.Agree * float64(steps), m.Node * steps, m.Group * steps}
}

// agreesIn returns after how many rounds, in whole periods, differences between nodes are down to 1/e at worst.
func agreesIn(plan *design.Plan) float64 {
	if plan.RAsym >= 1 {
		return math.Inf(1)
	}
	rounds := float64(len(plan.Rounds))
	return rounds * max(1, math.Ceil(-1/(rounds*math.Log(plan.RAsym))))
}

// meet finds how often nodes and groups meet. An all-reduce is a meeting of all.
func (p *process) meet(groups [][]int) {
	p.meeting = Meeting{Agree: 1, Node: 1}
	if len(groups) > 1 {
		p.meeting.Group = 1
	}
	if p.kind.exact() {
		return
	}
	p.meeting.Agree = agreesIn(p.plan)
	if p.kind != TwoLevel { // members of its groups meet in every round
		p.meeting.Node = longestWait(p.plan, func(i int) int { return i }, p.plan.Nodes)
	}
	if len(groups) > 1 {
		of := make([]int, p.plan.Nodes)
		for g, members := range groups {
			for _, i := range members {
				of[i] = g
			}
		}
		p.meeting.Group = longestWait(p.plan, func(i int) int { return of[i] }, len(groups))
	}
}

// longestWait returns the most rounds from one meeting of a party with another party to the next. Rounds of
// hierarchical averaging pair members of groups.
func longestWait(plan *design.Plan, party func(node int) int, parties int) int {
	period := len(plan.Rounds)
	first, last, most := make([]int, parties), make([]int, parties), 0
	for k := range first {
		first[k] = -1
	}
	meets := func(a, b, t int) {
		for _, k := range []int{party(a), party(b)} {
			switch {
			case party(a) == party(b):
			case first[k] < 0:
				first[k], last[k] = t, t
			default:
				most = max(most, t-last[k])
				last[k] = t
			}
		}
	}
	for t, r := range plan.Rounds {
		for _, e := range r.Edges {
			if plan.Inside == nil {
				meets(e.I, e.J, t)
				continue
			}
			for m, i := range plan.Inside.Groups[e.I] {
				meets(i, plan.Inside.Groups[e.J][m], t)
			}
		}
	}
	for k := range first {
		if first[k] >= 0 {
			most = max(most, first[k]+period-last[k])
		}
	}
	return most
}

// hold holds a process to what was measured. The convergence model sees noise fade within some ten steps, so that
// averaging once in a thousand steps is nearly as good to it as once in fifty.
func (p *process) hold() error {
	if p.kind.exact() {
		return nil
	}
	if p.slow(1) {
		return fmt.Errorf("%w: a period has %d rounds, and differences between nodes are down to 1/e after %.0f steps at "+
			"the soonest; the slowest trained with a round after every step took %d", errSlow, len(p.plan.Rounds),
			p.meeting.Agree, slowestMeasured)
	}
	p.rests = p.kind == Scheduled &&
		slices.ContainsFunc(p.plan.Rounds, func(r design.Round) bool { return slices.Contains(r.SelfWeights, 1) })
	return nil
}

// slow reports whether nodes agree more slowly than in anything that was trained, with a round in every H-th step.
func (p *process) slow(every int) bool { return p.meeting.every(every).Agree > slowestMeasured }
