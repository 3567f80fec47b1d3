// Package consensus simulates averaging: every node starts with a number of its own,
// each round replaces it by the weighted mean over its neighbours, and the
// consensus error that is left is recorded over rounds and over time.
//
// Rounds cost O(n + edges) per trial and allocate nothing.
package consensus

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/workers"
	"github.com/batopo/batopo/mixing"
)

// Settings of a simulation. Zero values mean the documented default.
type Settings struct {
	Trials    int       // independent starts; 0 means 20
	Seed      uint64    // of the Gaussian starts; trial t uses PCG(Seed, t)
	Start     []float64 // a start of one's own instead; makes Trials 1
	MaxRounds int       // 0 means 1000
	Target    float64   // stop once the root mean square error is at most this; 0 means never
	Workers   int       // trials that run at the same time; 0 means as many as there are cores. Results are the same.
	Progress  func(round int, rms float64)
}

// An Error is the consensus error ‖x − x̄‖₂ after a number of rounds.
type Error struct {
	Round    int     `json:"round"`
	TimeMS   float64 `json:"time_ms"`    // 0 where the schedule has no prices
	Mean     float64 `json:"error_mean"` // over trials
	Max      float64 `json:"error_max"`
	RMS      float64 `json:"error_rms"`
	Relative float64 `json:"relative"` // RMS over its value at the start
}

// A Result is the error of every round, the start included as round 0.
type Result struct {
	Errors   []Error
	Trials   int
	Reached  bool // the target was met in the last round listed
	Diverged bool // the error grew beyond all numbers; the last round listed is the last that has one
	Complete bool // false when the simulation was cancelled
}

// chunk is how many rounds run between looks at target and context at most, and chunkWork for about how many products.
const (
	chunk     = 16
	chunkWork = 1 << 25
)

// Simulate runs the schedule from Settings.Trials starts. A cancelled context ends it early with
// what has been computed.
func Simulate(ctx context.Context, w *mixing.Schedule, s Settings) (*Result, error) {
	if s.Trials == 0 {
		s.Trials = 20
	}
	if s.MaxRounds == 0 {
		s.MaxRounds = 1000
	}
	if err := check(w, s); err != nil {
		return nil, err
	}
	if s.Start != nil {
		s.Trials = 1
	}
	trials := make([]*trial, s.Trials)
	workers.Each(s.Workers, len(trials), func(t int) { trials[t] = newTrial(w, s, t) })
	result := &Result{Trials: s.Trials, Complete: true}
	result.add(trials, 0, 0)
	clock := 0.0
	for done := 0; done < s.MaxRounds && !result.Reached && !result.Diverged; {
		if ctx.Err() != nil {
			result.Complete = false
			break
		}
		count := min(chunkOf(w, s.Trials), s.MaxRounds-done)
		workers.Each(s.Workers, len(trials), func(t int) { trials[t].run(count) })
		for k := range count {
			if w.RoundMS != nil {
				clock += w.RoundMS[(done+k)%len(w.Rounds)]
			}
			rms := result.add(trials, k+1, clock)
			result.Reached = s.Target > 0 && rms <= s.Target
			if result.Diverged = math.IsInf(rms, 1) || math.IsNaN(rms); result.Diverged {
				result.Errors = result.Errors[:len(result.Errors)-1]
			}
			if result.Reached || result.Diverged {
				break
			}
		}
		done += count
		if s.Progress != nil {
			s.Progress(done, result.Errors[len(result.Errors)-1].RMS)
		}
	}
	return result, nil
}

// chunkOf returns how many rounds of all trials are a small piece of work.
func chunkOf(w *mixing.Schedule, trials int) int {
	arcs := 0
	for _, m := range w.Rounds {
		arcs = max(arcs, m.Nodes()+m.Arcs())
	}
	return max(1, min(chunk, chunkWork/arcs/trials))
}

func check(w *mixing.Schedule, s Settings) error {
	switch {
	case len(w.Rounds) == 0 || w.RoundMS != nil && len(w.Rounds) != len(w.RoundMS):
		return fmt.Errorf("consensus: %d rounds with %d round times; give at least one round, and a time for each or none",
			len(w.Rounds), len(w.RoundMS))
	case s.Trials < 1 || s.Trials > limits.Trials:
		return fmt.Errorf("consensus: %d trials; there must be 1 to %d", s.Trials, limits.Trials)
	case s.Start == nil && s.Trials > limits.TrialValues/w.Nodes():
		return fmt.Errorf("consensus: %d trials of %d nodes; with that many nodes there may be %d",
			s.Trials, w.Nodes(), limits.TrialValues/w.Nodes())
	case s.Workers < 0:
		return fmt.Errorf("consensus: %d workers; there must be at least 1, or 0 for all cores", s.Workers)
	case s.MaxRounds < 1 || s.MaxRounds > limits.Rounds:
		return fmt.Errorf("consensus: %d rounds; there must be 1 to %d", s.MaxRounds, limits.Rounds)
	case !(s.Target >= 0) || math.IsInf(s.Target, 0):
		return fmt.Errorf("consensus: target is %v; it must be a finite number that is not negative", s.Target)
	case s.Start != nil && len(s.Start) != w.Nodes():
		return fmt.Errorf("consensus: the start has %d values for %d nodes", len(s.Start), w.Nodes())
	}
	for _, v := range s.Start {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("consensus: the start holds a value that is not a finite number")
		}
	}
	return nil
}

// add appends the error of round k of the current chunk, over all trials in order.
func (r *Result) add(trials []*trial, k int, clock float64) (rms float64) {
	e := Error{Round: len(r.Errors), TimeMS: clock}
	squares := 0.0
	for _, t := range trials {
		e.Mean += t.errors[k]
		e.Max = max(e.Max, t.errors[k])
		squares += t.errors[k] * t.errors[k]
	}
	e.Mean /= float64(len(trials))
	e.RMS = math.Sqrt(squares / float64(len(trials)))
	e.Relative = 1
	if len(r.Errors) > 0 {
		e.Relative = 0
		if r.Errors[0].RMS > 0 {
			e.Relative = e.RMS / r.Errors[0].RMS
		}
	}
	r.Errors = append(r.Errors, e)
	return e.RMS
}
