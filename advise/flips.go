package advise

import (
	"context"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/iteration"
)

// A Quantity of a cluster that may be other than its description says.
type Quantity string

// What is varied. A message of twice the size is the same as half the bandwidth.
const (
	ComputeTime Quantity = "compute" // ms of a gradient
	MessageSize Quantity = "message" // MB
	Latency     Quantity = "latency" // ms between any two nodes
)

// A Flip says from where on something else would be recommended.
type Flip struct {
	Of     Quantity
	Above  bool    // above Value, or below it
	Value  float64 // in the quantity's unit
	Winner Candidate

	BandwidthFactor float64 // MessageSize: bandwidths that many times theirs do the same
}

// flips looks for them.
type flips struct {
	w         *weigher
	c         *cluster.Cluster
	processes []*process
	now       Candidate
}

// find varies one quantity after the other, up and down.
func (f *flips) find(ctx context.Context) []Flip {
	model := f.c.Model()
	var out []Flip
	add := func(of Quantity, from float64, values []float64, at func(value float64) (Candidate, bool)) {
		if value, winner, found := f.search(ctx, from, values, at); found {
			out = append(out, Flip{Of: of, Above: value > from, Value: value, Winner: winner})
		}
	}
	for _, up := range []bool{true, false} {
		if model.ComputeMS > 0 {
			add(ComputeTime, model.ComputeMS, steps(model.ComputeMS, up), f.withCompute)
		}
		add(MessageSize, model.MessageMB, steps(model.MessageMB, up), f.withMessage)
	}
	for k := range out {
		if out[k].Of == MessageSize {
			out[k].BandwidthFactor = model.MessageMB / out[k].Value
		}
	}
	latency := f.c.Spec().LatencyMS
	const shortest = 1e-3 // ms, of what is tried
	add(Latency, latency, steps(max(latency, shortest), true), f.withLatency)
	if latency > 0 {
		add(Latency, latency, append(steps(latency, false), 0), f.withLatency)
	}
	return out
}

// steps are values further and further from one, by factors of √2, until a thousand times it.
func steps(from float64, up bool) []float64 {
	const count = 20
	out := make([]float64, count)
	for k := range out {
		out[k] = from * math.Pow(2, float64(k+1)/2)
		if !up {
			out[k] = from * from / out[k]
		}
	}
	return out
}

// search finds the value closest to from at which another candidate wins: the first of the values, then by halving.
func (f *flips) search(ctx context.Context, from float64, values []float64,
	at func(value float64) (Candidate, bool)) (value float64, winner Candidate, found bool) {
	same := from
	for _, v := range values {
		won, ok := at(v)
		if ctx.Err() != nil || !ok {
			return 0, winner, false
		}
		if f.isNow(won) {
			same = v
			continue
		}
		const precision = 1e-3
		for math.Abs(v-same) > precision*max(math.Abs(v), math.Abs(same)) && ctx.Err() == nil {
			middle := (v + same) / 2
			if other, ok := at(middle); ok && !f.isNow(other) {
				v, won = middle, other
			} else {
				same = middle
			}
		}
		return v, won, true
	}
	return 0, winner, false
}

// isNow reports whether a winner is of the sort that is recommended now. Two schedules, or two sizes of buckets, differ
// by less than the law can tell.
func (f *flips) isNow(c Candidate) bool { return c.sort() == f.now.sort() && c.Every == f.now.Every }

func (f *flips) withCompute(ms float64) (Candidate, bool) {
	return f.winner(f.c, iteration.ComputeOf(f.c).Scaled(ms/f.c.Model().ComputeMS))
}

func (f *flips) withMessage(mb float64) (Candidate, bool) {
	c, err := withMessage(f.c, mb)
	if err != nil {
		return Candidate{}, false
	}
	return f.winner(c, iteration.ComputeOf(f.c))
}

func (f *flips) withLatency(ms float64) (Candidate, bool) {
	c, err := withLatency(f.c, ms)
	if err != nil {
		return Candidate{}, false
	}
	return f.winner(c, iteration.ComputeOf(f.c))
}

func (f *flips) winner(c *cluster.Cluster, compute iteration.Compute) (Candidate, bool) {
	all, err := f.w.rank(c, compute, f.processes)
	if err != nil {
		return Candidate{}, false
	}
	return all[Choose(all)], true
}
