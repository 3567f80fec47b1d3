package verify

import (
	"errors"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// usualMB is the size of the buckets of DistributedDataParallel, and of the largest blocks of batopo.ddp.
const usualMB = 25

var errNoAverage = errors.New("its all-reduce is no average, or slower than a ring in the order of the nodes")

// A pace is what an iteration of training is made of.
type pace struct {
	computeMS []float64
	buckets   []bucket  // of gradients, in their order
	groups    [][]int   // that average them, each by itself
	roundMS   []float64 // all wait for all, at most
	every     int       // steps from one round to the next
	delay     int       // steps that a round runs beside
	batches   int       // whose gradients are added up; 0: 1
	whole     bool      // they are parts of one
}

// inParts has gradients added up, of several batches or of the parts of all machines' whole one.
func (p *pace) inParts(r design.AnswerRow, machines int) {
	p.batches, p.whole = r.Batches, r.Whole
	if r.Whole {
		for i := range p.computeMS {
			p.computeMS[i] *= float64(machines) / float64(len(r.Nodes)*max(1, r.Batches))
		}
	}
}

// A bucket is a part of the gradient; count equal ones follow each other, perhaps with a part of one.
type bucket struct{ share, ms, count float64 }

// stepMS is the time of the slowest node or group from one step to the next, if there are no rounds. A third of it goes
// forward; then gradients become known evenly, and a bucket is averaged when all have it and the one before is over.
func (p *pace) stepMS() float64 {
	const forward = 1.0 / 3
	slowest := slices.Max(p.computeMS)
	if len(p.buckets) == 0 {
		return slowest
	}
	for _, members := range p.groups {
		known, free := 0.0, 0.0
		for _, b := range p.buckets {
			all := b.count * b.ms
			first, last := forward+(1-forward)*(known+b.share), forward+(1-forward)*(known+b.share*b.count)
			free += all
			for _, i := range members {
				free = max(free, first*p.computeMS[i]+all, last*p.computeMS[i]+b.ms)
			}
			known += b.share * b.count
		}
		slowest = max(slowest, free)
	}
	return slowest
}

// iterationMS is the mean time in the long run where all wait for all in every round, which runs beside the last steps
// before it is needed.
func (p *pace) iterationMS() float64 {
	step := p.stepMS()
	ms := step
	for _, round := range p.roundMS {
		ms += max(0, round-float64(p.delay)*step) / float64(p.every*len(p.roundMS))
	}
	if p.batches > 1 { // all but the last are only computed
		ms += float64(p.batches-1) * slices.Max(p.computeMS)
		if !p.whole {
			ms /= float64(p.batches)
		}
	}
	return ms
}

// paceOf is what an iteration consists of, and the time of its communication.
func (k *check) paceOf(r design.AnswerRow, own bool, c *cluster.Cluster) (*pace, float64, error) {
	p := &pace{computeMS: make([]float64, c.Nodes()), groups: [][]int{topology.InOrder(c.Nodes())}}
	for i := range p.computeMS {
		p.computeMS[i] = c.ComputeMS(i)
		if len(r.BatchShares) > 0 {
			p.computeMS[i] *= r.BatchShares[i] * float64(c.Nodes())
		}
	}
	if c.Backend() == cluster.Gloo {
		return nil, 0, errors.New("there is no arithmetic for gloo, whose messages wait for notices")
	}
	if !own || k.plan.Synchronous() {
		communication, err := k.gradients(p, r, own, c)
		return p, communication, err
	}
	err := k.meetings(p)
	communication := 0.0
	for _, round := range k.rounds {
		communication += round.CommunicationMS / float64(len(k.rounds))
	}
	return p, communication, err
}

// gradients are averaged in buckets, the first of them small, over an all-reduce that must be an average.
func (k *check) gradients(p *pace, r design.AnswerRow, own bool, c *cluster.Cluster) (float64, error) {
	how := r.Collective
	if own || how == nil {
		how = k.plan.Collective
	}
	if r.Sharded || r.BucketMB == 0 {
		return 0, errors.New("there is no arithmetic for models in shards, nor for gradients that are averaged as parameters")
	}
	if how == nil || !(r.BucketMB >= 1e-3) || r.Collective == nil && c.Nodes() != k.plan.Nodes {
		return 0, errors.New("the row has no all-reduce of its nodes, or no buckets")
	}
	q := newCheck(&design.Plan{Nodes: c.Nodes(), Collective: how}, c)
	if q.exact(); q.report[0].Status != OK {
		return 0, map[Status]error{False: errNoAverage, Unproved: errTooLarge}[q.report[0].Status]
	}
	library, share := !own || k.plan.Library, shareOf(r.Wire)
	price := func(mb float64) (float64, error) { return q.cutBest(how, mb*share) }
	if !library {
		price = func(mb float64) (float64, error) { return q.hooked(how, mb, c.Model().MessageMB, share) }
	}
	communication, err := p.inBuckets(c.Model().MessageMB, r.BucketMB, price)
	if err != nil || !library {
		return communication, err
	}
	ring := &design.Collective{Algorithm: design.RingForm, Order: topology.InOrder(c.Nodes())}
	numbered, err := new(pace).inBuckets(c.Model().MessageMB, r.BucketMB,
		func(mb float64) (float64, error) { return q.cutBest(ring, mb*share) })
	const much = 1.5 // libraries have a ring; in the best order for the whole message, not for every bucket
	if err == nil && communication > much*numbered {
		return 0, errNoAverage
	}
	return communication, nil
}

// inBuckets cuts gradients as DistributedDataParallel does, and returns the time of all of them.
func (p *pace) inBuckets(messageMB, bucketMB float64, price func(mb float64) (float64, error)) (float64, error) {
	all := 0.0
	first := min(1, bucketMB, messageMB)
	size := min(bucketMB, messageMB-first)
	sizes := [][2]float64{{first, 1}}
	if size > 1e-9*messageMB {
		sizes = append(sizes, [2]float64{size, (messageMB - first) / size})
	}
	for _, b := range sizes {
		ms, err := price(b[0])
		if err != nil {
			return 0, err
		}
		p.buckets = append(p.buckets, bucket{b[0] / messageMB, ms, b[1]})
		all += b[1] * ms
	}
	return all, nil
}

// cutBest prices an all-reduce of a library, which cuts a message into 2, 4, 8 or 16 chunks where each step gains a
// thousandth.
func (k *check) cutBest(how *design.Collective, mb float64) (float64, error) {
	least := math.Inf(1)
	for chunks := 1; chunks <= 16 && (chunks == 1 || how.Chunks > 1); chunks *= 2 {
		ms, err := k.allReduce(how, chunks, mb)
		if err != nil {
			return 0, err
		}
		if ms < least*(1-1e-3) {
			least = ms
		}
	}
	return least, nil
}

// hooked prices an all-reduce that batopo.ddp runs: a bucket has its share of the chunks, and none above 25 MB.
func (k *check) hooked(how *design.Collective, mb, messageMB, share float64) (float64, error) {
	chunks := max(1, math.RoundToEven(float64(max(1, how.Chunks))*mb/messageMB), math.Ceil(mb/usualMB))
	return k.allReduce(how, int(chunks), mb*share)
}

// allReduce prices a call with a message of its own.
func (k *check) allReduce(how *design.Collective, chunks int, mb float64) (float64, error) {
	q := *k
	cut := *how
	cut.Chunks, q.bucketMB = chunks, max(mb, cluster.LeastMessageMB)
	q.plan = &design.Plan{Nodes: k.plan.Nodes, Collective: &cut}
	steps, again := q.steps()
	if again > 1 && chunks > 1 { // around a ring
		for f := range steps[0] {
			steps[0][f].share /= float64(chunks)
		}
		steps, again = slices.Repeat(steps, int(again)), 1
	}
	price, err := q.called(steps, again, nil, chunks)
	return price.CommunicationMS, err
}

// meetings are the rounds of a plan that averages parameters, and gradients inside its groups.
func (k *check) meetings(p *pace) error {
	plan := k.plan
	p.every, p.delay = plan.Every/max(1, plan.Pieces), plan.DelaySteps
	if plan.Overlap {
		p.delay = 1
	}
	switch {
	case len(k.rounds) == 0:
		return errTooLarge
	case len(plan.Phases) > 0:
		return errors.New("the time of phases together is not recomputed")
	}
	for _, round := range k.rounds {
		p.roundMS = append(p.roundMS, round.CommunicationMS)
	}
	if plan.Inside == nil || !plan.Inside.Gradients {
		return nil
	}
	p.groups = plan.Inside.Groups
	return k.inGroups(p)
}

// inGroups averages gradients inside groups: around a ring or, where the backend does, with everybody at once.
func (k *check) inGroups(p *pace) error {
	s := k.inside()
	share, best := shareOf(k.plan.Wire), math.Inf(1)
	if k.plan.Wire.Few() {
		share = 1
	}
	around, direct := make([]flow, 0, k.plan.Nodes), k.within(1)
	for _, group := range p.groups {
		for m, i := range group {
			around = append(around, flow{i, group[(m+1)%s], 1 / float64(s)})
		}
	}
	for _, way := range []struct {
		step  []flow
		again int
	}{{around, 2 * (s - 1)}, {direct, 2}} {
		q, inner := *k, new(pace)
		all, err := inner.inBuckets(k.cluster.Model().MessageMB, usualMB, func(mb float64) (float64, error) {
			q.bucketMB = max(mb*share, cluster.LeastMessageMB)
			price, err := q.called([][]flow{way.step}, float64(way.again), nil, 1)
			return price.CommunicationMS, err
		})
		if err != nil {
			return err
		}
		if all < best {
			best, p.buckets = all, inner.buckets
		}
	}
	return nil
}
