package replan

import (
	"context"
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/topology"
)

// Settings say when a change is worth it. The zero value asks for the defaults.
type Settings struct {
	Seed      uint64
	Changes   float64 // the share of the edges that may change, counting dropped and added ones; 0 means 0.2
	Gain      float64 // the least share of the predicted time that a change must save; 0 means 0.05
	SwitchMS  float64 // what a change costs once: connections, and a round in which some wait
	HorizonMS float64 // how long things are expected to stay as they are now; 0 means ten minutes
}

func (s Settings) withDefaults() Settings {
	if s.Changes == 0 {
		s.Changes = 0.2
	}
	if s.Gain == 0 {
		s.Gain = 0.05
	}
	if s.HorizonMS == 0 {
		s.HorizonMS = 10 * 60 * 1000
	}
	return s
}

func (s Settings) validate() error {
	switch {
	case !(s.Changes >= 0 && s.Changes <= 1):
		return fmt.Errorf("replan: changes is %v; it is a share of the edges, between 0 and 1", s.Changes)
	case !(s.Gain >= 0 && s.Gain < 1):
		return fmt.Errorf("replan: gain is %v; it must be at least 0 and below 1", s.Gain)
	case !(s.SwitchMS >= 0) || math.IsInf(s.SwitchMS, 1) || !(s.HorizonMS >= 0) || math.IsInf(s.HorizonMS, 1):
		return fmt.Errorf("replan: a switch takes %v ms, the horizon is %v ms; both must be at least 0",
			s.SwitchMS, s.HorizonMS)
	}
	return nil
}

// An Answer is the running plan as it is now, and what is better.
type Answer struct {
	Keep    bool
	Why     string
	Now     *design.Plan    // the running plan, priced on the new cluster
	New     *design.Plan    // the best change that was found; nil where there is none
	Dropped []topology.Edge // from Now to New
	Added   []topology.Edge
	// Score is what is compared: the time to the target, or in training the time of an iteration per effective
	// neighbour.
	ScoreNow, ScoreNew float64
	// IterationNow and IterationNew are the times of an iteration of training, in milliseconds, with the plan's every and
	// overlap.
	IterationNow, IterationNew float64
}

// Decide prices a running plan on the cluster as it is now and looks for a better one close to it.
func Decide(ctx context.Context, running *design.Plan, now *cluster.Cluster, s Settings) (*Answer, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	s = s.withDefaults()
	if running.Nodes != now.Nodes() {
		return nil, fmt.Errorf("replan: the plan has %d nodes, the cluster %d; plan again", running.Nodes, now.Nodes())
	}
	if running.Trainable() != nil || running.Plain() != nil || !running.Static() || running.Directed {
		return nil, otherKind(running, now)
	}
	w, err := running.Matrices()
	if err != nil {
		return nil, err
	}
	a := &Answer{Keep: true}
	if a.Now, err = sweep.Describe(ctx, now, w[0]); err != nil {
		return nil, fmt.Errorf("replan: the plan cannot run on the cluster as it is now: %w", err)
	}
	problem := question(running, now)
	a.Now.Purpose, a.Now.MinEigenvalue, a.Now.Sign = problem.Purpose, problem.MinEigenvalue, problem.Sign
	a.Now.Method, a.Now.Every, a.Now.Order, a.Now.Overlap = running.Method, running.Every, running.Order, running.Overlap
	a.Now.Hash = running.Hash
	if a.ScoreNow, a.IterationNow, err = score(ctx, a.Now, now); err != nil {
		return nil, err
	}
	if err := a.improve(ctx, problem, s); err != nil {
		return nil, err
	}
	a.decide(s)
	return a, nil
}

// question is what the running plan answered, asked of the new cluster.
func question(p *design.Plan, now *cluster.Cluster) design.Problem {
	return design.Problem{Cluster: now, MaxEdges: now.CandidateCount(), MaxDegree: p.DegreeLimit, Objective: design.Time,
		Purpose: p.Purpose, Sign: p.Sign, MinEigenvalue: p.MinEigenvalue}
}

// trains reports whether a plan is compared by training: it was made for that, or it says how training uses it.
func trains(p *design.Plan) bool { return p.Purpose == design.Training || p.Every > 1 || p.Overlap }

// score is the number that the sweep ranks plans by, with the time of an iteration on a cluster.
func score(ctx context.Context, p *design.Plan, c *cluster.Cluster) (value, iterationMS float64, err error) {
	if iterationMS, err = p.IterationMS(c); err != nil {
		return 0, 0, err
	}
	if !trains(p) {
		if p.Iterations == 0 {
			return math.Inf(1), iterationMS, nil
		}
		return p.TimeMS, iterationMS, nil
	}
	w, err := p.Matrices()
	if err != nil {
		return 0, 0, err
	}
	spectrum, err := w[0].Spectrum(ctx)
	if err != nil {
		return 0, 0, err
	}
	neighbors, ok := spectrum.EffectiveNeighbors(sweep.NoiseDecay)
	if !ok {
		return 0, 0, fmt.Errorf("replan: not all eigenvalues of %d nodes are known, which training is compared by", p.Nodes)
	}
	return iterationMS / neighbors, iterationMS, nil
}

// decide compares what a change saves with what it costs.
func (a *Answer) decide(s Settings) {
	switch {
	case a.New == nil:
		a.Why = "no change within the limits is faster"
		return
	case math.IsInf(a.ScoreNow, 1):
		a.Keep, a.Why = false, "the running plan never reaches the target"
		return
	}
	saved := 1 - a.ScoreNew/a.ScoreNow
	switch {
	case saved < s.Gain:
		a.Why = fmt.Sprintf("a change would save %.1f %%, less than the %.1f %% that are worth one", 100*saved, 100*s.Gain)
	case saved*s.HorizonMS <= s.SwitchMS:
		a.Why = fmt.Sprintf("a change would save %.0f ms in the time ahead and cost %.0f ms", saved*s.HorizonMS, s.SwitchMS)
	default:
		a.Keep = false
		a.Why = fmt.Sprintf("saves %.1f %%", 100*saved)
	}
}
