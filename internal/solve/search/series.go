package search

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
)

const (
	// seriesStep is how much shorter each search of a series is than the one after it. The shorter ones take a sixth of
	// the time, and up to 128 nodes the default is next to the 100 million evaluations of long searches.
	seriesStep  = 0.15
	leastSearch = 1000 // evaluations worth a search of their own
	mostAlone   = 1e6  // evaluations for one kind of graphs by itself
)

// series runs searches of more and more evaluations, p as the last, and returns the best candidate of all. Every number
// of evaluations is divided differently among rounds and tasks: a longer search is another walk and may end worse than
// a shorter one. With the same seed 1/seriesStep times as many evaluations never end worse here, since the series with
// fewer is part of it. And as long as that is cheap, neither of the two kinds of graphs by itself is better than both.
func (p *Portfolio) series(ctx context.Context, s Settings) (*Solution, error) {
	searches, err := p.alone(ctx, s)
	if err != nil {
		return nil, err
	}
	searches = append(p.lengths(), searches...)
	total := 0
	for _, f := range searches {
		total += f.total
	}
	slices.Reverse(searches)
	b := newBoard(s.Progress, total)
	var best *Solution
	for _, f := range searches {
		c, err := f.run(ctx, s, b)
		switch {
		case err == nil:
			// Equal values nearly always belong to the same graph in other words: the one of the longer search is taken.
			if best == nil || c.Value(p.problem) <= best.Value(p.problem)+design.WeightsAccuracy {
				best = c
			}
		case ctx.Err() == nil && !errors.Is(err, ErrNothing), best == nil && f == p:
			return nil, err
		}
		if best != nil && s.reached(best.Value(p.problem)) {
			break
		}
		if ctx.Err() != nil && best != nil {
			best.Stop = design.Interrupted
			break
		}
	}
	return best, nil
}

// lengths returns the search, and those of fewer and fewer evaluations.
func (p *Portfolio) lengths() []*Portfolio {
	all := []*Portfolio{p}
	for n := shorter(p.asked); n >= leastSearch; n = shorter(n) {
		all = append(all, p.restarted(n))
	}
	return all
}

// alone returns the searches of symmetric graphs only, of those without symmetry, and of those whose nodes all have as
// many neighbours as the least of them may have: edges more at some nodes can end a symmetry that is worth more.
func (p *Portfolio) alone(ctx context.Context, s Settings) (all []*Portfolio, err error) {
	if p.problem.Symmetry != AnySymmetry || p.problem.Nodes > mostFree {
		return nil, nil
	}
	kinds := []Problem{p.problem, p.problem}
	kinds[0].Symmetry, kinds[1].Symmetry = OnlyLifts, OnlyFree
	if q, ok := p.problem.regular(); ok {
		kinds = append(kinds, q)
	}
	for _, q := range kinds {
		f, err := newPortfolio(ctx, q, s.Seed, min(p.asked, mostAlone), nil)
		switch {
		case err == nil:
			f.starts = p.starts
			all = append(all, f.lengths()...)
		case !errors.Is(err, ErrNothing):
			return nil, err
		}
	}
	return all, nil
}

func shorter(evaluations int) int { return int(math.Round(seriesStep * float64(evaluations))) }
