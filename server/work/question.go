package work

import (
	"cmp"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/server/jobs"
)

// A Question is what plan and optimize are asked.
type Question struct {
	Cluster         cluster.Spec     `json:"cluster"`
	Purpose         design.Purpose   `json:"purpose,omitempty"`   // consensus (the default) or training
	Objective       design.Objective `json:"objective,omitempty"` // time or rate
	MaxEdges        int              `json:"max_edges,omitempty"` // optimize needs it
	MaxDegree       int              `json:"max_degree,omitempty"`
	NegativeWeights bool             `json:"negative_weights,omitempty"`
	MinEigenvalue   *float64         `json:"min_eigenvalue,omitempty"`
	Method          planner.Method   `json:"method,omitempty"`
	Seed            uint64           `json:"seed,omitempty"`        // 0 means 1
	Evaluations     int              `json:"evaluations,omitempty"` // 0 means some ten seconds of work
}

// problem is the question in the library's terms.
func (q *Question) problem(objective design.Objective, l Limits) (design.Problem, error) {
	c, err := l.build(q.Cluster)
	if err != nil {
		return design.Problem{}, err
	}
	p := design.Problem{
		Cluster: c, MaxEdges: q.MaxEdges, MaxDegree: q.MaxDegree, Sign: design.NonNegative, MinEigenvalue: q.MinEigenvalue,
		Purpose: cmp.Or(q.Purpose, design.Consensus), Objective: cmp.Or(q.Objective, objective),
	}
	if q.NegativeWeights {
		p.Sign = design.Free
	}
	return p.WithDefaults(), nil
}

// search is the problem to solve, and how: whoever follows the feed sees it at work.
func (q *Question) search(
	o design.Objective, l Limits, feed *jobs.Feed,
) (p design.Problem, s planner.Settings, err error) {
	if p, err = q.problem(o, l); err != nil {
		return p, s, err
	}
	s = q.settings()
	watch(feed, p.Cluster, &s)
	return p, s, nil
}

func (q *Question) settings() planner.Settings {
	return planner.Settings{Method: q.Method, Seed: cmp.Or(q.Seed, 1), Evaluations: q.Evaluations}
}

// check complains about a question before it waits in a queue, and returns the problem that it poses.
func (q *Question) check(l Limits, edges bool) (p design.Problem, err error) {
	switch {
	case q.MaxEdges < 0 || q.MaxDegree < 0 || q.Evaluations < 0:
		return p, fmt.Errorf("max_edges, max_degree and evaluations must not be negative")
	case q.Evaluations > l.Evaluations:
		return p, fmt.Errorf("evaluations is %d; this server allows %d", q.Evaluations, l.Evaluations)
	}
	if err = q.Method.Validate(); err != nil {
		return p, err
	}
	if p, err = q.problem(design.Time, l); err != nil {
		return p, err
	}
	if edges && q.MaxEdges == 0 {
		return p, fmt.Errorf("max_edges is missing; " +
			"say how many edges there may be at most, or ask for a plan, which chooses")
	}
	if p.MaxEdges == 0 {
		p.MaxEdges = p.Cluster.Nodes() - 1
	}
	return p, p.Validate()
}
