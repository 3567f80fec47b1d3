package advise

import (
	"cmp"
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
	w         *predictor
	here      scene
	listed    *list      // what can be run here
	processes []*process // of these, what is compared again and again
	now       Candidate
	sized     map[float32]*cluster.Cluster // by megabytes of a message
	spare     int                          // what searching schedules again may still cost; see there

	unconfirmed []Quantity // changes of these may change the answer, but planning again would cost too much
}

// A variation of a quantity: from what it is now over values further and further away, and the scene at each.
type variation struct {
	of     Quantity
	from   float64
	values []float64
	at     func(value float64) (scene, error)
}

// variations lists them, up and down.
func (f *flips) variations() (out []variation) {
	model := f.here.c.Model()
	for _, up := range []bool{true, false} {
		if ms := model.ComputeMS; ms > 0 {
			out = append(out, variation{ComputeTime, ms, steps(ms, up), f.withCompute})
		}
		out = append(out, variation{MessageSize, model.MessageMB, steps(model.MessageMB, up), f.withMessage},
			variation{Bandwidth, 1, steps(1, up), f.withBandwidth})
	}
	latency := f.here.c.LatencyMS()
	const shortest = 1e-3 // ms, of what is tried
	out = append(out, variation{Latency, latency, steps(max(latency, shortest), true), f.withLatency})
	if latency > 0 {
		out = append(out, variation{Latency, latency, append(steps(latency, false), 0), f.withLatency})
	}
	return out
}

// find varies one quantity after the other, and keeps the changes that planning on both sides confirms. Where that
// costs a search, the changes closest to what is described are confirmed first.
func (f *flips) find(ctx context.Context, tell func(design.Progress)) (out []Flip) {
	all := f.variations()
	found := make([]*Flip, len(all))
	var order []int
	for k, v := range all {
		tell(design.Progress{Phase: design.Varying, Done: k})
		if found[k] = f.search(ctx, v); found[k] != nil {
			order = append(order, k)
		}
	}
	far := func(k int) float64 {
		return math.Abs(math.Log(max(found[k].Value, tiny) / max(all[k].from, tiny)))
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(far(i), far(j)) })
	for _, k := range order {
		found[k] = f.confirm(ctx, all[k], found[k])
	}
	for _, flip := range found {
		if flip != nil {
			out = append(out, *flip)
		}
	}
	return out
}

// tiny stands for 0 where quantities are compared by their ratio.
const tiny = 1e-6

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

// precision is how exactly a change is located.
const precision = 1e-3

// search finds the value closest to what is described beyond which another candidate wins: the first of the values,
// then by halving. Near a tie winners may alternate; then the value counts beyond which they do not.
func (f *flips) search(ctx context.Context, v variation) *Flip {
	same := v.from
	for _, value := range v.values {
		if ctx.Err() != nil {
			return nil
		}
		won, ok := f.winner(v.at(value))
		if !ok {
			return nil
		}
		if f.isNow(won) {
			same = value
			continue
		}
		for math.Abs(value-same) > precision*max(value, same, tiny) && ctx.Err() == nil {
			middle := (value + same) / 2
			if other, ok := f.winner(v.at(middle)); ok && !f.isNow(other) {
				value, won = middle, other
			} else {
				same = middle
			}
		}
		var returns bool
		if same, returns = f.comesBack(ctx, value, value > v.from, v.at); !returns {
			return &Flip{Of: v.of, Above: value > v.from, Value: value, Winner: won}
		}
	}
	return nil
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
// schedules, or two sizes of buckets, differ by less than the convergence model can tell.
func (f *flips) isNow(c Candidate) bool { return alike(c, f.now) }

func (f *flips) withCompute(ms float64) (scene, error) {
	s := f.here
	s.pace = ms / s.c.Model().ComputeMS
	s.compute = s.compute.Compute.Scaled(s.pace).Draws(1)
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
// here is compared first: what comes out far above it is out of the question.
func (f *flips) winnerBelow(s scene, limitMS float64) (Candidate, bool) {
	compared, errs := make([]variant, len(f.processes)), make([]error, len(f.processes))
	now := slices.IndexFunc(f.processes, func(p *process) bool { return p.name == f.now.process })
	if now >= 0 {
		f.w.remember(f.processes[now])
		if compared[now], errs[now] = f.least(f.processes[now], s, limitMS); errs[now] == nil {
			limitMS = min(limitMS, compared[now].PessimisticMS*(1+simplerWithin))
		}
	}
	f.w.each(f.processes, func(k int) {
		if k != now {
			compared[k], errs[k] = f.least(f.processes[k], s, limitMS)
		}
	})
	var variants []variant
	var all []Candidate
	for k, v := range compared {
		if errs[k] == nil {
			variants, all = append(variants, v), append(all, v.Candidate)
		}
	}
	if len(all) == 0 {
		return Candidate{}, false
	}
	won, err := f.w.complete(variants[Choose(all)])
	return won, err == nil
}
