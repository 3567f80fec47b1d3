package replan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/limits"
)

// TimingsFormat is the version tag of files of timings.
const TimingsFormat = "batopo.timings/v1"

// Timings say how long the messages of a running plan took, as the Python package measures it: from the beginning of
// a round until all of a peer's message was there, the median of the last rounds.
type Timings struct {
	Format    string      `json:"format"`
	Plan      string      `json:"plan"` // its hash
	Nodes     int         `json:"nodes"`
	MessageMB float64     `json:"message_mb"`
	Rounds    int         `json:"rounds"` // that the medians are of
	Arcs      []TimingArc `json:"arcs"`
}

// A TimingArc is the message from one node to another.
type TimingArc struct {
	From int     `json:"from"`
	To   int     `json:"to"`
	MS   float64 `json:"ms"`
}

// ReadTimings reads a file of timings and checks it.
func ReadTimings(r io.Reader) (*Timings, error) {
	source, err := limits.ReadText(r, limits.PlanBytes, "a file of timings")
	if err != nil {
		return nil, fmt.Errorf("replan: timings: %w", err)
	}
	t, err := decodeTimings(source)
	switch {
	case err != nil:
		return nil, err
	case t.Format != TimingsFormat:
		return nil, fmt.Errorf("replan: timings: format is %q; it must be %q", t.Format, TimingsFormat)
	case !(t.MessageMB > 0) || math.IsInf(t.MessageMB, 1):
		return nil, fmt.Errorf("replan: timings: message_mb is %v; it must be above 0", t.MessageMB)
	}
	seen := map[[2]int]int{}
	for k, a := range t.Arcs {
		if a.From < 0 || a.To < 0 || a.From >= t.Nodes || a.To >= t.Nodes || a.From == a.To {
			return nil, fmt.Errorf("replan: timings: arcs[%d] is from %d to %d; nodes are 0 … %d", k, a.From, a.To, t.Nodes-1)
		}
		if !(a.MS > 0) || math.IsInf(a.MS, 1) {
			return nil, fmt.Errorf("replan: timings: arcs[%d].ms is %v; it must be above 0", k, a.MS)
		}
		arc := [2]int{a.From, a.To}
		if first, twice := seen[arc]; twice { // it would count as two messages, which a link takes longer for
			return nil, fmt.Errorf("replan: timings: arcs[%d] is from %d to %d, as arcs[%d] is; a message has one time",
				k, a.From, a.To, first)
		}
		seen[arc] = k
	}
	return t, nil
}

// decodeTimings is strict about the types of a file of timings; what is in another kind of file is its own affair.
func decodeTimings(source []byte) (*Timings, error) {
	var t Timings
	err := json.Unmarshal(source, &t)
	wrong := new(json.UnmarshalTypeError)
	switch {
	case err == nil:
	case !errors.As(err, &wrong):
		return nil, fmt.Errorf("replan: timings: %w", err)
	case t.Format == "" || t.Format == TimingsFormat:
		return nil, fmt.Errorf("replan: timings: %s: %s does not belong here; save_timings of the Python package writes them",
			cmp.Or(wrong.Field, "the file"), wrong.Value)
	}
	return &t, nil
}

// slowed is how much longer than predicted a message must take before a resource is blamed, quicker how much shorter.
const (
	slowed  = 1.2
	quicker = 0.85
)

// Observe returns the cluster as the timings show it, and what it blames, in words. A message that takes longer than
// the resources on its way explain was held up by one of them. The fewest resources are blamed: those all of whose
// messages are late, the one with the most unexplained messages first. It then has what its messages got through it
// by the time the last was there. Where messages are early, the resources on their way carry at least that.
func (t *Timings) Observe(c *cluster.Cluster, p *design.Plan) (*cluster.Cluster, []string, error) {
	if t.Nodes != c.Nodes() {
		return nil, nil, fmt.Errorf("replan: timings of %d nodes, the cluster has %d", t.Nodes, c.Nodes())
	}
	if t.Plan != p.Hash {
		return nil, nil, errors.New("replan: the timings are of another plan")
	}
	if !graph(p) || p.Plain() != nil {
		return nil, nil, errors.New("replan: timings tell rates where all messages of a round travel at once, as those of " +
			"a static plan do; measure again (batopo.measure) and give --cluster NEW.yaml")
	}
	f, err := newFlows(c, t)
	if err != nil {
		return nil, nil, err
	}
	rates := f.rates()
	spec := general(c, rates)
	now, err := cluster.New(spec)
	if err != nil {
		return nil, nil, err
	}
	var words []string
	if planned := c.Model().MessageMB; t.MessageMB > 2*planned || planned > 2*t.MessageMB {
		words = append(words, fmt.Sprintf("messages of %.4g MB, where the plan was made for %.4g MB: its times are not "+
			"those of this run; plan with the message_mb of the run", t.MessageMB, planned))
	}
	for _, l := range slices.Sorted(maps.Keys(rates)) {
		r := c.Resources()[l]
		words = append(words, fmt.Sprintf("%s: %.4g GB/s instead of %.4g", r.Name, rates[l], r.GBs))
	}
	return now, words, nil
}

// general describes a cluster by resources and routes, with other rates for some.
func general(c *cluster.Cluster, rates map[int]float64) cluster.Spec {
	old, model := c.Spec(), c.Model()
	spec := cluster.Spec{Format: cluster.FormatV2, Nodes: c.Nodes(), Names: old.Names, LatencyMS: old.LatencyMS,
		PerMessageMS: old.PerMessageMS, PerCollectiveMS: old.PerCollectiveMS,
		Model: &cluster.ModelSpec{MessageMB: &model.MessageMB, TargetError: &model.TargetError}}
	for i := range c.Nodes() { // a tree says it of its groups
		spec.Model.NodeComputeMS = append(spec.Model.NodeComputeMS, c.ComputeMS(i))
		spec.Model.JitterMS = append(spec.Model.JitterMS, c.JitterMS(i))
	}
	names := make([]string, len(c.Resources()))
	for l, r := range c.Resources() {
		names[l] = r.Name
		rate := slower(r)
		if now, changed := rates[l]; changed {
			rate = now
		}
		spec.Resources = append(spec.Resources,
			cluster.ResourceSpec{Name: r.Name, GBs: rate, MaxEdges: r.MaxEdges,
				LatencyMS: r.LatencyMS, PerMessageMS: r.PerMessageMS})
	}
	var hops []cluster.Hop
	for _, e := range c.Candidates() {
		hops = c.Route(hops[:0], e.I, e.J)
		route := cluster.RouteSpec{Pair: []int{e.I, e.J}}
		for _, h := range hops {
			if !slices.Contains(route.Over, names[h.Resource]) {
				route.Over = append(route.Over, names[h.Resource])
			}
		}
		spec.Routes = append(spec.Routes, route)
	}
	return spec
}
