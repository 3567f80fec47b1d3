package search

import (
	"context"
	"fmt"
	"time"

	"batopo/design"
	"batopo/topology"
	"batopo/weights"
)

// ExhaustiveNodes is the largest number of nodes, all alike, for which all graphs can be looked at.
const ExhaustiveNodes = 8

// Exhaust finds the optimum of a small problem by looking at every connected graph within its limits; where nodes are all alike, at one
// of each isomorphism class. Graphs to which an edge could be added are
// left out, since a weight of 0 is allowed; most of the others are refused after a few steps by the dual bound of their weights. The
// candidate's Stop is [design.Exhausted], which makes its value a proved optimum (to the accuracy of the weights, 1e-9), or under
// a Target its rounds.
func Exhaust(ctx context.Context, p Problem, progress func(design.Progress)) (*Candidate, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if !p.enumerable() {
		return nil, fmt.Errorf("search: Exhaust looks at graphs of up to %d nodes that are all alike, or at choices of up to %d edges; use Run for others", ExhaustiveNodes, fewCandidates)
	}
	if !p.uniform() {
		return enumerate(ctx, p, progress)
	}
	started := time.Now()
	graphs := allGraphs(p.Nodes, p.budget(), p.degree(0))
	var best *Candidate
	f := degreeFrame(p, 1)
	evaluations := 0
	least, settled := 0, true // rounds of the best, and whether those of no other may be fewer than were found
	for i, g := range graphs {
		if ctx.Err() != nil {
			break
		}
		if !g.connected() || g.extensible(p.budget(), p.degree(0)) {
			continue
		}
		evaluations++
		s := weights.Settings{Setting: p.Setting, MinEigenvalue: p.MinEigenvalue, NoCertificate: true}
		if best != nil {
			s.Cutoff = max(best.Value(p), p.enough(least))
		}
		arcs := g.arcs()
		result, err := solveGraph(ctx, f, arcs, s)
		if err != nil {
			return nil, fmt.Errorf("search: graph %v: %w", arcs, err)
		}
		if result.Stop != design.Rejected {
			c := newCandidate(f, arcs, result)
			rounds := 0
			if p.Target > 0 {
				var proved bool
				if rounds, proved, err = p.rounds(ctx, c); err != nil {
					return nil, fmt.Errorf("search: graph %v: %w", arcs, err)
				}
				settled = settled && proved
			}
			if best == nil || rounds < least || rounds == least && c.Value(p) < best.Value(p) {
				best, least = c, rounds
			}
		}
		if progress != nil && i%64 == 0 {
			progress(design.Progress{Phase: design.Searching, Iteration: i, Limit: len(graphs), Feasible: best != nil, Best: valueOf(best, p), Elapsed: time.Since(started)})
		}
	}
	return settled(ctx, p, best, evaluations)
}

// settled finishes the best of all graphs that were looked at.
func settled(ctx context.Context, p Problem, best *Candidate, evaluations int) (*Candidate, error) {
	if best == nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, ErrNothing
	}
	best.Evaluations = evaluations
	if best.Stop = design.Exhausted; !settled {
		best.Stop = design.Stalled
	}
	if ctx.Err() != nil {
		best.Stop = design.Interrupted
		return best, nil
	}
	best, err := Polish(ctx, p, best)
	if err != nil {
		return nil, err
	}
	best.Method = "enumeration"
	return best, nil
}

func valueOf(c *Candidate, p Problem) float64 {
	if c == nil {
		return 0
	}
	return c.Value(p)
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
