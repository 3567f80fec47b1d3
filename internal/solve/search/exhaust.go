package search

import (
	"context"
	"fmt"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// ExhaustiveNodes is the largest number of nodes, all alike, for which all graphs can be looked at.
const ExhaustiveNodes = 8

// Exhaust finds the optimum of a small problem by looking at every connected graph within its limits; where nodes are
// all alike, at one of each isomorphism class. Graphs to which an edge could be added are left out, since a weight of 0
// is allowed; most of the others are refused after a few steps by the dual bound of their weights. The candidate's Stop
// is [design.Exhausted], which makes its value a proved optimum (to the accuracy of the weights, 1e-9).
func Exhaust(ctx context.Context, p Problem, progress func(design.Progress)) (*Solution, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if !p.enumerable() {
		return nil, fmt.Errorf("search: Exhaust looks at graphs of up to %d nodes that are all alike, "+
			"or at choices of up to %d edges; use Run for others", ExhaustiveNodes, fewCandidates)
	}
	if !p.uniform() {
		return enumerate(ctx, p, progress)
	}
	started := time.Now()
	graphs := allGraphs(p.Nodes, p.budget(), p.degree(0))
	c := &census{problem: p, frame: degreeFrame(p, 1)}
	for i, g := range graphs {
		if ctx.Err() != nil {
			break
		}
		if !g.connected() || g.extensible(p.budget(), p.degree(0)) {
			continue
		}
		if err := c.look(ctx, g.arcs()); err != nil {
			return nil, err
		}
		if progress != nil && i%64 == 0 {
			progress(c.progress(i, len(graphs), started))
		}
	}
	return c.finish(ctx)
}

// A census looks at one graph after the other and keeps the best.
type census struct {
	problem Problem
	frame   *frame
	best    *Solution
	looked  int
}

// look finds the weights of one graph.
func (c *census) look(ctx context.Context, arcs []topology.Arc) error {
	p := c.problem
	c.looked++
	s := weights.Settings{Sign: p.Sign, MinEigenvalue: p.MinEigenvalue, NoCertificate: true}
	if c.best != nil {
		s.Cutoff = c.best.Value(p)
	}
	result, err := solveGraph(ctx, c.frame, arcs, s)
	if err != nil {
		return fmt.Errorf("search: graph %v: %w", arcs, err)
	}
	if result.Stop == design.Rejected {
		return nil
	}
	found := newCandidate(c.frame, arcs, result)
	if c.best == nil || found.Value(p) < c.best.Value(p) {
		c.best = found
	}
	return nil
}

func (c *census) progress(i, limit int, started time.Time) design.Progress {
	now := design.Progress{Phase: design.Searching, Done: i, Total: limit, Elapsed: time.Since(started)}
	if c.best != nil {
		now.Feasible, now.Best, now.Graph, now.Weights = true, c.best.Value(c.problem), c.best.Graph, c.best.Weights
	}
	return now
}

// finish polishes the best of all graphs that were looked at.
func (c *census) finish(ctx context.Context) (*Solution, error) {
	best := c.best
	if best == nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, ErrNothing
	}
	best.Evaluations = c.looked
	best.Stop = design.Exhausted
	if ctx.Err() != nil {
		best.Stop = design.Interrupted
		return best, nil
	}
	best, err := Polish(ctx, c.problem, best)
	if err != nil {
		return nil, err
	}
	best.Method = "enumeration"
	return best, nil
}

func (g smallGraph) arcs() []topology.Arc {
	var out []topology.Arc
	for i := range g.n {
		for j := range i {
			if g.row[i]>>j&1 == 1 {
				out = append(out, topology.Arc{A: j, B: i})
			}
		}
	}
	return out
}
