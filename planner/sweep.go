package planner

import (
	"context"
	"errors"
	"fmt"
	"math"

	"batopo/bound"
	"batopo/cluster"
	"batopo/design"
	"batopo/search"
)

// A Sweep is the answer to "which budget?": the best plan found for every budget that a
// cluster's bandwidths make meaningful, and which of them to take.
type Sweep struct {
	Budgets     []Budget
	Recommended int // position in Budgets
	Opponents   []Row
	Skipped     []Skipped
	Heuristic   string // how plans were ranked where that is not a proved or computed time; empty otherwise
}

// A Budget is one unit bandwidth and the plan that uses it best.
type Budget struct {
	Allocation cluster.Allocation
	MaxDegree  int          // limit on degrees that keeps the unit on a homogeneous cluster; 0: resources limit
	Plan       *design.Plan // nil when it was not solved
	Reason     string       // why not, or why it is not recommended
	Score      float64      // what was minimised; +Inf without a plan
}

// Best returns the recommended plan.
func (s *Sweep) Best() *design.Plan { return s.Budgets[s.Recommended].Plan }

// mostBudgets limits a sweep: beyond this many edges per resource, time per round grows faster than rounds fall.
const mostBudgets = 16

// noiseDecay is γ of the effective number of neighbours in rankings for training.
const noiseDecay = 0.9

// Plan solves every meaningful budget of the cluster and recommends one. p.MaxEdges, where
// positive, limits the budgets. Budgets that provably cannot beat the best so far are not solved.
// A graph that averages exactly in one round is not recommended where ring all-reduce does the same sooner.
func Plan(ctx context.Context, p design.Problem, s Settings) (*Sweep, error) {
	budgets := p.Cluster.Budgets(mostBudgets)
	if len(budgets) == 0 {
		return nil, fmt.Errorf("%w: no bandwidth lets the cluster carry a connected graph", ErrInfeasible)
	}
	sweep := &Sweep{}
	if p.Purpose == design.Training {
		sweep.Heuristic = fmt.Sprintf("ranked by time per iteration over the effective number of neighbours at γ = %v: a rule of thumb, not a prediction of training time", noiseDecay)
	}
	best, exact := math.Inf(1), math.Inf(1)
	if ring, err := p.Cluster.RingAllReduce(); err == nil {
		exact = ring.CommunicationMS
	}
	for k, a := range budgets {
		b := Budget{Allocation: a, Score: math.Inf(1)}
		sub := p
		sub.MaxEdges = a.MaxEdges
		if p.Cluster.Homogeneous() {
			b.MaxDegree = a.Edges[0]
			sub.MaxDegree = b.MaxDegree
		}
		if p.MaxDegree > 0 && (sub.MaxDegree == 0 || p.MaxDegree < sub.MaxDegree) {
			sub.MaxDegree = p.MaxDegree
		}
		switch reason, err := pointless(p, sub, a, best); {
		case err != nil:
			return nil, err
		case p.MaxEdges > 0 && a.MaxEdges > p.MaxEdges:
			b.Reason = fmt.Sprintf("more than the %d edges asked for", p.MaxEdges)
		case reason != "":
			b.Reason = reason
		default:
			sub.Objective = design.Rate // within one unit bandwidth a round costs the same, so the rate decides
			b.Plan, err = Optimize(ctx, sub, s.part(p.Cluster.Nodes(), k, len(budgets)))
			if err != nil && !errors.Is(err, ErrInfeasible) {
				if ctx.Err() == nil {
					return nil, err
				}
				b.Reason = "stopped before there was a plan"
				break
			}
			if err != nil {
				b.Reason = err.Error()
				break
			}
			if b.Score, err = score(p, b.Plan); err != nil {
				return nil, err
			}
			if b.Plan.Iterations == 1 && exact <= b.Plan.TimeMS {
				b.Reason = fmt.Sprintf("exact, but ring all-reduce is so too in %.4g ms", exact)
				break
			}
			if b.Score < best {
				best, sweep.Recommended = b.Score, k
			}
		}
		sweep.Budgets = append(sweep.Budgets, b)
		if ctx.Err() != nil {
			break
		}
	}
	if math.IsInf(best, 1) {
		if ctx.Err() != nil {
			return nil, ErrNoPlan
		}
		return nil, fmt.Errorf("%w: none of %d budgets has a plan; the last says: %s", ErrInfeasible, len(sweep.Budgets), sweep.Budgets[len(sweep.Budgets)-1].Reason)
	}
	sweep.Opponents, sweep.Skipped = Opponents(p.Cluster, s.Seed)
	row, err := matchingsRow(p.Cluster, sweep.Best())
	if err != nil {
		sweep.Skipped = append(sweep.Skipped, Skipped{matchingsName, err.Error()})
	} else {
		sweep.Opponents = append(sweep.Opponents, row)
	}
	return sweep, nil
}

// part gives every budget of a sweep its share of the evaluations, by default of those that one
// search would spend, and says in the progress where the sweep is.
func (s Settings) part(nodes, k, of int) Settings {
	if s.Evaluations == 0 {
		s.Evaluations = search.DefaultEvaluations(nodes)
	}
	s.Evaluations = max(1, s.Evaluations/of)
	if report := s.Progress; report != nil {
		s.Progress = func(now design.Progress) {
			now.Phase = design.Phase(fmt.Sprintf("budget %d of %d, %s", k+1, of, now.Phase))
			report(now)
		}
	}
	return s
}

// score is what a sweep minimises.
func score(p design.Problem, plan *design.Plan) (float64, error) {
	switch {
	case p.Objective == design.Rate:
		return plan.RAsym, nil
	case p.Purpose == design.Consensus:
		if plan.Iterations == 0 {
			return math.Inf(1), nil
		}
		return plan.TimeMS, nil
	}
	n, err := effectiveNeighbors(plan)
	return (plan.CommunicationMS + plan.ComputeMS) / n, err
}

// effectiveNeighbors is n_W(γ) of a plan, an estimate from its extreme eigenvalue where not all are known.
func effectiveNeighbors(plan *design.Plan) (float64, error) {
	rounds, err := plan.Matrices()
	if err != nil {
		return 0, err
	}
	spectrum, err := rounds[0].Spectrum()
	if err != nil {
		return 0, err
	}
	if n, ok := spectrum.EffectiveNeighbors(noiseDecay); ok {
		return n, nil
	}
	return 0, fmt.Errorf("planner: the effective number of neighbours needs all eigenvalues, which %d nodes without symmetry do not give", plan.Nodes)
}

// pointless says why a budget cannot beat the best time so far, if that is proved: even at the
// lower bound of its rate, the rounds needed take longer.
func pointless(p, sub design.Problem, a cluster.Allocation, best float64) (string, error) {
	if p.Objective != design.Time || p.Purpose != design.Consensus || math.IsInf(best, 1) {
		return "", nil
	}
	b, _, err := bound.Problem(sub)
	if err != nil || !(b.RAsym > 0) {
		return "", err
	}
	m := p.Cluster.Model()
	// ‖Wᵏ − J‖_F ≥ r_asymᵏ, and some resource is loaded to its capacity only if the budget is used:
	// a plan with fewer edges belongs to a smaller budget, which was solved before.
	rounds := math.Ceil(math.Log(m.TargetError)/math.Log(b.RAsym) - 1e-9)
	atLeast := rounds * m.MessageMB / a.UnitGBs
	if atLeast <= best {
		return "", nil
	}
	return fmt.Sprintf("at least %.0f rounds of %.4g ms, which cannot beat %.4g ms", rounds, m.MessageMB/a.UnitGBs, best), nil
}
