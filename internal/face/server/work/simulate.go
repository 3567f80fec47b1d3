package work

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/consensus"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/present"
)

// A SimulateRequest asks for the consensus error of plans over rounds and time. The command line fills one from its
// flags. What is left out has the value of [DefaultSimulation].
type SimulateRequest struct {
	Plans     []NamedPlan `json:"plans"`
	Trials    int         `json:"trials,omitempty"`
	Seed      uint64      `json:"seed,omitempty"`
	MaxRounds int         `json:"max_rounds,omitempty"`
	Target    *float64    `json:"target_error,omitempty"` // nil means what each plan states

	Start    []float64                    `json:"-"` // one value per node, in place of Gaussian starts
	Workers  int                          `json:"-"`
	Progress func(round int, rms float64) `json:"-"`
}

// DefaultSimulation is what is simulated where nothing else is asked for.
func DefaultSimulation() SimulateRequest {
	return SimulateRequest{Trials: 20, Seed: 1, MaxRounds: 10000}
}

// Simulate runs one plan.
func (r *SimulateRequest) Simulate(
	ctx context.Context, name string, p *design.Plan,
) (out present.Simulation, result *consensus.Result, err error) {
	w, err := p.Averages()
	if err != nil {
		return out, nil, fmt.Errorf("%s: %w", name, err)
	}
	s := consensus.Settings{Trials: r.Trials, Seed: r.Seed, MaxRounds: r.MaxRounds, Start: r.Start, Workers: r.Workers,
		Target: p.TargetError, Progress: r.Progress}
	if r.Target != nil {
		s.Target = *r.Target
	}
	if result, err = consensus.Simulate(ctx, w, s); err != nil {
		return out, nil, fmt.Errorf("%s: %w", name, err)
	}
	if out, err = present.NewSimulation(name, p, s, result); err != nil {
		return out, nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, result, nil
}

// A SimulateAnswer is where every simulation went.
type SimulateAnswer struct {
	Simulations []present.Simulation `json:"simulations"`
}

// What a request may ask for, so that an answer stays one that a page can show.
const (
	mostTrials = 1000
	mostRounds = 20000
	mostInAll  = 200_000 // rounds of all plans together: the error of every round is kept
)

func (r *SimulateRequest) check(l Limits) (title string, err error) {
	if r.Trials < 1 || r.Trials > mostTrials || r.MaxRounds < 1 || r.MaxRounds > mostRounds {
		return "", fmt.Errorf("trials is %d and max_rounds %d; they may be 1 to %d and 1 to %d",
			r.Trials, r.MaxRounds, mostTrials, mostRounds)
	}
	if r.Target != nil && !(*r.Target >= 0) {
		return "", fmt.Errorf("target_error is %v; it must not be negative", *r.Target)
	}
	if len(r.Plans) == 0 {
		return "", errors.New("plans is empty; give at least one plan")
	}
	if n, rounds := len(r.Plans), r.MaxRounds; n*rounds > mostInAll {
		return "", fmt.Errorf("%d plans of up to %d rounds each are %d rounds; they may be up to %d in all: "+
			"give fewer plans, or max_rounds up to %d", n, rounds, n*rounds, mostInAll, mostInAll/n)
	}
	if _, err := l.readPlans(r.Plans); err != nil {
		return "", err
	}
	return "simulation of " + present.Count(len(r.Plans), "plan"), nil
}

func (r *SimulateRequest) run(ctx context.Context, l Limits, feed *jobs.Feed) ([]outfile.File, error) {
	plans, err := l.readPlans(r.Plans)
	if err != nil {
		return nil, err
	}
	var answer SimulateAnswer
	for k, p := range plans {
		one, result, err := r.Simulate(ctx, r.Plans[k].Name, p)
		if err != nil {
			return nil, err
		}
		answer.Simulations = append(answer.Simulations, one)
		if !result.Complete {
			break // what was simulated is shown
		}
	}
	return written([]outfile.File{jsonFile(ResultFile, answer)})
}
