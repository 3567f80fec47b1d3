package work

import (
	"fmt"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/jobs"
)

// A Question is what plan and optimize are asked: a cluster and the options that flags of the command line set too.
type Question struct {
	Cluster cluster.Spec `json:"cluster"`
	batopo.Options
}

// check complains about a question before it waits in a queue, and returns the problem that it poses.
func (q *Question) check(
	l Limits, pose func(batopo.Options, *cluster.Cluster) (design.Problem, error),
) (p design.Problem, err error) {
	if q.Evaluations > l.Evaluations {
		return p, fmt.Errorf("evaluations is %d; this server allows %d", q.Evaluations, l.Evaluations)
	}
	c, err := l.build(q.Cluster)
	if err != nil {
		return p, err
	}
	return pose(q.Options, c)
}

// search is the cluster and the options to solve it with; progress goes to the feed.
func (q *Question) search(l Limits, feed *jobs.Feed) (*cluster.Cluster, batopo.Options, error) {
	c, err := l.build(q.Cluster)
	if err != nil {
		return nil, batopo.Options{}, err
	}
	o := q.Options
	watch(feed, &o)
	return c, o, nil
}
