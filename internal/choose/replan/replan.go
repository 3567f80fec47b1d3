package replan

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/topology"
)

// Settings say when a change is worth it. The zero value asks for the defaults.
type Settings struct {
	Seed        uint64
	Evaluations int     // schedules priced in every search; 0 means 20 000
	Changes     float64 // of a static graph: the share of edges that may be dropped or added; 0 means 0.2
	Gain        float64 // the least share of the predicted time that a change must save; 0 means 0.05
	SwitchMS    float64 // what a change costs once: connections, and a round in which some wait
	HorizonMS   float64 // how long things are expected to stay as they are now; 0 means ten minutes

	filled bool // the defaults are there: a 0 means 0
}

// WithDefaults fills in what is not said. After that a 0 means 0.
func (s Settings) WithDefaults() Settings {
	if s.filled {
		return s
	}
	s.filled = true
	s.Evaluations = cmp.Or(s.Evaluations, 20_000)
	s.Changes = cmp.Or(s.Changes, 0.2)
	s.Gain = cmp.Or(s.Gain, 0.05)
	s.HorizonMS = cmp.Or(s.HorizonMS, 10*60*1000)
	return s
}

func (s Settings) validate() error {
	switch {
	case s.Evaluations < 1:
		return fmt.Errorf("replan: evaluations is %d; a search prices at least 1 schedule", s.Evaluations)
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

// An Answer is the running plan, priced now, and what is better.
type Answer struct {
	Keep    bool
	Why     string
	Now     *design.Plan    // the running plan, priced on the new cluster
	New     *design.Plan    // the best change that was found; nil where there is none
	Dropped []topology.Edge // links of Now that New does not use
	Added   []topology.Edge // links that only New uses
	// Score is what is compared: the time to the target; in training the time of an iteration, of static graphs per
	// effective neighbour.
	ScoreNow, ScoreNew float64
	// IterationNow and IterationNew are the times of an iteration of training, in milliseconds, with the plan's clocks.
	IterationNow, IterationNew float64
}

// Decide prices a running plan on the cluster of this moment and looks for a better one of its kind.
func Decide(ctx context.Context, running *design.Plan, now *cluster.Cluster, s Settings) (*Answer, error) {
	s = s.WithDefaults()
	if err := s.validate(); err != nil {
		return nil, err
	}
	if running.Nodes != now.Nodes() {
		return nil, fmt.Errorf("replan: the plan has %d nodes, the cluster %d; plan again", running.Nodes, now.Nodes())
	}
	if err := changeable(running, now); err != nil {
		return nil, err
	}
	a := &Answer{Keep: true}
	var err error
	if a.Now, err = running.On(ctx, now); err != nil {
		return nil, fmt.Errorf("replan: the plan cannot run on the cluster as it is now: %w", err)
	}
	use(a.Now, running)
	a.Now.Sign, a.Now.Method, a.Now.Hash = running.Sign, running.Method, running.Hash
	if a.ScoreNow, a.IterationNow, err = score(ctx, a.Now, now); err != nil {
		return nil, err
	}
	if err := a.improve(ctx, now, s); err != nil {
		return nil, err
	}
	a.decide(s)
	return a, nil
}

// improve takes the best of the alternatives, used as the running plan is.
func (a *Answer) improve(ctx context.Context, now *cluster.Cluster, s Settings) error {
	sent, err := now.WithMessage(now.Model().MessageMB * a.Now.MessageShare())
	if err != nil {
		return err
	}
	plans, err := alternatives(ctx, a.Now, sent, s)
	if err != nil {
		return err
	}
	for _, p := range plans {
		if p, err = a.used(ctx, p, now); err != nil {
			return err
		}
		if !a.mixes(p) {
			continue
		}
		value, ms, err := score(ctx, p, now)
		if err != nil {
			return err
		}
		if value < a.ScoreNow && (a.New == nil || value < a.ScoreNew) {
			a.New, a.ScoreNew, a.IterationNew = p, value, ms
		}
	}
	if a.New != nil {
		a.Dropped, a.Added = difference(a.Now, a.New), difference(a.New, a.Now)
	}
	return nil
}

// used is an alternative with the clocks of the running plan. Where the backend averages for the running plan, the
// alternative is run by this project's package.
func (a *Answer) used(ctx context.Context, p *design.Plan, now *cluster.Cluster) (*design.Plan, error) {
	seed := p.Seed
	use(p, a.Now)
	if a.Now.HasClocks() {
		p.Clocks, p.Inside = a.Now.Clocks, a.Now.Inside
		p.Library = false
		var err error
		if p, err = p.On(ctx, now); err != nil {
			return nil, err
		}
		use(p, a.Now)
	}
	p.Method, p.Seed = "replan", seed
	p.Seal()
	return p, nil
}

// mixes reports whether training sees no worse an average after the change. Static graphs are compared by their score,
// which says how well they average; others have to agree in as few rounds as the running plan.
func (a *Answer) mixes(p *design.Plan) bool {
	if !trains(a.Now) || graph(a.Now) {
		return true
	}
	return p.Iterations > 0 && (p.Iterations <= a.Now.Iterations || a.Now.Iterations == 0)
}

// trains reports whether a plan is compared by training: it was made for that, or it says how training uses it.
func trains(p *design.Plan) bool {
	return p.Purpose == design.Training || p.Every > 1 || p.Overlap || p.HasClocks()
}

// score is what plans are compared by, with the time of an iteration on a cluster.
func score(ctx context.Context, p *design.Plan, c *cluster.Cluster) (value, iterationMS float64, err error) {
	if iterationMS, err = p.IterationMS(c); err != nil {
		return 0, 0, err
	}
	switch {
	case !trains(p) && p.Iterations == 0:
		return math.Inf(1), iterationMS, nil
	case !trains(p):
		return p.TimeMS, iterationMS, nil
	case !graph(p):
		return iterationMS, iterationMS, nil
	}
	averages, err := p.Averages()
	if err != nil {
		return 0, 0, err
	}
	spectrum, err := averages.Rounds[0].Spectrum(ctx)
	if err != nil {
		return 0, 0, err
	}
	neighbors, ok := spectrum.EffectiveNeighbors(sweep.NoiseDecay)
	if !ok {
		return 0, 0, fmt.Errorf("replan: not all eigenvalues of %d nodes are known, which training is compared by", p.Nodes)
	}
	return iterationMS / neighbors, iterationMS, nil
}

// Links are the pairs that exchange anything in a period of a plan.
func Links(p *design.Plan) []topology.Edge {
	seen := map[topology.Edge]bool{}
	add := func(i, j int) { seen[topology.Edge{I: min(i, j), J: max(i, j)}] = true }
	if p.InSteps() {
		steps, err := p.Steps()
		if err != nil {
			return nil // of a plan that was priced there are steps
		}
		for _, a := range steps {
			for k := range a.Steps {
				for _, t := range a.At(k) {
					add(t.From, t.To)
				}
			}
		}
	} else {
		for _, r := range p.Rounds {
			for _, e := range r.Edges {
				add(e.I, e.J)
			}
		}
	}
	return slices.SortedFunc(maps.Keys(seen), topology.Edge.Compare)
}

// difference lists the links of one plan that another does not use.
func difference(p, other *design.Plan) []topology.Edge {
	used := Links(other)
	return slices.DeleteFunc(Links(p), func(e topology.Edge) bool { return slices.Contains(used, e) })
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
