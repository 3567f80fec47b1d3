package design

import (
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
	Rows      []AnswerRow       `json:"rows"`
}

// An AnswerRow is one way to train. The first is the plan's own. The others average gradients as
// DistributedDataParallel does, or are one machine alone.
type AnswerRow struct {
	Nodes           []int       `json:"nodes,omitempty"`        // that take part; none: all
	BatchShares     []float64   `json:"batch_shares,omitempty"` // of these; none: equal
	Wire            Wire        `json:"wire,omitempty"`
	BucketMB        float64     `json:"bucket_mb,omitempty"`
	Sharded         bool        `json:"sharded,omitempty"`            // no node has all of the model
	Batches         int         `json:"batches_per_step,omitempty"`   // added up in a step, or parts of the whole one
	Whole           bool        `json:"whole_batch,omitempty"`        // these nodes compute the batch of all machines
	Measured        bool        `json:"iteration_measured,omitempty"` // a trial is in IterationMS
	Collective      *Collective `json:"collective,omitempty"`         // of the buckets, where it is not the plan's
	CommunicationMS float64     `json:"communication_ms"`             // of a round, on average; of gradients all
	IterationMS     float64     `json:"iteration_ms"`
	RelativeSteps   float64     `json:"relative_steps"`          // to DistributedDataParallel on all machines
	LearningRate    float64     `json:"learning_rate,omitempty"` // at which that holds, relative to the best one there
}

func (a *Answer) check(nodes int) error {
	if a == nil {
		return nil
	}
	if a.Cluster != nil {
		whole, err := cluster.New(*a.Cluster)
		if err != nil {
			return fmt.Errorf("answer.cluster: %w", err)
		}
		nodes = whole.Nodes()
	}
	if len(a.Rows) == 0 || len(a.Rows[0].Nodes) > 0 != (a.Cluster != nil) {
		return fmt.Errorf("answer has %d rows; the first is the plan's, with nodes if there is answer.cluster", len(a.Rows))
	}
	const mostRate = 1000 // up and down
	for k, r := range a.Rows {
		shared := len(r.Nodes)
		if shared == 0 {
			shared = nodes
		}
		ascending := slices.IsSorted(r.Nodes) && len(slices.Compact(slices.Clone(r.Nodes))) == len(r.Nodes)
		if !ascending || len(r.Nodes) > 0 && (r.Nodes[0] < 0 || r.Nodes[len(r.Nodes)-1] >= nodes) {
			return fmt.Errorf("answer.rows[%d].nodes must be some of 0 … %d, in order", k, nodes-1)
		}
		if r.Batches < 0 || r.Whole && len(r.Nodes) == 0 {
			return fmt.Errorf("answer.rows[%d] has %d batches_per_step and %d nodes; there are 0 or more, and some nodes "+
				"compute the whole batch", k, r.Batches, len(r.Nodes))
		}
		if len(r.BatchShares) > 0 && len(r.BatchShares) != shared || r.Wire.Bits() == 0 ||
			r.LearningRate != 0 && !(math.Abs(math.Log(r.LearningRate)) <= math.Log(mostRate)) {
			return fmt.Errorf("answer.rows[%d] has %d batch_shares for %d nodes, wire %.20q and learning_rate %v, which must "+
				"be 1/%d to %d", k, len(r.BatchShares), shared, r.Wire, r.LearningRate, mostRate, mostRate)
		}
		if r.Collective != nil {
			if err := r.Collective.check(shared); err != nil {
				return fmt.Errorf("answer.rows[%d].%w", k, err)
			}
		}
	}
	return nil
}
