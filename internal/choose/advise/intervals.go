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

// An Axis is a quantity, divided into intervals by what is the answer there.
type Axis struct {
	Of        Quantity
	Now       float64    // what the description says
	Intervals []Interval // side by side, from the least value that was tried to the largest
}

// An Interval is where one candidate is the answer.
type Interval struct {
	From, To  float64
	Winner    Candidate // at the point closest to what the description says; no Kind: nothing can run
	Confirmed bool      // planning with new searches there has the same answer
}

// Here is the position of the interval that the description is in.
func (a Axis) Here() int {
	return slices.IndexFunc(a.Intervals, func(i Interval) bool { return a.Now <= i.To })
}

// Nearest is the position of the interval that is closest to what the description says and not around it; -1: none.
func (a Axis) Nearest() int {
	here := a.Here()
	switch before, after := here-1, here+1; {
	case after < len(a.Intervals) && (before < 0 || a.far(after) <= a.far(before)):
		return after
	default:
		return before
	}
}

// NearestFirst are the axes that have a change, the one with the nearest first.
func NearestFirst(axes []Axis) (some []Axis) {
	for _, a := range axes {
		if a.Nearest() >= 0 {
			some = append(some, a)
		}
	}
	slices.SortStableFunc(some, func(a, b Axis) int { return cmp.Compare(a.far(a.Nearest()), b.far(b.Nearest())) })
	return some
}

// tiny stands for 0 where values are compared by their ratio.
const tiny = 1e-6

// far is how far an interval is from what is described, as a ratio's logarithm.
func (a Axis) far(at int) float64 {
	edge := a.Intervals[at].From
	if edge < a.Now {
		edge = a.Intervals[at].To
	}
	return math.Abs(math.Log(max(edge, tiny) / max(a.Now, tiny)))
}

// A decider decides again with other numbers: among the same candidates, by the same rule, from what was searched.
type decider struct {
	w         *predictor
	here      scene
	listed    *list // what can be run here
	tell      func(design.Progress)
	searched  bool // and was searched for
	processes []*process
	now       Candidate
	won       map[string]bool // processes that were the answer somewhere
	known     map[numbers]*cluster.Cluster
	there     map[*cluster.Cluster][]*process // what was searched for with other numbers
	spare     int                             // what searching again may still cost; see there
}

// numbers are a message and a latency, to seven digits.
type numbers struct{ messageMB, latencyMS float32 }

// A variation of a quantity: its values in order, and the scene at each.
type variation struct {
	of     Quantity
	now    float64
	values []float64
	at     func(value float64) (scene, error)
}

// variations lists them.
func (d *decider) variations() (out []variation) {
	model, latency := d.here.c.Model(), d.here.c.LatencyMS()
	withMessage := func(mb float64) (scene, error) { return d.with(mb, 1, latency) }
	withBandwidth := func(faster float64) (scene, error) { return d.with(model.MessageMB, faster, latency) }
	withLatency := func(ms float64) (scene, error) { return d.with(model.MessageMB, 1, ms) }
	if ms := model.ComputeMS; ms > 0 {
		out = append(out, variation{ComputeTime, ms, steps(ms, -octaves, octaves), d.withCompute})
	}
	out = append(out,
		variation{MessageSize, model.MessageMB, steps(model.MessageMB, -octaves, octaves), withMessage},
		variation{Bandwidth, 1, steps(1, -octaves, octaves), withBandwidth})
	if latency > 0 {
		return append(out,
			variation{Latency, latency, append([]float64{0}, steps(latency, -octaves, octaves)...), withLatency})
	}
	const shortest = 1e-3 // ms, of what is tried
	return append(out, variation{Latency, 0, append([]float64{0}, steps(shortest, 0, 10)...), withLatency})
}

// octaves is how far values are tried: up to 2 to that power times what is described, and as many times less.
const octaves = 4

// steps are the values from 2^first times a value to 2^last times. Eight make an octave, and four where it is far:
// there it matters little that a tie may change the answer between two of them.
func steps(from float64, first, last int) (out []float64) {
	const parts = 8
	for k := parts * first; k <= parts*last; k++ {
		if k%2 == 0 || -parts < k && k < parts {
			out = append(out, from*math.Exp2(float64(k)/parts))
		}
	}
	return out
}

// precision is how exactly a change is located.
const precision = 2e-3

// find varies one quantity after the other. What searching again finds counts for all of them.
func (d *decider) find(ctx context.Context) (out []Axis) {
	all := d.variations()
	d.widen(ctx)
	for found := true; found; {
		out = nil
		for k, v := range all {
			d.tell(design.Progress{Phase: design.Varying, Done: k})
			axis := Axis{Of: v.of, Now: v.now, Intervals: d.intervals(ctx, v)}
			if ctx.Err() != nil {
				return out
			}
			out = append(out, axis)
		}
		found = d.confirm(ctx, all, out)
	}
	return out
}

// A sample is the answer at a value.
type sample struct {
	value  float64
	winner Candidate
}

// intervals decides at all values, and between neighbours with different answers.
func (d *decider) intervals(ctx context.Context, v variation) (out []Interval) {
	var all []sample
	for _, value := range v.values {
		next := d.sample(v, value)
		if len(all) > 0 {
			all = append(all, d.between(ctx, v, all[len(all)-1], next)...)
		}
		all = append(all, next)
	}
	for k, s := range all {
		if k > 0 && alike(s.winner, all[k-1].winner) {
			if s.value <= v.now {
				out[len(out)-1].Winner = s.winner
			}
			continue
		}
		from := s.value
		if k > 0 {
			from = (all[k-1].value + s.value) / 2
			out[len(out)-1].To = from
		}
		out = append(out, Interval{From: from, Winner: s.winner})
	}
	out[len(out)-1].To = all[len(all)-1].value
	return v.wide(out)
}

// wide leaves out intervals in which a tie changes the answer for less than a hundredth, unless we are there.
func (v variation) wide(all []Interval) (out []Interval) {
	const least = 1.01
	for _, i := range all {
		narrow := len(out) > 0 && i.To < least*i.From && !(i.From <= v.now && v.now <= i.To)
		if narrow || len(out) > 0 && alike(out[len(out)-1].Winner, i.Winner) {
			last := &out[len(out)-1]
			if !narrow && i.From <= v.now {
				last.Winner = i.Winner
			}
			last.To = i.To
			continue
		}
		out = append(out, i)
	}
	return out
}

// between halves the way from one value to the next until answers change within precision only.
func (d *decider) between(ctx context.Context, v variation, low, high sample) []sample {
	if alike(low.winner, high.winner) || high.value-low.value <= precision*max(high.value, tiny) || ctx.Err() != nil {
		return nil
	}
	middle := d.sample(v, (low.value+high.value)/2)
	return slices.Concat(d.between(ctx, v, low, middle), []sample{middle}, d.between(ctx, v, middle, high))
}

func (d *decider) sample(v variation, value float64) sample {
	s, err := v.at(value)
	if err != nil {
		return sample{value: value}
	}
	winner, _ := d.winner(s, math.Inf(1))
	return sample{value, winner}
}

// alike reports whether two candidates are of one kind on the same machines, with as many steps between rounds. Two
// schedules, or two sizes of buckets, differ by less than the convergence model can tell.
func alike(a, b Candidate) bool {
	return a.Kind == b.Kind && a.Every == b.Every && a.where() == b.where()
}

func (d *decider) withCompute(ms float64) (scene, error) {
	s := d.here
	s.pace = ms / s.c.Model().ComputeMS
	s.compute = s.compute.Compute.Scaled(s.pace).Draws(1)
	return s, nil
}

// with is the scene with other numbers. Where bandwidths are that many times faster, the message is smaller instead.
func (d *decider) with(messageMB, faster, latencyMS float64) (s scene, err error) {
	s = d.here
	s.faster = faster
	s.c, err = d.cluster(messageMB/faster, latencyMS)
	return s, err
}

// cluster is the one with other numbers, once, so that what a message costs and what other bandwidths cost is priced
// once.
func (d *decider) cluster(messageMB, latencyMS float64) (c *cluster.Cluster, err error) {
	key, c := numbers{float32(messageMB), float32(latencyMS)}, d.here.c
	if known := d.known[key]; known != nil {
		return known, nil
	}
	if key.messageMB != float32(c.Model().MessageMB) {
		c, err = c.WithMessage(float64(key.messageMB))
	}
	if err == nil && key.latencyMS != float32(c.LatencyMS()) {
		c, err = c.WithLatency(float64(key.latencyMS))
	}
	if err == nil {
		d.known[key] = c
	}
	return c, err
}

// winner is what would be recommended in a scene, if that is ranked below a limit.
func (d *decider) winner(s scene, limitMS float64) (Candidate, bool) {
	variants := d.compare(s, limitMS)
	if len(variants) == 0 {
		return Candidate{}, false
	}
	all := make([]Candidate, len(variants))
	for k, v := range variants {
		all[k] = v.Candidate
	}
	won := variants[Choose(all)]
	d.won[won.process] = true
	best, err := d.w.complete(won)
	return best, err == nil
}

// compare prices what can be run in a scene. What won before comes first: what comes out far above the soonest of that
// is out of the question.
func (d *decider) compare(s scene, limitMS float64) (out []variant) {
	compared, errs := make([]variant, len(d.processes)), make([]error, len(d.processes))
	for _, won := range []bool{true, false} {
		below := limitMS
		d.w.each(d.processes, func(k int) {
			if d.won[d.processes[k].name] == won {
				compared[k], errs[k] = d.least(d.processes[k], s, below)
			}
		})
		for k, v := range compared {
			if won && d.won[d.processes[k].name] && errs[k] == nil {
				limitMS = min(limitMS, v.PessimisticMS*(1+simplerWithin))
			}
		}
	}
	for k, v := range compared {
		if errs[k] == nil {
			out = append(out, v)
		}
	}
	return out
}
