package cluster

import (
	"context"
	"errors"
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

// ErrInfeasible means that what was asked for is proved to be impossible on this hardware.
var ErrInfeasible = errors.New("cluster: impossible on this hardware")

// ErrUndecided means that no graph was found that keeps to what the hardware carries, and no proof that there is none.
var ErrUndecided = errors.New("cluster: not known to be possible on this hardware")

// Most returns the cap of every resource: its hardware cap or the number of
// candidate edges that could use it, whichever is less. This is ē of Algorithm 1.
func (c *Cluster) Most() []int {
	most := c.uncapped()
	for l, r := range c.resources {
		if r.MaxEdges > 0 {
			most[l] = min(most[l], r.MaxEdges)
		}
	}
	return most
}

// uncapped counts the candidate edges that could use each resource.
func (c *Cluster) uncapped() []int {
	most := make([]int, len(c.resources))
	if c.perNode {
		for l := range most {
			most[l] = c.nodes - 1
		}
	} else {
		for _, l := range c.routes().over {
			most[l]++
		}
	}
	return most
}

func (c *Cluster) bandwidths() []float64 {
	b := make([]float64, len(c.resources))
	for l, r := range c.resources {
		b[l] = r.GBs
	}
	return b
}

// Carries returns how many edges a connected graph can have in which resource l carries at most e[l]. Found is the
// most that was found, 0 where none was; no graph has more than proved, so none is connected where that is below
// n−1. They are equal, so exact, where every pair loads just its two nodes, for up to 15 candidate edges, and wherever
// a proof was found.
func (c *Cluster) Carries(ctx context.Context, e []int) (found, proved int, err error) {
	return c.carries(ctx, e, everything)
}

// carries is Carries for those who only ask whether as many edges as wanted are possible: it stops once that is
// decided.
func (c *Cluster) carries(ctx context.Context, e []int, wanted goal) (found, proved int, err error) {
	if c.perNode {
		nodes := make([]int, c.nodes) // by degree
		for _, degree := range e {
			nodes[max(0, min(degree, c.nodes-1))]++
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
//
// That such a graph fits at the unit bandwidth returned is certain. That none fits at a larger one is proved where
// Carries is exact. The error is ErrInfeasible where it is proved that none fits at all, else ErrUndecided.
func (c *Cluster) Allocate(ctx context.Context, r int) (Allocation, error) {
	if r < c.nodes-1 {
		return Allocation{}, fmt.Errorf("%w: %d edges cannot connect %d nodes; at least %d are needed", ErrInfeasible, r,
			c.nodes, c.nodes-1)
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
func (c *Cluster) allocate(ctx context.Context, r int, top float64) (a Allocation, sure bool, err error) {
	if c.spec.Edges != nil {
		a, err = c.stated(ctx, r)
		return a, false, err
	}
	if c.perNode {
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
func (c *Cluster) tooMany(ctx context.Context, r int, most []int) error {
	_, tree, err := c.carries(ctx, most, goal(c.nodes-1))
	if err != nil {
		return err
	}
	if tree < c.nodes-1 {
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
func (c *Cluster) Budgets(ctx context.Context, limit int) ([]Allocation, error) {
	if c.spec.Edges != nil {
		return c.statedBudget(ctx)
	}
	var budgets []Allocation
	s := shares{c.bandwidths(), c.Most()}
	exact := true // no budget so far could have had more edges
	for r, top := c.nodes-1, math.Inf(1); len(budgets) < limit && top > 0; {
		a, sure, err := c.allocate(ctx, r, top)
		if len(budgets) > 0 && (errors.Is(err, ErrInfeasible) || errors.Is(err, ErrUndecided)) {
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
