package advise

import (
	"context"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// A Quantity of a cluster that may be other than its description says.
type Quantity string

// What is varied. A message of twice the size is nearly the same as half the bandwidth, but for the buckets of
// DistributedDataParallel, which stay as large as they are.
const (
	ComputeTime Quantity = "compute"   // ms of a gradient
	MessageSize Quantity = "message"   // MB
	Bandwidth   Quantity = "bandwidth" // times what the cluster's resources have
	Latency     Quantity = "latency"   // ms between any two nodes
)

// A Flip says from where on something else would be recommended.
type Flip struct {
	Of     Quantity
	Above  bool    // above Value, or below it
	Value  float64 // in the quantity's unit
	Winner Candidate
}

// flips looks for them.
type flips struct {
	w         *weigher
	here      scene
	processes []*process
	now       Candidate
	sized     map[float32]*cluster.Cluster // by megabytes of a message
}

// find varies one quantity after the other, up and down.
func (f *flips) find(ctx context.Context, tell func(design.Progress)) []Flip {
	model := f.here.c.Model()
	var out []Flip
	tried := 0
	add := func(of Quantity, from float64, values []float64, at func(value float64) (scene, error)) {
		tell(design.Progress{Phase: design.Varying, Done: tried})
		tried++
		if value, winner, found := f.search(ctx, from, values, at); found {
			out = append(out, Flip{Of: of, Above: value > from, Value: value, Winner: winner})
		}
	}
	for _, up := range []bool{true, false} {
		if model.ComputeMS > 0 {
			add(ComputeTime, model.ComputeMS, steps(model.ComputeMS, up), f.withCompute)
		}
		add(MessageSize, model.MessageMB, steps(model.MessageMB, up), f.withMessage)
		add(Bandwidth, 1, steps(1, up), f.withBandwidth)
	}
	latency := f.here.c.LatencyMS()
	const shortest = 1e-3 // ms, of what is tried
	add(Latency, latency, steps(max(latency, shortest), true), f.withLatency)
	if latency > 0 {
		add(Latency, latency, append(steps(latency, false), 0), f.withLatency)
	}
	return out
}

// step is the factor from one value to the next.
const step = math.Sqrt2

// steps are values further and further from one, until a thousand times it.
func steps(from float64, up bool) []float64 {
	const count = 20
	out := make([]float64, count)
	for k := range out {
		out[k] = from * math.Pow(step, float64(k+1))
		if !up {
			out[k] = from * from / out[k]
		}
	}
	return out
}

// search finds the value closest to from beyond which another candidate wins: the first of the values, then by halving.
// Near a tie winners may alternate; then the value counts beyond which they do not.
func (f *flips) search(ctx context.Context, from float64, values []float64,
	at func(value float64) (scene, error)) (value float64, winner Candidate, found bool) {
	same := from
	for _, v := range values {
		if ctx.Err() != nil {
			return 0, winner, false
		}
		won, ok := f.winner(at(v))
		if !ok {
			return 0, winner, false
		}
		if f.isNow(won) {
			same = v
			continue
		}
		const precision = 1e-3
		for math.Abs(v-same) > precision*max(math.Abs(v), math.Abs(same)) && ctx.Err() == nil {
			middle := (v + same) / 2
			if other, ok := f.winner(at(middle)); ok && !f.isNow(other) {
				v, won = middle, other
			} else {
				same = middle
			}
		}
		if same, found = f.comesBack(ctx, v, v > from, at); !found {
			return v, won, true
		}
	}
	return 0, winner, false
}

// beyond are parts of a step, at which a change must last.
var beyond = []float64{1, 0.75, 0.5, 0.25, 0.1, 0.03, 0.01}

// comesBack returns the value furthest beyond a change, within a step, at which the recommendation is what it is now.
func (f *flips) comesBack(ctx context.Context, change float64, up bool,
	at func(value float64) (scene, error)) (value float64, found bool) {
	for _, part := range beyond {
		value := change * math.Pow(step, part)
		if !up {
			value = change / math.Pow(step, part)
		}
		if won, ok := f.winner(at(value)); ok && f.isNow(won) || ctx.Err() != nil {
			return value, ok
		}
	}
	return 0, false
}

// isNow reports whether a winner is of the kind that is recommended now, with as many steps between rounds. Two
// schedules, or two sizes of buckets, differ by less than the law can tell.
func (f *flips) isNow(c Candidate) bool { return c.Kind == f.now.Kind && c.Every == f.now.Every }

func (f *flips) withCompute(ms float64) (scene, error) {
	s := f.here
	s.compute = s.compute.Compute.Scaled(ms / s.c.Model().ComputeMS).Draws(1)
	return s, nil
}

func (f *flips) withMessage(mb float64) (s scene, err error) {
	s = f.here
	s.c, err = f.size(mb)
	return s, err
}

// withBandwidth makes the message smaller instead.
func (f *flips) withBandwidth(faster float64) (s scene, err error) {
	s = f.here
	s.faster = faster
	s.c, err = f.size(s.c.Model().MessageMB / faster)
	return s, err
}

// size is the cluster with messages of that many megabytes, to seven digits, so that what a message costs and what
// other bandwidths cost is priced once.
func (f *flips) size(mb float64) (c *cluster.Cluster, err error) {
	key := float32(mb)
	if known := f.sized[key]; known != nil {
		return known, nil
	}
	if c, err = f.here.c.WithMessage(float64(key)); err == nil {
		f.sized[key] = c
	}
	return c, err
}

func (f *flips) withLatency(ms float64) (s scene, err error) {
	s = f.here
	s.c, err = withLatency(s.c, ms)
	return s, err
}

// winner is what would be recommended in a scene.
func (f *flips) winner(s scene, err error) (Candidate, bool) {
	if err != nil {
		return Candidate{}, false
	}
	return f.winnerBelow(s, math.Inf(1))
}

// winnerBelow is what would be recommended in a scene, if that is ranked below a limit. The process that is recommended
// here is weighed first: what comes out far above it is no rival.
func (f *flips) winnerBelow(s scene, limitMS float64) (Candidate, bool) {
	weighed, errs := make([]variant, len(f.processes)), make([]error, len(f.processes))
	now := slices.IndexFunc(f.processes, func(p *process) bool { return p.name == f.now.Name })
	if now >= 0 {
		f.w.remember(f.processes[now])
		if weighed[now], errs[now] = f.w.least(f.processes[now], s, limitMS); errs[now] == nil {
			limitMS = min(limitMS, weighed[now].CautiousMS*(1+sameWithin))
		}
	}
	f.w.each(f.processes, func(k int) {
		if k != now {
			weighed[k], errs[k] = f.w.least(f.processes[k], s, limitMS)
		}
	})
	var variants []variant
	var all []Candidate
	for k, v := range weighed {
		if errs[k] == nil {
			variants, all = append(variants, v), append(all, v.Candidate)
		}
	}
	if len(all) == 0 {
		return Candidate{}, false
	}
	won, err := f.w.complete(variants[Choose(all)], s.compute)
	return won, err == nil
}
