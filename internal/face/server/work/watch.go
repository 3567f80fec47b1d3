package work

import (
	"sync"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/jobs"
)

// A Step is how far a search is.
type Step struct {
	Budget    int          `json:"budget,omitempty"` // which of how many, from 1
	Budgets   int          `json:"budgets,omitempty"`
	Phase     design.Phase `json:"phase"`
	Done      int          `json:"done"`
	Total     int          `json:"total"`
	Best      *float64     `json:"best"`  // r_asym of the best graph of this budget so far
	Bound     *float64     `json:"bound"` // which no graph of this budget beats
	ElapsedMS int64        `json:"elapsed_ms"`
	Iteration *design.Step `json:"iteration,omitempty"` // the latest of Algorithm 2, where a trace is asked for
}

// A Find is a plan that a search has just found.
type Find struct {
	Edges  int      `json:"edges"`
	RAsym  float64  `json:"r_asym"`
	Bound  *float64 `json:"bound"`
	TimeMS float64  `json:"time_ms"`
}

// A watcher tells a feed how a search goes: "step" is the latest, "improved" is kept whenever a value gets better or a
// new budget begins, "found" holds every plan that a sweep takes.
type watcher struct {
	feed  *jobs.Feed
	mutex sync.Mutex
	last  Step
}

// watch lets the feed follow a search.
func watch(feed *jobs.Feed, o *batopo.Options) {
	w := &watcher{feed: feed, last: Step{Budget: -1}}
	o.Progress, o.Found = w.progress, w.found
}

func (w *watcher) progress(p design.Progress) {
	now := stepOf(p)
	w.feed.Latest("step", now)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if now.Best != nil && (now.Budget != w.last.Budget || w.last.Best == nil || *now.Best < *w.last.Best) {
		w.last = now
		w.feed.Keep("improved", now)
	}
}

func (w *watcher) found(p *design.Plan) {
	find := Find{Edges: len(p.Edges()), RAsym: p.RAsym, TimeMS: p.TimeMS}
	if p.Bound != nil {
		find.Bound = &p.Bound.RAsym
	}
	w.feed.Keep("found", find)
}

func stepOf(p design.Progress) Step {
	s := Step{Budget: p.Budget, Budgets: p.Budgets, Phase: p.Phase, Done: p.Done, Total: p.Total,
		ElapsedMS: p.Elapsed.Milliseconds(), Iteration: p.Step}
	if p.Feasible {
		s.Best = &p.Best
	}
	if p.Bound > 0 {
		s.Bound = &p.Bound
	}
	return s
}
