package replan

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/placement"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/mixing"
)

// ErrKind is returned for plans that a run cannot exchange for others of their kind.
var ErrKind = errors.New("no run can change it for another of its kind; plan again (batopo plan) and start again")

// changeable refuses what a run cannot change, with what an iteration takes now.
func changeable(p *design.Plan, now *cluster.Cluster) error {
	if len(p.Phases) == 0 {
		return nil
	}
	ms, err := p.IterationMS(now)
	if err != nil {
		return err
	}
	return fmt.Errorf("replan: the running plan has phases; an iteration of training takes %.4g ms now: %w", ms, ErrKind)
}

// graph reports whether a plan is a static undirected graph between nodes or groups, which changes edge by edge.
func graph(p *design.Plan) bool { return p.Static() && !p.Directed }

// alternatives lists plans of the kind of the running one, which is priced on the same cluster. What cannot be made
// there is left out.
func alternatives(ctx context.Context, p *design.Plan, c *cluster.Cluster, s Settings) ([]*design.Plan, error) {
	switch {
	case p.Kind == design.CollectiveKind && p.Inside != nil:
		plan, err := advise.AmongGroups(ctx, c, p.Inside.Groups, p.Wire, p.Parts())
		return some(plan, err), nil
	case p.Kind == design.CollectiveKind:
		// No known collective is quicker than what this search returns.
		return some(searched(ctx, schedules.Problem{Cluster: c, Form: schedules.Parts}, s)), nil
	case p.Inside != nil:
		return betweenGroups(ctx, p, c, s)
	case graph(p):
		return edited(ctx, p, c, s)
	}
	return inRounds(ctx, p, c, s)
}

// some lists a plan unless there is none.
func some(p *design.Plan, err error) []*design.Plan {
	if err != nil {
		return nil
	}
	return []*design.Plan{p}
}

func searched(ctx context.Context, p schedules.Problem, s Settings) (*design.Plan, error) {
	settings := schedules.Settings{Seed: s.Seed, Evaluations: s.Evaluations, Chunks: schedules.Chunks}
	found, err := schedules.Search(ctx, p, settings)
	if err != nil {
		return nil, err
	}
	return found.Plan(ctx, p.Cluster, settings)
}

// inRounds are the running schedule with nodes in other places, which agrees as fast in rounds, and a searched one.
func inRounds(ctx context.Context, p *design.Plan, c *cluster.Cluster, s Settings) ([]*design.Plan, error) {
	rounds, err := p.Matrices()
	if err != nil {
		return nil, err
	}
	var all []*design.Plan
	if best := placement.Best(ctx, c, rounds, s.Seed); best.Err() == nil {
		placed := &mixing.Schedule{}
		for _, w := range rounds {
			moved, err := placement.Placed(w, best.Order)
			if err != nil {
				return nil, err
			}
			placed.Rounds = append(placed.Rounds, moved)
		}
		all = some(design.NewSchedulePlan(ctx, c, placed))
	}
	if p.Static() {
		return all, nil // a schedule would need other momentum and another rate
	}
	problem := schedules.Problem{Cluster: c, Form: schedules.Gossip, Positive: trains(p)}
	return append(all, some(searched(ctx, problem, s))...), nil
}

// betweenGroups changes what runs between groups, where all edges may change: there are few. The groups stay: they are
// machines, and runs have connected them.
func betweenGroups(ctx context.Context, p *design.Plan, c *cluster.Cluster, s Settings) ([]*design.Plan, error) {
	between, err := sweep.BetweenGroups(c, p.Inside.Groups)
	if err != nil {
		return nil, err
	}
	rounds, err := p.Between()
	if err != nil {
		return nil, err
	}
	top, err := design.NewSchedulePlan(ctx, between, &mixing.Schedule{Rounds: rounds})
	if err != nil {
		return nil, err
	}
	use(top, p)
	s.Changes = 1
	changed, err := alternatives(ctx, top, between, s)
	if err != nil {
		return nil, err
	}
	var all []*design.Plan
	for _, q := range changed {
		if rounds, err = q.Matrices(); err != nil {
			return nil, err
		}
		raised, err := design.NewTwoLevelPlan(ctx, c, p.Inside.Groups, &mixing.Schedule{Rounds: rounds})
		all = append(all, some(raised, err)...)
	}
	return all, nil
}

// use makes a plan one that is used as another is.
func use(p, as *design.Plan) {
	p.Purpose, p.Every, p.Order, p.Overlap = as.Purpose, as.Every, as.Order, as.Overlap
	p.MinEigenvalue, p.DegreeLimit = as.MinEigenvalue, as.DegreeLimit
}
