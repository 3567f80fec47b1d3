package verify

import (
	"math"
	"slices"
)

// A pace is what an iteration of training is made of.
type pace struct {
	computeMS []float64
	buckets   []bucket // of gradients, in their order
	groups    [][]int  // that average them, each by itself
	rounds    []meeting
	every     int // steps from one round to the next
	delay     int // steps that a round runs beside
	busyMS    float64
}

// A bucket is a part of the gradient; count equal ones follow each other, perhaps with a part of one.
type bucket struct{ share, ms, count float64 }

// A meeting is a round: everybody waits for everybody, or nodes for those that they exchange with.
type meeting struct {
	ms    float64
	waits []waiting // none: all for all
}

// A waiting says that a node goes on that long after another is ready too.
type waiting struct {
	node, other int
	ms          float64
}

// iteration is the mean time of one in the long run, by the recursion of docs/understanding/method.md; ok is false
// where nodes did not come into step.
func (p *pace) iteration() (ms float64, ok bool) {
	const mostSpan, rounding = 1 << 9, 1e-10
	at, end := make([]float64, len(p.computeMS)), make([]float64, len(p.computeMS))
	if len(p.rounds) == 0 {
		p.compute(at)
		return slices.Max(at), true
	}
	cycle, step := len(p.rounds)*p.every, 0
	for span := 1; span <= mostSpan; span *= 2 {
		before := slices.Clone(at)
		for cycles := 1; cycles <= span; cycles++ {
			for range cycle {
				step++
				p.step(step, at, end)
			}
			least, most := math.Inf(1), 0.0
			for i := range at {
				least, most = min(least, at[i]-before[i]), max(most, at[i]-before[i])
			}
			if most-least <= rounding*most {
				return max(most/float64(cycles), p.busyMS) / float64(cycle), true
			}
		}
	}
	return 0, false
}

// step goes on by one iteration. A round begins delay steps before it has to be there.
func (p *pace) step(number int, at, end []float64) {
	if begins := number + p.delay - 1; p.delay > 0 && begins%p.every == 0 {
		p.meet(begins/p.every, at, end)
	}
	p.compute(at)
	if number%p.every != 0 {
		return
	}
	if p.delay == 0 {
		p.meet(number/p.every, at, end)
	}
	for i := range at {
		at[i] = max(at[i], end[i])
	}
}

// meet finds when every node's part in a round is over that begins now.
func (p *pace) meet(number int, at, end []float64) {
	round := p.rounds[(number-1)%len(p.rounds)]
	if round.waits == nil {
		over := slices.Max(at) + round.ms
		for i := range end {
			end[i] = over
		}
		return
	}
	copy(end, at)
	for _, w := range round.waits {
		end[w.node] = max(end[w.node], max(at[w.node], at[w.other])+w.ms)
	}
}

// compute goes forward, a third of the time, and backward, in which gradients become known evenly. The all-reduce of a
// bucket begins when all have it and the one before it is over.
func (p *pace) compute(at []float64) {
	const forward = 1.0 / 3
	if len(p.buckets) == 0 {
		for i, ms := range p.computeMS {
			at[i] += ms
		}
		return
	}
	for _, members := range p.groups {
		known, free := 0.0, 0.0
		for _, b := range p.buckets {
			all := b.count * b.ms
			first, last := forward+(1-forward)*(known+b.share), forward+(1-forward)*(known+b.share*b.count)
			free += all
			for _, i := range members {
				free = max(free, at[i]+first*p.computeMS[i]+all, at[i]+last*p.computeMS[i]+b.ms)
			}
			known += b.share * b.count
		}
		for _, i := range members {
			at[i] = free
		}
	}
}
