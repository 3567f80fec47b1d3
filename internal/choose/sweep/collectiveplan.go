package sweep

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// CollectivePlan writes a plan that averages all nodes exactly in one round: one of [schedules.Collectives] in the best
// order of the nodes that was found. Form "" means the quickest of all. Same cluster, form and seed: same plan.
func CollectivePlan(ctx context.Context, c *cluster.Cluster, form string, seed uint64) (*design.Plan, error) {
	g := &pricing{c: c, seed: seed, places: true}
	if form != "" {
		return g.collectivePlan(ctx, form)
	}
	var best *design.Plan
	var errs []error
	for _, f := range schedules.Collectives {
		p, err := g.collectivePlan(ctx, f.Name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", f.Name, err))
		case best == nil || p.TimeMS < best.TimeMS:
			best = p
		}
	}
	if best == nil {
		return nil, fmt.Errorf("sweep: no collective fits this cluster: %w", errors.Join(errs...))
	}
	return best, nil
}

// CollectivePlan does what the function does, but what was priced beside the sweep is not priced again.
func (s *Sweep) CollectivePlan(ctx context.Context, c *cluster.Cluster, form string,
	seed uint64) (*design.Plan, error) {
	g := s.beside
	if g == nil || g.c != c || g.seed != seed {
		return CollectivePlan(ctx, c, form, seed)
	}
	return g.collectivePlan(ctx, form)
}

// Found is what was found beside the sweep; nil: nothing was looked for.
func (s *Sweep) Found() *schedules.Memo {
	if s.beside == nil {
		return nil
	}
	return &s.beside.found
}

func (g *pricing) site() schedules.Site {
	return schedules.Site{Cluster: g.c, Seed: g.seed, Chunks: schedules.Chunks, Places: g.places}
}

// way finds how a form runs on the cluster, once; it waits no longer than until ctx ends.
func (g *pricing) way(ctx context.Context, f schedules.Collective) (schedules.Exact, error) {
	if way, ok := g.found.Known(f, g.site()); ok {
		return way, nil
	}
	return grace.Await(ctx, func() (schedules.Exact, error) { return g.found.Find(ctx, f, g.site()) })
}

func (g *pricing) collectivePlan(ctx context.Context, form string) (*design.Plan, error) {
	f, err := schedules.FindCollective(form)
	if err != nil {
		return nil, err
	}
	way, err := g.way(ctx, f)
	if err != nil {
		return nil, err
	}
	how := way.Short
	if n := way.Runs.Transfers(); how == nil && n > limits.Edges {
		return nil, limits.Refuse("it takes %d transfers; a plan holds at most %d", n, limits.Edges)
	}
	if how == nil {
		how = design.StepsOf(way.Runs)
	}
	p, err := design.NewCollectivePlan(g.c, how)
	if err != nil {
		return nil, err
	}
	p.Method, p.Seed = f.Name, g.seed
	p.Notes = append(p.Notes, inSteps(way.Runs))
	if way.Note != "" {
		p.Notes = append(p.Notes, way.Note)
	}
	return p, nil
}

// inSteps says how long a collective is.
func inSteps(a *collective.Algorithm) string {
	if a.Chunks > 1 {
		return fmt.Sprintf("exact; %d chunks through %d steps", a.Chunks, a.Steps)
	}
	return fmt.Sprintf("exact; %d steps", a.Steps)
}

// collectiveRow prices an all-reduce.
func (g *pricing) collectiveRow(ctx context.Context, f schedules.Collective) (Row, error) {
	way, err := g.way(ctx, f)
	if err != nil {
		return Row{}, err
	}
	a, once := way.Runs, 1
	return Row{
		Name: f.Title, Kind: AllReduce, Edges: a.Pairs(), MaxDegree: a.MaxDegree(), MinEdgeGBs: way.Price.MinGBs,
		CommunicationMS: way.Price.MS, Iterations: &once, TimeMS: &way.Price.MS, Note: joined(inSteps(a), way.Note),
	}, nil
}
