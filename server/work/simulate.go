package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/consensus"
	"github.com/batopo/batopo/internal/outfile"
	"github.com/batopo/batopo/present"
	"github.com/batopo/batopo/server/jobs"
)

// A SimulateRequest asks for the consensus error of plans over rounds and time.
type SimulateRequest struct {
	Plans     []NamedPlan `json:"plans"`
	Trials    int         `json:"trials,omitempty"` // 0 means 20
	Seed      uint64      `json:"seed,omitempty"`   // 0 means 1
	MaxRounds int         `json:"max_rounds,omitempty"`
	Target    *float64    `json:"target_error,omitempty"` // nil means that of the plans
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
	if r.Trials < 0 || r.Trials > mostTrials || r.MaxRounds < 0 || r.MaxRounds > mostRounds {
		return "", fmt.Errorf("trials is %d and max_rounds %d; they may be up to %d and %d",
			r.Trials, r.MaxRounds, mostTrials, mostRounds)
	}
	if r.Target != nil && !(*r.Target >= 0) {
		return "", fmt.Errorf("target_error is %v; it must not be negative", *r.Target)
	}
	if len(r.Plans) == 0 {
		return "", errors.New("plans is empty; give at least one plan")
	}
	if n, rounds := len(r.Plans), r.rounds(); n*rounds > mostInAll {
		return "", fmt.Errorf("%d plans of up to %d rounds each are %d rounds; they may be up to %d in all: "+
			"give fewer plans, or max_rounds up to %d", n, rounds, n*rounds, mostInAll, mostInAll/n)
	}
	if _, err := l.readPlans(r.Plans); err != nil {
		return "", err
	}
	return "simulation of " + present.Count(len(r.Plans), "plan"), nil
}

// rounds is how many one plan may take.
func (r *SimulateRequest) rounds() int { return cmp.Or(r.MaxRounds, mostRounds) }

func (r *SimulateRequest) run(ctx context.Context, l Limits, feed *jobs.Feed) ([]outfile.File, error) {
	plans, err := l.readPlans(r.Plans)
	if err != nil {
		return nil, err
	}
	var answer SimulateAnswer
	for k, p := range plans {
		w, err := p.Averages()
		if err != nil {
			return nil, err
		}
		s := consensus.Settings{Trials: r.Trials, Seed: cmp.Or(r.Seed, 1), MaxRounds: r.rounds(),
			Target: p.TargetError}
		if r.Target != nil {
			s.Target = *r.Target
		}
		result, err := consensus.Simulate(ctx, w, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Plans[k].Name, err)
		}
		done, err := present.NewSimulation(r.Plans[k].Name, p, s, result)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Plans[k].Name, err)
		}
		answer.Simulations = append(answer.Simulations, done)
		if !result.Complete {
			break // what was simulated is shown
		}
	}
	return written([]outfile.File{jsonFile(ResultFile, answer)})
}
