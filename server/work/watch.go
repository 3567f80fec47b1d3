package work

import (
	"sync"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/server/jobs"
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
}

// A Find is a plan that a search has just found.
type Find struct {
	Edges  int      `json:"edges"`
	RAsym  float64  `json:"r_asym"`
	Bound  *float64 `json:"bound"`
	TimeMS float64  `json:"time_ms"`
	Graph  *Sketch  `json:"graph"`
}

// watch tells the feed how a search goes: "step" is the latest, "improved" is kept whenever a value gets better or a
// new budget begins, "found" holds every plan that a sweep takes.
func watch(feed *jobs.Feed, c *cluster.Cluster, s *planner.Settings) {
	var mutex sync.Mutex
	last := Step{Budget: -1}
	s.Progress = func(p design.Progress) {
		now := stepOf(p)
		feed.Latest("step", now)
		mutex.Lock()
		defer mutex.Unlock()
		if now.Best != nil && (now.Budget != last.Budget || last.Best == nil || *now.Best < *last.Best) {
			last = now
			feed.Keep("improved", now)
		}
	}
	s.Found = func(p *design.Plan) {
		find := Find{Edges: len(p.Edges()), RAsym: p.RAsym, TimeMS: p.TimeMS, Graph: sketch(c, p)}
		if p.Bound != nil {
			find.Bound = &p.Bound.RAsym
		}
		feed.Keep("found", find)
	}
}

func stepOf(p design.Progress) Step {
	s := Step{Budget: p.Budget, Budgets: p.Budgets, Phase: p.Phase, Done: p.Done, Total: p.Total,
		ElapsedMS: p.Elapsed.Milliseconds()}
	if p.Feasible {
		s.Best = &p.Best
	}
	if p.Bound > 0 {
		s.Bound = &p.Bound
	}
	return s
}
