package cost

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// An Exchange is one round: who takes part with whom, and how long it takes once all of them are ready.
type Exchange struct {
	MS         float64     // until the last is done
	Bottleneck string      // the resource that makes it that long
	Peers      [][]int     // of every node, those it sends to or receives from; nil: all take part, as in a collective
	PairMS     [][]float64 // with each of these peers; nil: MS with all
}

// A Bucket is a part of the gradient that is averaged over all nodes while the rest is still computed.
type Bucket struct {
	Share float64 // of the gradient
	MS    float64 // time of its all-reduce
	Count float64 // that many equal ones after each other, 1 or more, perhaps with a part of one; 0 means 1
}

func (b Bucket) count() float64 { return cmp.Or(b.Count, 1) }

// AllMS is the time of the all-reduces of all buckets, and of what is gathered before them.
func (p *Process) AllMS() float64 {
	sum := p.Gathers.count() * p.Gathers.MS
	for _, b := range p.Buckets {
		sum += b.count() * b.MS
	}
	return sum
}

// Calls is how many all-reduces an iteration has.
func (p *Process) Calls() float64 {
	sum := 0.0
	for _, b := range p.Buckets {
		sum += b.count()
	}
	return sum
}

// A Process is what nodes do besides computing gradients: rounds after steps, gradients averaged in buckets, or both,
// where buckets are averaged inside groups.
type Process struct {
	Nodes   int
	Rounds  []Exchange // one period
	Every   int        // H: a round in every H-th iteration
	Delay   int        // the round runs beside that many gradients, up to Every; 0: after the last of them
	BusyMS  float64    // how long the busiest resource needs for a period; 0: not known
	Buckets []Bucket   // gradients, in the order in which they are ready; averaged over all nodes, or inside groups
	Groups  [][]int    // of nodes that average buckets among themselves; nil: all do, and there are no rounds
	Gathers Bucket     // of parameters of a sharded model, while the forward pass goes on; without a share
}

// Validate complains about what cannot be simulated.
func (p *Process) Validate() error {
	switch {
	case p.Nodes < 1:
		return fmt.Errorf("cost: %d nodes; there must be at least 1", p.Nodes)
	case len(p.Buckets) > 0 && len(p.Rounds) > 0 && len(p.Groups) == 0:
		return errors.New("cost: a process has rounds or buckets; both only where buckets are averaged inside groups")
	case len(p.Buckets) > 0 && len(p.Rounds) == 0:
		return p.validateBuckets()
	case len(p.Rounds) == 0:
		return errors.New("cost: a process has at least one round, or buckets")
	case p.Every < 1:
		return fmt.Errorf("cost: a round every %d iterations; it must be every 1 or more", p.Every)
	case p.Delay < 0 || p.Delay > p.Every:
		return fmt.Errorf("cost: rounds beside %d gradients of every %d; it must be 0 to all of them", p.Delay, p.Every)
	}
	for k, r := range p.Rounds {
		if !(r.MS >= 0) {
			return fmt.Errorf("cost: round %d takes %v ms; it must be 0 or more", k, r.MS)
		}
		if r.PairMS != nil && !r.timed() {
			return fmt.Errorf("cost: round %d: there must be one time of 0 ms or more for every peer of every node", k)
		}
		if r.Peers != nil && len(r.Peers) != p.Nodes {
			return fmt.Errorf("cost: round %d lists peers of %d nodes; there are %d", k, len(r.Peers), p.Nodes)
		}
		for i, peers := range r.Peers {
			if bad := slices.IndexFunc(peers, func(j int) bool { return j < 0 || j >= p.Nodes }); bad >= 0 {
				return fmt.Errorf("cost: round %d: node %d has peer %d; nodes are 0 … %d", k, i, peers[bad], p.Nodes-1)
			}
		}
	}
	if len(p.Buckets) > 0 {
		return p.validateBuckets()
	}
	return nil
}

func (p *Process) validateBuckets() error {
	for g, members := range p.Groups {
		if bad := slices.IndexFunc(members, func(j int) bool { return j < 0 || j >= p.Nodes }); bad >= 0 {
			return fmt.Errorf("cost: group %d has node %d; nodes are 0 … %d", g, members[bad], p.Nodes-1)
		}
	}
	sum := 0.0
	for k, b := range p.Buckets {
		if !(b.Share > 0) || !(b.MS >= 0) || !(b.count() >= 1) {
			return fmt.Errorf("cost: bucket %d is %v of the gradient, takes %v ms and stands for %v; "+
				"its share must be above 0, its time at least 0 and its count at least 1", k, b.Share, b.MS, b.Count)
		}
		sum += b.Share * b.count()
	}
	const rounding = 1e-9
	if sum < 1-rounding || sum > 1+rounding {
		return fmt.Errorf("cost: the buckets are %v of the gradient; they must be all of it", sum)
	}
	return nil
}

// timed reports whether every peer of every node has a time.
func (e *Exchange) timed() bool {
	if len(e.PairMS) != len(e.Peers) {
		return false
	}
	for i, ms := range e.PairMS {
		if len(ms) != len(e.Peers[i]) || slices.ContainsFunc(ms, func(ms float64) bool { return !(ms >= 0) }) {
			return false
		}
	}
	return true
}

// Running returns the process with a round in every every-th iteration. The round is overlapped with the last delay
// gradients; where delay is 0, it follows them.
func (p *Process) Running(every, delay int) *Process {
	out := *p
	out.Every, out.Delay = every, delay
	return &out
}

// Slower returns the process with all of its communication taking that many times as long.
func (p *Process) Slower(times float64) *Process {
	out := *p
	out.Rounds, out.Buckets = slices.Clone(p.Rounds), slices.Clone(p.Buckets)
	out.BusyMS *= times
	out.Gathers.MS *= times
	for k := range out.Rounds {
		e := &out.Rounds[k]
		e.MS *= times
		e.PairMS = slices.Clone(e.PairMS)
		for i, ms := range e.PairMS {
			e.PairMS[i] = slices.Clone(ms)
			for j := range ms {
				e.PairMS[i][j] *= times
			}
		}
	}
	for k := range out.Buckets {
		out.Buckets[k].MS *= times
	}
	return &out
}

// cycle is after how many iterations the process repeats.
func (p *Process) cycle() int {
	if len(p.Rounds) == 0 {
		return 1
	}
	return len(p.Rounds) * p.Every
}
