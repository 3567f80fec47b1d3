package feasible

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// An Allocation says how many edges each resource should carry.
type Allocation struct {
	UnitGBs  float64 // bandwidth that every edge is sure to get
	Edges    []int   // e: edges per resource
	MaxEdges int     // r: edges in all
}

func (c *Hardware) bandwidths() []float64 {
	b := make([]float64, len(c.Resources()))
	for l, r := range c.Resources() {
		b[l] = r.GBs
	}
	return b
}

// Carries returns how many edges a connected graph can have in which resource l carries at most e[l]. Found is the
// most that was found, 0 where none was; no graph has more than proved, so none is connected where that is below
// n−1. They are equal, so exact, where every pair loads just its two nodes, for up to 15 candidate edges, and wherever
// a proof was found.
func (c *Hardware) Carries(ctx context.Context, e []int) (found, proved int, err error) {
	return c.carries(ctx, e, everything)
}

// carries is Carries for those who only ask whether as many edges as wanted are possible: it stops once that is
// decided.
func (c *Hardware) carries(ctx context.Context, e []int, wanted goal) (found, proved int, err error) {
	if c.PerNode() {
		nodes := make([]int, c.Nodes()) // by degree
		for _, degree := range e {
			nodes[max(0, min(degree, c.Nodes()-1))]++
		}
		var runs []run
		for degree, count := range nodes {
			if count > 0 {
				runs = append(runs, run{degree, count})
			}
		}
		most := connectedDegrees(runs)
		return most, most, ctx.Err()
	}
	return c.routes().carries(ctx, e, wanted)
}

// Allocate is what the description states, whatever r, or Algorithm 1 for any routes: the largest unit bandwidth at
// which a connected graph of r edges fits. The capacities are not trimmed to r, so a solver that keeps to at most r
// edges may choose where to leave room.
// A graph of that many edges fits at the unit bandwidth returned. That none fits at a larger one is proved where
// Carries is exact. The error is ErrInfeasible where it is proved that none fits at all, else ErrUndecided.
func (c *Hardware) Allocate(ctx context.Context, r int) (Allocation, error) {
	if r < c.Nodes()-1 {
		return Allocation{}, fmt.Errorf("%w: %d edges cannot connect %d nodes; at least %d are needed", ErrInfeasible, r,
			c.Nodes(), c.Nodes()-1)
	}
	// A sweep asks for the same few budgets again and again: for bounds, for what to search, for who has room.
	if known, ok := c.allocated.Load(r); ok {
		a := known.(Allocation)
		a.Edges = slices.Clone(a.Edges)
		return a, nil
	}
	a, _, err := c.allocate(ctx, r, math.Inf(1))
	if err == nil {
		c.allocated.Store(r, a)
		a.Edges = slices.Clone(a.Edges)
	}
	return a, err
}

// allocate is Allocate with no unit above top; sure is true where it is proved that no other up to there will do.
func (c *Hardware) allocate(ctx context.Context, r int, top float64) (a Allocation, sure bool, err error) {
	if c.Spec().Edges != nil {
		a, err = c.stated(ctx, r)
		return a, false, err
	}
	if c.PerNode() {
		a, err = c.allocateNodes(ctx, r, top)
		return a, err == nil, err
	}
	s := shares{c.bandwidths(), c.Most()}
	sure = true
	unit, e, ok, err := s.largest(min(top, slices.Max(s.bandwidth)), func(e []int) (verdict, error) {
		found, proved, err := c.carries(ctx, e, goal(r))
		if found < r && proved >= r {
			sure = false
			return undecided, err
		}
		return judged(found >= r), err
	})
	if err != nil {
		return Allocation{}, false, err
	}
	if !ok {
		return Allocation{}, false, c.tooMany(ctx, r, s.most)
	}
	return Allocation{UnitGBs: unit, Edges: slices.Clone(e), MaxEdges: r}, sure, nil
}

// tooMany explains why r edges do not fit into the largest capacities.
func (c *Hardware) tooMany(ctx context.Context, r int, most []int) error {
	_, tree, err := c.carries(ctx, most, goal(c.Nodes()-1))
	if err != nil {
		return err
	}
	if tree < c.Nodes()-1 {
		return c.unconnected(ctx, most, tree)
	}
	found, proved, err := c.carries(ctx, most, goal(r))
	switch {
	case err != nil:
		return err
	case proved < r:
		return fmt.Errorf("%w: %d edges asked for, but the resources can carry at most %d in a connected graph; "+
			"ask for at most that many", ErrInfeasible, r, proved)
	}
	return fmt.Errorf("%w: %d edges asked for; the largest connected graph found within the caps has %d, "+
		"and no graph has more than %d",
		ErrUndecided, r, found, proved)
}

// Budgets returns one allocation per unit bandwidth that lets more edges fit than the
// next larger one, fastest edges first, at most limit of them: the budgets worth solving for. Errors are those of
// Allocate for the smallest budget, n−1 edges.
func (c *Hardware) Budgets(ctx context.Context, limit int) ([]Allocation, error) {
	if c.Spec().Edges != nil {
		return c.statedBudget(ctx)
	}
	var budgets []Allocation
	s := shares{c.bandwidths(), c.Most()}
	exact := true // no budget so far could have had more edges
	for r, top := c.Nodes()-1, math.Inf(1); len(budgets) < limit && top > 0; {
		a, sure, err := c.allocate(ctx, r, top)
		if len(budgets) > 0 && NoGraph(err) {
			break
		}
		if err != nil {
			return nil, err
		}
		found, proved, err := c.Carries(ctx, a.Edges)
		if err != nil {
			return nil, err
		}
		a.MaxEdges = max(found, r)
		budgets = append(budgets, a)
		if exact && sure { // then Allocate would find the same
			c.allocated.Store(a.MaxEdges, Allocation{a.UnitGBs, slices.Clone(a.Edges), a.MaxEdges})
		}
		exact = exact && found == proved
		r, top = a.MaxEdges+1, s.below(a.Edges)
	}
	return budgets, nil
}

// stated is the allocation that the description states, if a connected graph keeps it. It is the same for every r: a
// plan may have fewer edges, so r may also be more than the resources carry.
func (c *Hardware) stated(ctx context.Context, r int) (Allocation, error) {
	e, least := c.Spec().Edges, c.Nodes()-1
	found, _, err := c.carries(ctx, e, goal(least))
	if err != nil {
		return Allocation{}, err
	}
	if found < least {
		return Allocation{}, c.tooMany(ctx, least, e)
	}
	return Allocation{UnitGBs: shares{c.bandwidths(), e}.slowest(e), Edges: slices.Clone(e), MaxEdges: r}, nil
}

// statedBudget is the only budget of a cluster that states its edges.
func (c *Hardware) statedBudget(ctx context.Context) ([]Allocation, error) {
	a, err := c.stated(ctx, c.Nodes()-1)
	if err != nil {
		return nil, err
	}
	found, _, err := c.Carries(ctx, a.Edges)
	a.MaxEdges = max(found, a.MaxEdges)
	return []Allocation{a}, err
}
