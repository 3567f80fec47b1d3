package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/internal/limits"
)

// CollectivePlan writes a plan that averages all nodes exactly in one round, in one of [CollectiveForms] and in the
// best order of the nodes that was found. Form "" means the quickest of all. Same cluster, form and seed: same plan.
func CollectivePlan(ctx context.Context, c *cluster.Cluster, form string, seed uint64) (*design.Plan, error) {
	g := &pricing{c: c, seed: seed, places: true}
	if form != "" {
		f, err := FindCollective(form)
		if err != nil {
			return nil, err
		}
		return g.collectivePlan(ctx, f)
	}
	var best *design.Plan
	var errs []error
	for _, f := range CollectiveForms {
		p, err := g.collectivePlan(ctx, f)
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
		return nil, fmt.Errorf("planner: no collective fits this cluster: %w", errors.Join(errs...))
	}
	return best, nil
}

// CollectivePlan is that of the package, but what was priced beside the sweep is not priced again.
func (s *Sweep) CollectivePlan(ctx context.Context, c *cluster.Cluster, form string,
	seed uint64) (*design.Plan, error) {
	g := s.beside
	if g == nil || g.c != c || g.seed != seed {
		return CollectivePlan(ctx, c, form, seed)
	}
	f, err := FindCollective(form)
	if err != nil {
		return nil, err
	}
	return g.collectivePlan(ctx, f)
}

// way finds how a form runs on the cluster, once; it waits no longer than until ctx ends.
func (g *pricing) way(ctx context.Context, f CollectiveForm) (exactWay, error) {
	g.lock.Lock()
	way, found := g.ways[f.Name]
	g.lock.Unlock()
	if found {
		return way, nil
	}
	way, err := grace.Await(ctx, func() (exactWay, error) { return f.find(ctx, g) })
	if err != nil {
		return way, err
	}
	g.lock.Lock()
	defer g.lock.Unlock()
	if g.ways == nil {
		g.ways = map[string]exactWay{}
	}
	g.ways[f.Name] = way
	return way, nil
}

func (g *pricing) collectivePlan(ctx context.Context, f CollectiveForm) (*design.Plan, error) {
	way, err := g.way(ctx, f)
	if err != nil {
		return nil, err
	}
	how := way.short
	if n := way.runs.Transfers(); how == nil && n > limits.Edges {
		return nil, fmt.Errorf("it takes %d transfers; a plan holds at most %d", n, limits.Edges)
	}
	if how == nil {
		how = design.StepsOf(way.runs)
	}
	p, err := design.NewCollectivePlan(g.c, how)
	if err != nil {
		return nil, err
	}
	p.Method, p.Seed = f.Name, g.seed
	p.Notes = append(p.Notes, inSteps(way.runs))
	if way.note != "" {
		p.Notes = append(p.Notes, way.note)
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

// collectiveRow prices an exact average.
func (g *pricing) collectiveRow(ctx context.Context, f CollectiveForm) (Row, error) {
	way, err := g.way(ctx, f)
	if err != nil {
		return Row{}, err
	}
	a, once := way.runs, 1
	return Row{
		Name: f.row, Kind: AllReduce, Edges: a.Pairs(), MaxDegree: a.MaxDegree(), MinEdgeGBs: way.price.MinGBs,
		CommunicationMS: way.price.MS, Iterations: &once, TimeMS: &way.price.MS, Note: joined(inSteps(a), way.note),
	}, nil
}
