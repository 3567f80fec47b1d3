package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// answered checks the answer, if there is one.
func (k *check) answered(ctx context.Context) {
	if k.plan.Answer != nil {
		k.unlessStopped(ctx, "answer", (*check).answer)
	}
}

// answer recomputes what was said when the plan was recommended: what an iteration takes with it and with what it was
// compared with, how many steps there are, and on which machines.
func (k *check) answer() {
	a, whole := k.plan.Answer, k.cluster
	if a.Cluster != nil {
		var err error
		if whole, err = cluster.New(*a.Cluster); err == nil {
			err = k.isPart(whole, a.Rows[0].Nodes)
		}
		if err != nil {
			k.holds("answer.cluster", false, err.Error())
			return
		}
		k.holds("answer.cluster", true, "")
	}
	for n, row := range a.Rows {
		k.row(fmt.Sprintf("answer.rows[%d].", n), row, n == 0, whole)
	}
	k.unproved("answer", 0, "not checked: the other rows of the table, intervals of steps, what would change the answer, "+
		"and memory, none of which the file has; that the machines are as described; that larger models behave as those "+
		"that were measured")
}

// isPart compares the cluster of the plan with what the whole one leaves.
func (k *check) isPart(whole *cluster.Cluster, nodes []int) error {
	c, err := partOf(whole, nodes)
	if err != nil {
		return err
	}
	want, _ := json.Marshal(c.Spec())
	if got, _ := json.Marshal(k.cluster.Spec()); string(got) != string(want) {
		return errors.New("without the machines that are left out it is not question.cluster")
	}
	return nil
}

func partOf(whole *cluster.Cluster, nodes []int) (*cluster.Cluster, error) {
	spec, err := whole.Part(nodes)
	if err != nil {
		return nil, err
	}
	return cluster.New(spec)
}

// row checks one way to train.
func (k *check) row(at string, r design.AnswerRow, own bool, whole *cluster.Cluster) {
	p, c := k.plan, whole
	k.relativeSteps(at, r, own, whole.Nodes())
	switch {
	case own:
		c = k.cluster
		buckets := r.BucketMB == 0 && !p.Synchronous() || r.BucketMB == p.BucketMB || p.BucketMB == 0 && r.BucketMB == usualMB
		k.holds(at+"wire, bucket_mb, batch_shares, collective", buckets && r.Wire == p.Wire && r.Collective == nil &&
			slices.Equal(r.BatchShares, p.BatchWeights), "the plan has others")
	case len(r.Nodes) == 1:
		k.relative(at+"communication_ms", r.CommunicationMS, 0)
		ms := whole.ComputeMS(r.Nodes[0])
		if r.Whole {
			ms *= float64(whole.Nodes())
		}
		k.relative(at+"iteration_ms", r.IterationMS, ms)
		return
	case len(r.Nodes) > 1:
		var err error
		if c, err = partOf(whole, r.Nodes); err != nil {
			k.holds(at+"nodes", false, err.Error())
			return
		}
	}
	pace, communication, err := k.paceOf(r, own, c)
	switch {
	case errors.Is(err, errNoAverage):
		k.holds(at+"collective", false, err.Error())
	case err != nil:
		k.unproved(at+"communication_ms, iteration_ms", r.IterationMS, "not checked: "+err.Error())
	default:
		k.relative(at+"communication_ms", r.CommunicationMS, communication)
		if r.Measured {
			k.unproved(at+"iteration_ms", r.IterationMS, "not checked: a trial measured it, or others of its kind")
			return
		}
		pace.inParts(r, whole.Nodes())
		k.iteration(at+"iteration_ms", r.IterationMS, pace, c, own && p.Kind == design.GossipKind)
	}
}

// iteration compares times. Where compute times vary a simulation was said; waiting for late ones never makes it
// shorter than with their means, up to what its few draws err by. Where only neighbours wait for each other it is
// between the slowest node's own time and the time of waiting for all.
func (k *check) iteration(claim string, said float64, p *pace, c *cluster.Cluster, neighbours bool) {
	const agreement, errorOfDraws = 1e-6, 0.4
	ms, jitter := p.iterationMS(), 0.0
	low := ms
	for i := range c.Nodes() {
		if c.JitterMS(i) > 0 {
			jitter = max(jitter, c.JitterMS(i)/c.ComputeMS(i))
		}
	}
	if neighbours {
		low = p.stepMS()
	}
	switch {
	case jitter == 0 && !neighbours || said < low*(1-agreement-errorOfDraws*jitter) ||
		jitter == 0 && said > ms*(1+agreement):
		k.number(claim, said, ms, agreement*ms)
	case neighbours:
		k.unproved(claim, said, fmt.Sprintf("not checked: only neighbours wait for each other; it is between %.6g and, "+
			"where all do, %.6g", low, ms))
	default:
		k.unproved(claim, said, fmt.Sprintf("not checked: compute times vary; without that it is %.6g", ms))
	}
}

// relativeSteps compares steps and learning rate with the published table.
func (k *check) relativeSteps(at string, r design.AnswerRow, own bool, machines int) {
	adamw, fewer := k.plan.Answer.Optimizer == cluster.AdamW, len(r.Nodes)
	claim := at + "relative_steps"
	rows := k.like()
	exactly := slices.DeleteFunc(slices.Clone(rows), func(q published) bool {
		return q.models() != k.parties() || q.Every != k.plan.Every || len(k.plan.Phases) > 0
	})
	said := func(q published) bool {
		return math.Abs(q.RelativeSteps-r.RelativeSteps) <= design.ClaimTolerance && q.RateFactor == r.LearningRate
	}
	switch {
	case r.Whole:
		k.relative(claim, r.RelativeSteps, 1)
	case r.Batches > 1:
		k.holds(claim, slices.ContainsFunc(publicationOf().Accumulated, func(q published) bool {
			return q.Low != nil && q.Batches == r.Batches && math.Abs(q.RelativeSteps-r.RelativeSteps) <= design.ClaimTolerance
		}), "the published table has other numbers for several batches a step")
	case fewer > 0 && adamw:
		k.relative(claim, r.RelativeSteps, fewerMachines(float64(machines)/float64(fewer)))
	case fewer > 0:
		k.relative(claim, r.RelativeSteps, float64(machines)/float64(fewer))
	case !own || k.plan.Synchronous():
		k.relative(claim, r.RelativeSteps, 1)
	case !adamw:
		k.unproved(claim, r.RelativeSteps, "not checked: it comes from the convergence model of runs with SGD")
	case len(exactly) > 0:
		k.holds(claim+", learning_rate", slices.ContainsFunc(exactly, said), fmt.Sprintf("the file has %v at %v times the "+
			"rate, the published table %v at %v", r.RelativeSteps, r.LearningRate, exactly[0].RelativeSteps,
			exactly[0].RateFactor))
	default:
		low, high := math.Inf(1), 0.0
		for _, q := range rows {
			low, high = min(low, q.RelativeSteps), max(high, q.RelativeSteps)
		}
		if !(r.RelativeSteps >= low && r.RelativeSteps <= high) {
			k.add(Finding{Claim: claim, Status: False, Claimed: r.RelativeSteps, Recomputed: low,
				Detail: fmt.Sprintf("the published table has %.4g to %.4g", low, high)})
			return
		}
		k.unproved(claim, r.RelativeSteps, "not checked: read between rows of the published table")
	}
}
