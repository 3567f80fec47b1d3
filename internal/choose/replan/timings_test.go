package replan_test

import (
	"bytes"
	"github.com/batopo/batopo/internal/cost"
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/replan"
)

// timings computes what the messages of a plan take on a cluster: every message what the busiest resource on its way
// takes for all that pass it.
func timings(t *testing.T, p *design.Plan, c *cluster.Cluster) *replan.Timings {
	t.Helper()
	out := &replan.Timings{Format: replan.TimingsFormat, Plan: p.Hash, Nodes: p.Nodes, MessageMB: c.Model().MessageMB}
	load := map[cluster.Hop]int{}
	for _, e := range p.Edges() {
		for _, arc := range [][2]int{{e.I, e.J}, {e.J, e.I}} {
			for _, h := range c.Route(nil, arc[0], arc[1]) {
				load[h]++
			}
			out.Arcs = append(out.Arcs, replan.TimingArc{From: arc[0], To: arc[1]})
		}
	}
	for k, a := range out.Arcs {
		for _, h := range c.Route(nil, a.From, a.To) {
			ms := float64(load[h]) * out.MessageMB / c.Resources()[h.Resource].Toward(h.Side)
			out.Arcs[k].MS = max(out.Arcs[k].MS, ms)
		}
		out.Arcs[k].MS += c.LatencyMS()
	}
	return out
}

func TestTimingsBlameTheNodeThatIsSlow(t *testing.T) {
	before := nodes(t, 12, nil)
	plan := solve(t, before, 24, 1000, design.Consensus)
	seen := timings(t, plan, nodes(t, 12, map[int]float64{3: 0.4}))
	now, words, err := seen.Observe(before, plan)
	if err != nil {
		t.Fatal(err)
	}
	if len(words) != 1 || !strings.HasPrefix(words[0], before.Resources()[3].Name) {
		t.Errorf("blames %q; node 3 is slow", words)
	}
	for l, r := range now.Resources() {
		want := before.Resources()[l].GBs
		if l == 3 {
			want *= 0.4
		}
		if math.Abs(r.GBs/want-1) > 1e-9 {
			t.Errorf("%s has %v GB/s; it has %v", r.Name, r.GBs, want)
		}
	}
	if a := decide(t, plan, now, replan.Settings{}); a.Keep {
		t.Errorf("keeps the plan: %s", a.Why)
	}
	// Seen from there the same timings say nothing new: what is observed counts edges as the cluster before did.
	if _, words, err := seen.Observe(now, plan); err != nil || len(words) > 0 {
		t.Errorf("blames %q again, %v", words, err)
	}
}

// What a message is on its way for anyhow is not the fault of a resource, and how long nodes compute is not forgotten.
func TestTimingsFromAfar(t *testing.T) {
	compute, jitter := 80.0, 3.0
	racks := func(link float64) *cluster.Cluster {
		rack := cluster.Group{Name: "rack", Count: 2, Nodes: 4, Link: &cluster.Link{GBs: link}, Uplink: &cluster.Link{GBs: 99},
			JitterMS: &jitter}
		c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, LatencyMS: 40,
			Tree: &cluster.Group{ComputeMS: &compute, Groups: []cluster.Group{rack}}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	before := racks(10)
	plan := solve(t, before, 12, 1000, design.Training)
	for _, link := range []float64{2, 40} {
		then := racks(link)
		now, words, err := timings(t, plan, then).Observe(before, plan)
		if err != nil {
			t.Fatal(err)
		}
		w, err := plan.Matrices()
		if err != nil {
			t.Fatal(err)
		}
		want, err := cost.Gossip(then, w[0])
		if err != nil {
			t.Fatal(err)
		}
		got, err := cost.Gossip(now, w[0])
		if err != nil || math.Abs(got.CommunicationMS/want.CommunicationMS-1) > 1e-9 {
			t.Errorf("links of %v GB/s: a round takes %v ms, by the timings %v (%q, %v)",
				link, want.CommunicationMS, got.CommunicationMS, words, err)
		}
		if now.ComputeMS(5) != compute || now.JitterMS(5) != jitter || now.Model().ComputeMS != compute {
			t.Errorf("node 5 computes for %v ± %v ms, all for %v; it was %v ± %v",
				now.ComputeMS(5), now.JitterMS(5), now.Model().ComputeMS, compute, jitter)
		}
	}
}

func TestTimingsOfAnUplinkAndOfFasterLinks(t *testing.T) {
	racks := func(link, uplink float64) *cluster.Cluster {
		c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{
			Name: "rack", Count: 2, Nodes: 4, Link: &cluster.Link{GBs: link}, Uplink: &cluster.Link{GBs: uplink}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	before := racks(10, 40)
	plan := solve(t, before, 12, 1000, design.Consensus)
	now, words, err := timings(t, plan, racks(10, 4)).Observe(before, plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range words {
		if !strings.Contains(text, "uplink") {
			t.Errorf("blames %q; the uplinks are slow", text)
		}
	}
	if len(words) == 0 {
		t.Error("blames nobody")
	}
	for _, r := range now.Resources() {
		if strings.Contains(r.Name, "uplink") && r.GBs < 4*(1-1e-9) {
			t.Errorf("%s has %v GB/s; it has 4", r.Name, r.GBs)
		}
	}
	now, _, err = timings(t, plan, racks(30, 120)).Observe(before, plan)
	if err != nil {
		t.Fatal(err)
	}
	old, err := cost.Gossip(now, matrix(t, plan))
	if err != nil {
		t.Fatal(err)
	}
	if old.CommunicationMS > 0.4*plan.CommunicationMS {
		t.Errorf("three times the bandwidth, and a round is priced at %v ms; it was %v", old.CommunicationMS,
			plan.CommunicationMS)
	}
}

func TestTimingsThatSayNothingNew(t *testing.T) {
	before := nodes(t, 12, nil)
	plan := solve(t, before, 24, 1000, design.Consensus)
	if _, words, err := timings(t, plan, before).Observe(before, plan); err != nil || len(words) > 0 {
		t.Errorf("blames %q, %v", words, err)
	}
	small := timings(t, plan, before) // at the same rates
	small.MessageMB /= 100
	for k := range small.Arcs {
		small.Arcs[k].MS /= 100
	}
	if _, words, err := small.Observe(before, plan); err != nil || len(words) != 1 ||
		!strings.Contains(words[0], "messages of 0.489 MB, where the plan was made for 48.9 MB") {
		t.Errorf("of messages a hundredth as long it says %q, %v", words, err)
	}
	other := timings(t, plan, before)
	other.Plan = "another"
	if _, _, err := other.Observe(before, plan); err == nil {
		t.Error("timings of another plan are accepted")
	}
}

func TestTimingsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		``:                             "timings",
		`[1, 2]`:                       "the file: array does not belong here",
		`{"format": "batopo.plan/v4"}`: "format",
		`{"format": "batopo.plan/v4", "rounds": [{}]}`:                                                                                         `format is "batopo.plan/v4"`,
		`{"format": "batopo.timings/v1", "rounds": [{}]}`:                                                                                      "rounds: array does not belong here",
		`{"format": "batopo.timings/v1"}`:                                                                                                      "message_mb",
		`{"format": "batopo.timings/v1", "message_mb": 1, "nodes": 2, "arcs": [{"from": 0, "to": 2, "ms": 1}]}`:                                "arcs[0]",
		`{"format": "batopo.timings/v1", "message_mb": 1, "nodes": 2, "arcs": [{"from": 0, "to": 1}]}`:                                         "ms",
		`{"format": "batopo.timings/v1", "message_mb": 1, "nodes": 2, "arcs": [{"from": -1, "to": 1, "ms": 1}]}`:                               "arcs[0]",
		`{"format": "batopo.timings/v1", "message_mb": 1, "nodes": 2, "arcs": [{"from": 1, "to": 1, "ms": 1}]}`:                                "arcs[0]",
		`{"format": "batopo.timings/v1", "message_mb": 1, "nodes": 2, "arcs": [{"from": 0, "to": 1, "ms": 1}, {"from": 0, "to": 1, "ms": 9}]}`: "arcs[1] is from 0 to 1, as arcs[0] is",
	} {
		if _, err := replan.ReadTimings(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; it should name %s", text, err, want)
		}
	}
}

// FuzzTimings reads what becomes of a file of timings, and looks at a cluster through it. That gives a cluster, or a
// complaint.
func FuzzTimings(f *testing.F) {
	for _, spec := range []string{`{"from": 0, "to": 1, "ms": 9}`, `{"from": 3, "to": 2, "ms": 900}, {"from": 2, "to": 3, "ms": 1e-3}`} {
		f.Add([]byte(`{"format": "batopo.timings/v1", "plan": "", "nodes": 4, "message_mb": 48, "arcs": [` + spec + `]}`))
	}
	c, err := cluster.New(cluster.Homogeneous(4, 9.76))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		seen, err := replan.ReadTimings(bytes.NewReader(b))
		if err != nil {
			return
		}
		now, _, err := seen.Observe(c, &design.Plan{Nodes: 4, Hash: seen.Plan})
		if err == nil && now.Nodes() != c.Nodes() {
			t.Errorf("%d nodes", now.Nodes())
		}
	})
}
