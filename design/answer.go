package design

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// An Answer is what was said about training when the plan was recommended: what a step takes, how many there are, and
// what that was compared with. It decides nothing that runs.
type Answer struct {
	Optimizer cluster.Optimizer `json:"optimizer"`
	Cluster   *cluster.Spec     `json:"cluster,omitempty"` // all machines, where the plan leaves some out
	Rows      []AnswerRow       `json:"rows"`              // the plan's own is the first
}

// An AnswerRow is one way to train. But for the first they average gradients as DistributedDataParallel does, or one
// machine trains alone.
type AnswerRow struct {
	Role            string      `json:"role"`
	Kind            string      `json:"kind"`
	Nodes           []int       `json:"nodes,omitempty"`        // that take part; none: all
	BatchShares     []float64   `json:"batch_shares,omitempty"` // of these; none: equal
	Wire            Wire        `json:"wire,omitempty"`
	BucketMB        float64     `json:"bucket_mb,omitempty"`
	Collective      *Collective `json:"collective,omitempty"` // of the buckets, where it is not the plan's
	CommunicationMS float64     `json:"communication_ms"`     // of a round, on average; of gradients all buckets together
	IterationMS     float64     `json:"iteration_ms"`
	RelativeSteps   float64     `json:"relative_steps"`          // to DistributedDataParallel on all machines
	LearningRate    float64     `json:"learning_rate,omitempty"` // at which that holds, relative to the best one there
}

// AnswerRoles are those of rows, in their order: what is recommended, DistributedDataParallel on all machines, the best
// of what people try first, and one machine alone.
var AnswerRoles = []string{"recommended", "ddp", "simple", "alone"}

// mostRate limits learning rates, up and down.
const mostRate = 1000

func (a *Answer) check(p *Plan) error {
	if a == nil {
		return nil
	}
	nodes, before := p.Nodes, -1
	if a.Cluster != nil {
		whole, err := cluster.New(*a.Cluster)
		if err != nil {
			return fmt.Errorf("answer.cluster: %w", err)
		}
		nodes = whole.Nodes()
	}
	if len(a.Rows) == 0 || a.Rows[0].Role != AnswerRoles[0] || len(a.Rows[0].Nodes) > 0 != (a.Cluster != nil) {
		return errors.New("answer.rows[0] must be the recommended one; it lists nodes where answer.cluster is given")
	}
	for k, r := range a.Rows {
		role := slices.Index(AnswerRoles, r.Role)
		shared := len(r.Nodes)
		if shared == 0 {
			shared = nodes
		}
		switch {
		case role <= before:
			return fmt.Errorf("answer.rows[%d].role is %.40q; roles are %q, in this order", k, r.Role, AnswerRoles)
		case !slices.IsSorted(r.Nodes) || len(slices.Compact(slices.Clone(r.Nodes))) < len(r.Nodes) ||
			len(r.Nodes) > 0 && (r.Nodes[0] < 0 || r.Nodes[len(r.Nodes)-1] >= nodes):
			return fmt.Errorf("answer.rows[%d].nodes must be some of 0 … %d, in order", k, nodes-1)
		case len(r.BatchShares) > 0 && len(r.BatchShares) != shared:
			return fmt.Errorf("answer.rows[%d].batch_shares has %d entries for %d nodes", k, len(r.BatchShares), shared)
		case r.Wire.Bits() == 0 || r.LearningRate != 0 && !(math.Abs(math.Log(r.LearningRate)) <= math.Log(mostRate)):
			return fmt.Errorf("answer.rows[%d]: wire is %.20q and learning_rate %v; rates are 1/%d to %d", k, r.Wire,
				r.LearningRate, mostRate, mostRate)
		}
		if r.Collective != nil {
			if err := r.Collective.check(shared); err != nil {
				return fmt.Errorf("answer.rows[%d].%w", k, err)
			}
		}
		before = role
	}
	return nil
}
