package verify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

// A way is one direction of a resource.
type way struct {
	resource int
	side     cluster.Side
}

// byHand prices a round from nothing but routes and capacities: a second count, written apart from package cluster's on
// purpose. Arcs share a direction of a duplex resource; what is shared by both directions counts each pair of nodes
// once, and a half-duplex channel every arc as often as it is passed.
func byHand(c *cluster.Cluster, w *mixing.Matrix) (slowestGBs, ms float64) {
	type pair struct{ i, j, pass int }
	users, sent := map[way]map[pair]bool{}, make([]int, c.Nodes())
	each := func(visit func(i, j int)) {
		for to := range w.Nodes() {
			from, _ := w.Row(to)
			for _, i := range from {
				visit(i, to)
			}
		}
	}
	each(func(i, j int) {
		for pass, h := range c.Route(nil, i, j) {
			who := pair{i: i, j: j}
			switch h.Side {
			case cluster.Shared:
				who = pair{i: min(i, j), j: max(i, j)}
			case cluster.HalfDuplex:
				who.pass = pass
			}
			at := way{h.Resource, h.Side}
			if users[at] == nil {
				users[at] = map[pair]bool{}
			}
			users[at][who] = true
		}
		sent[i]++
	})
	slowestGBs = math.Inf(1)
	each(func(i, j int) {
		latency, gbs := c.LatencyMS()+float64(sent[i])*c.PerMessageMS(), math.Inf(1)
		for _, h := range c.Route(nil, i, j) {
			r := c.Resources()[h.Resource]
			rate := r.GBs
			if h.Side == cluster.Sender && r.UpGBs > 0 {
				rate = r.UpGBs
			}
			if h.Side == cluster.Receiver && r.DownGBs > 0 {
				rate = r.DownGBs
			}
			passing := float64(len(users[way{h.Resource, h.Side}]))
			latency += r.LatencyMS + passing*r.PerMessageMS
			gbs = min(gbs, rate/passing)
		}
		slowestGBs = min(slowestGBs, gbs)
		ms = max(ms, latency+c.Model().MessageMB/gbs)
	})
	return slowestGBs, ms
}

// unevenClusters are random hardware with directions that differ, shared resources, latencies and cards.
func unevenClusters(t *testing.T) map[string]*cluster.Cluster {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, 4))
	rate := func() float64 { return math.Round(10*math.Exp(3*rng.Float64())) / 10 }
	link := func() *cluster.Link {
		if rng.IntN(2) == 0 {
			return &cluster.Link{GBs: rate(), LatencyMS: rng.Float64(), PerMessageMS: rng.Float64()}
		}
		return &cluster.Link{UpGBs: rate(), DownGBs: rate(), LatencyMS: rng.Float64()}
	}
	all := map[string]*cluster.Cluster{}
	for trial := range 12 {
		spec := cluster.Spec{Format: cluster.FormatV2, LatencyMS: rng.Float64(), Tree: &cluster.Group{}}
		for range 2 + rng.IntN(3) {
			g := cluster.Group{Nodes: 1 + rng.IntN(4), Link: link(), Uplink: link()}
			if rng.IntN(2) == 0 {
				g.Between = &cluster.Link{GBs: rate()}
			}
			if rng.IntN(3) == 0 {
				g.Through = &cluster.Link{GBs: rate()}
			}
			if rng.IntN(3) == 0 {
				g.Channel = &cluster.Link{GBs: rate(), LatencyMS: rng.Float64(), PerMessageMS: rng.Float64()}
			}
			if rng.IntN(3) == 0 {
				g.NVSwitch = &cluster.Link{GBs: 100 * rate()}
			}
			spec.Tree.Groups = append(spec.Tree.Groups, g)
		}
		c, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		all[fmt.Sprint("tree ", trial)] = c
		m := &cluster.Matrix{GBs: make([][]float64, 4+trial%4)}
		for i := range m.GBs {
			m.GBs[i] = make([]float64, len(m.GBs))
			for j := range m.GBs {
				if i != j {
					m.GBs[i][j] = rate()
				}
			}
		}
		if c, err = cluster.New(cluster.Spec{Format: cluster.FormatV2, Matrix: m}); err != nil {
			t.Fatal(err)
		}
		all[fmt.Sprint("matrix ", trial)] = c
	}
	return all
}

// What a plan says of bandwidths and times is what its routes and capacities give by a count of its own, and verify
// agrees; a time that is a millionth off is refused.
func TestPricesByASecondCount(t *testing.T) {
	all := unevenClusters(t)
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		c, err := cluster.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = c
	}
	for name, c := range all {
		priced := 0
		for trial := range 8 {
			w := randomRound(t, c, uint64(trial))
			s, err := w.Spectrum(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			p, err := design.NewPlan(t.Context(), c, w, s)
			if err != nil {
				continue // more edges than a resource carries
			}
			priced++
			gbs, ms := byHand(c, w)
			if math.Abs(p.MinEdgeGBs-gbs) > 1e-12*gbs || math.Abs(p.CommunicationMS-ms) > 1e-12*ms {
				t.Errorf("%s: %v GB/s and %v ms, by hand %v and %v", name, p.MinEdgeGBs, p.CommunicationMS, gbs, ms)
			}
			for _, claim := range []string{"min_edge_gb_s", "communication_ms"} {
				if got := statusOf(t, p, claim); got != verify.OK {
					t.Errorf("%s: verify calls %s %s", name, claim, got)
				}
			}
			p.CommunicationMS *= 1 + 1e-6
			if got := statusOf(t, p, "communication_ms"); got != verify.False {
				t.Errorf("%s: a millionth more is %s", name, got)
			}
		}
		if priced == 0 {
			t.Errorf("%s: no round has a price", name)
		}
	}
}

// randomRound is a random choice of the candidate edges, both ways; every other one is a cycle through all nodes in one
// direction where each pair may talk.
func randomRound(t *testing.T, c *cluster.Cluster, seed uint64) *mixing.Matrix {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 9))
	candidates, n := c.Candidates(), c.Nodes()
	if seed%2 == 1 && len(candidates) == topology.Pairs(n) && n > 2 {
		order := rng.Perm(n)
		var arcs []mixing.Arc
		for k, i := range order {
			arcs = append(arcs, mixing.Arc{From: i, To: order[(k+1)%n], Weight: 0.3})
		}
		w, err := mixing.FromArcs(n, arcs)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	var edges []topology.Edge
	for _, k := range rng.Perm(len(candidates))[:1+rng.IntN(min(2*n, len(candidates)))] {
		edges = append(edges, candidates[k])
	}
	g, err := topology.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	weight := make([]float64, len(edges))
	for k := range weight {
		weight[k] = 0.5 / float64(g.MaxDegree())
	}
	w, err := mixing.FromEdges(g, weight)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
