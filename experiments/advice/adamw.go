package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// A kind of cluster that people have, with a model that they train there.
type site struct{ name, text string }

// sites are the kinds of clusters that advice is judged on. Messages are parameters in 16 or 32 bits.
var sites = []site{
	{"8 H100 on NVSwitch, 350 M parameters", `tree: {nodes: 8, nvswitch: 450 GB/s}
model: {message_mb: 1400, compute_ms: 250}`},
	{"4 × 8 at 400 Gb/s, 1.3 B", fourServers("2600", "300")},
	{"4 × 8 at 400 Gb/s, 7 B", fourServers("14000", "1400")},
	{"16 on 25 GbE, ResNet-50", `nodes: 16
bandwidth: 3.125
model: {message_mb: 102, compute_ms: 120}`},
	{"16 on 25 GbE, ViT-L", `nodes: 16
bandwidth: 3.125
model: {message_mb: 1216, compute_ms: 300}`},
	{"8 workstations, two of them slow", `nodes: 8
bandwidth: [1.25, 1.25, 1.25, 1.25, 1.25, 1.25, 0.3125, 0.3125]
model: {message_mb: 350, compute_ms: 150}`},
	{"4 sites of one", `tree: {groups: [{name: site, count: 4, nodes: 1, link: 1 GB/s, uplink: 0.125 GB/s}]}
model: {message_mb: 50, compute_ms: 100}`},
	{"4 sites of 4", `tree: {groups: [{name: site, count: 4, nodes: 4, link: 1.25 GB/s, uplink: 0.125 GB/s}]}
model: {message_mb: 350, compute_ms: 150}`},
	{"BCube 16", `bcube: {ports: 4, layers: 2, bandwidth: [4.88, 9.76]}
model: {message_mb: 350, compute_ms: 60}`},
	{"leaf–spine 32, 4 : 1", `leafspine: {leaves: 4, hosts: 8, host: 12, uplink: 24}
model: {message_mb: 1400, compute_ms: 200}`},
	{"8 boards on Wi-Fi", `tree: {groups: [{name: wifi, count: 8, nodes: 1, link: 60Mb/s}]}
model: {message_mb: 5, compute_ms: 300}`},
	{"64 × 8", `tree: {groups: [{name: server, count: 64, nodes: 8, nvswitch: 450 GB/s, nics: {count: 8, gb_s: 50}}]}
model: {message_mb: 2600, compute_ms: 300}`},
	{"2 sites of 8 at 1 Gb/s", `tree: {groups: [{name: site, count: 2, nodes: 8, link: 12.5 GB/s, uplink: 0.125 GB/s}]}
model: {message_mb: 350, compute_ms: 150}`},
}

func fourServers(message, compute string) string {
	return `tree: {groups: [{name: server, count: 4, nodes: 8, nvswitch: 450 GB/s, nics: {count: 1, gb_s: 50}}]}
model: {message_mb: ` + message + `, compute_ms: ` + compute + `}`
}

// messages are how many times as large as stated messages are besides: slower and faster links.
var messages = []float64{0.25, 1, 4}

// reportAdamW judges choices with AdamW: steps are read from the table without the row that is judged.
func reportAdamW(ctx context.Context, w io.Writer) (tally adamTally, err error) {
	fmt.Fprintln(w, "\n| cluster, message | ways | recommended | best, measured | regret | always DDP | always exact |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, s := range sites {
		for _, times := range messages {
			c, err := cluster.Read(s.name, strings.NewReader("format: batopo.cluster/v2\n"+s.text))
			if err != nil {
				return tally, err
			}
			if c, err = c.WithMessage(times * c.Model().MessageMB); err != nil {
				return tally, err
			}
			ways, err := waysOn(ctx, c)
			if err != nil {
				return tally, fmt.Errorf("%s: %w", s.name, err)
			}
			if len(ways) == 1 {
				fmt.Fprintf(w, "| %s, %.4g MB | 1 | DDP: nothing else was measured | | | | |\n", s.name, c.Model().MessageMB)
				tally.alone++
				continue
			}
			fmt.Fprintf(w, "| %s, %.4g MB | %s |\n", s.name, c.Model().MessageMB, tally.judge(ways))
		}
	}
	tally.write(w)
	return tally, nil
}

// An adamWay is a row of the table on a cluster: what plan would predict of it, and what every seed needs.
type adamWay struct {
	advise.Candidate
	each  []float64 // ms that are worth a step of DDP, by seed
	atEnd bool      // of the table: the row cannot be left out, only the seed that is judged
}

// unseen is the prediction for a seed that it has not seen: of the other seeds where the row cannot be left out.
func (w adamWay) unseen(seed int) advise.Candidate {
	c := w.Candidate
	if w.atEnd {
		others := (sum(w.each) - w.each[seed]) / float64(len(w.each)-1)
		c.PessimisticMS *= others / c.PredictedMS
		c.PredictedMS = others
	}
	return c
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

// waysOn are DDP and the plain averages that the table has for as many models as the cluster has nodes or groups.
func waysOn(ctx context.Context, c *cluster.Cluster) ([]adamWay, error) {
	ddp, err := advise.DDPIterationMS(ctx, c, 0)
	if err != nil {
		return nil, err
	}
	out := []adamWay{{advise.Candidate{Name: "DDP", Kind: advise.DDP, Every: 1, IterationMS: ddp, PredictedMS: ddp,
		PessimisticMS: ddp}, []float64{ddp, ddp, ddp}, false}}
	averages := map[int]*design.Plan{}
	for _, m := range adamw.Measured().All() {
		if m.Idle || !m.Plain() {
			continue
		}
		plan, known := averages[m.Models]
		if !known {
			plan = average(ctx, c, m.Models)
			averages[m.Models] = plan
		}
		if plan == nil {
			continue
		}
		waits, err := plan.Process(c)
		if err != nil {
			return nil, err
		}
		ms, err := waits.Running(m.Every, 0).OnCluster(c)
		if err != nil {
			return nil, err
		}
		out = append(out, newWay(m, advise.KindOf(plan), ms))
	}
	return out, nil
}

// average is an all-reduce among that many models: the nodes, or the groups of the cluster, whose nodes average
// gradients in every step; nil where it has as many of neither.
func average(ctx context.Context, c *cluster.Cluster, models int) *design.Plan {
	if c.Nodes() == models {
		if plan, err := sweep.CollectivePlan(ctx, c, "", 1); err == nil {
			return plan
		}
	}
	divisions, _ := cost.Divisions(c) // an error says that there are none
	for _, groups := range divisions {
		how := &design.Collective{Algorithm: design.RingForm, Order: topology.InOrder(len(groups))}
		if plan, err := design.NewTwoClockPlan(c, groups, how); err == nil && len(groups) == models {
			return plan
		}
	}
	return nil
}

// newWay predicts steps by the table without the row. At its ends there is nothing to read between: there only the seed
// that is judged is left out.
func newWay(m adamw.Row, kind advise.Kind, ms float64) adamWay {
	steps, err := adamw.Measured().Without(m.Name).Steps(m.Averaging)
	if err != nil {
		steps, _ = adamw.Measured().Steps(m.Averaging)
	}
	w := adamWay{atEnd: err != nil, Candidate: advise.Candidate{Name: m.Name, Kind: kind, Every: m.Every, IterationMS: ms,
		PredictedMS: ms * steps.Ratio, PessimisticMS: ms * steps.High, Deviation: math.Log(steps.High / steps.Ratio)}}
	for _, x := range m.Each {
		w.each = append(w.each, ms*x)
	}
	return w
}

// An adamTally counts choices, one for every seed.
type adamTally struct {
	choices, good, ddpGood, exactGood int
	sum, worst, ddpWorst, exactWorst  float64
	alone                             int // clusters on which nothing but DDP was measured
}

// judge chooses, and returns the rest of a row of the table; regrets are the largest of the seeds.
func (t *adamTally) judge(ways []adamWay) string {
	exact := max(0, slices.IndexFunc(ways, func(w adamWay) bool { return w.Kind == advise.Collective && w.Every == 1 }))
	var worst, worstDDP, worstExact float64
	chosen, best := 0, ways[0]
	for seed := range ways[0].each {
		candidates := make([]advise.Candidate, len(ways))
		for k, w := range ways {
			candidates[k] = w.unseen(seed)
		}
		chosen = advise.Choose(candidates)
		best = slices.MinFunc(ways, func(a, b adamWay) int {
			return int(math.Copysign(1, a.each[seed]-b.each[seed]))
		})
		regret := func(k int) float64 { return ways[k].each[seed]/best.each[seed] - 1 }
		t.choices++
		t.sum += regret(chosen)
		worst, worstDDP, worstExact = max(worst, regret(chosen)), max(worstDDP, regret(0)), max(worstExact, regret(exact))
		for count, k := range map[*int]int{&t.good: chosen, &t.ddpGood: 0, &t.exactGood: exact} {
			if regret(k) <= goal {
				*count++
			}
		}
	}
	t.worst, t.ddpWorst = max(t.worst, worst), max(t.ddpWorst, worstDDP)
	t.exactWorst = max(t.exactWorst, worstExact)
	return fmt.Sprintf("%d | %s | %s | %s | %s | %s", len(ways), ways[chosen].Name, best.Name, percent(worst),
		percent(worstDDP), percent(worstExact))
}

func (t *adamTally) write(w io.Writer) {
	fmt.Fprintln(w, "\n| AdamW | choices | regret at most 10 % | worst |\n|---|---|---|---|")
	fmt.Fprintf(w, "| plan | %d | %d | %s |\n", t.choices, t.good, percent(t.worst))
	fmt.Fprintf(w, "| always DDP | %d | %d | %s |\n", t.choices, t.ddpGood, percent(t.ddpWorst))
	fmt.Fprintf(w, "| always exact averages in every step | %d | %d | %s |\n", t.choices, t.exactGood,
		percent(t.exactWorst))
	fmt.Fprintf(w, "\nOf plan the mean is %s. On %d clusters nothing but DDP was measured: no choice.\n",
		percent(t.sum/float64(t.choices)), t.alone)
}
