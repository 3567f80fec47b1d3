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
)

// series runs searches of more and more evaluations, p as the last, and returns the best candidate of all. Every number
// of evaluations is divided differently among rounds and tasks: a longer search is another walk and may end worse than
// a shorter one. With the same seed 1/seriesStep times as many evaluations never end worse here, since the series with
// fewer is part of it.
func (p *Portfolio) series(ctx context.Context, s Settings) (*Solution, error) {
	searches, total := []*Portfolio{p}, p.total
	for n := shorter(p.asked); n >= leastSearch; n = shorter(n) {
		f := p.restarted(n)
		searches, total = append(searches, f), total+f.total
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

func shorter(evaluations int) int { return int(math.Round(seriesStep * float64(evaluations))) }
