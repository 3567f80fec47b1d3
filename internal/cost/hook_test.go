package cost_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

func hooked(t *testing.T, spec cluster.Spec, messageMB, bucketMB float64, a *collective.Algorithm) *cost.Process {
	t.Helper()
	spec.Model = &cluster.ModelSpec{MessageMB: &messageMB}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	h, err := cost.NewHook(c, a)
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.InBuckets(c, bucketMB, cost.Gradients(1))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// 16 nodes at 25 Gb/s halve and double 102 MB: 61.2 ms of bytes. 1 MB and 20.2 buckets of 5 MB take 8 steps each, and
// a step passes two links. The engine cuts 101 MB into 5 blocks, which follow each other.
func TestEveryBucketPaysLatency(t *testing.T) {
	for _, tc := range []struct{ latencyMS, want float64 }{{0.03, 71}, {0.3, 163}, {3, 1079}} {
		spec := cluster.Homogeneous(16, 3.125)
		spec.LatencyMS = 2 * tc.latencyMS
		p := hooked(t, spec, 102, 5, collective.HalvingDoubling(topology.InOrder(16)))
		if got := p.AllMS(); math.Abs(got-tc.want) > 0.5 {
			t.Errorf("%v ms a link: %.1f ms, want %v", tc.latencyMS, got, tc.want)
		}
		once := hooked(t, spec, 102, 1000, collective.HalvingDoubling(topology.InOrder(16)))
		if got, want := once.AllMS(), 61.2+2*(8+5+7)*tc.latencyMS; math.Abs(got-want) > 0.5 {
			t.Errorf("%v ms a link, all but the first MB at once: %.1f ms, want %.1f", tc.latencyMS, got, want)
		}
	}
}

// An engine takes buckets through the steps of an algorithm as python/batopo/data_parallel.py and engine.py do: in every slot
// one block more begins, all others go one step on, and the slot lasts until the busiest node has sent and received. Over
// gloo it waits for notices where the other end could not say before that it receives: at the beginning, and with large
// blocks always.
type engine struct {
	runs      *collective.Algorithm
	gbs       []float64
	latencyMS float64
	backend   cluster.Backend
	running   []flight
	ms        float64
}

type flight struct {
	mb float64
	at int
}

func (e *engine) slot() {
	out, in := make([]float64, e.runs.Nodes), make([]float64, e.runs.Nodes)
	var kept []flight
	unexpected := len(e.running) == 1 && e.running[0].at == 0
	for _, f := range e.running {
		unexpected = unexpected || f.mb > 4
		for _, t := range e.runs.At(f.at) {
			out[t.From] += f.mb * t.Share() / e.gbs[t.From]
			in[t.To] += f.mb * t.Share() / e.gbs[t.To]
		}
		if f.at++; f.at < e.runs.Steps {
			kept = append(kept, f)
		}
	}
	longest := 0.0
	for i := range out {
		longest = max(longest, out[i], in[i])
	}
	if e.backend == cluster.Gloo && unexpected {
		longest += e.latencyMS
	}
	e.ms, e.running = e.ms+e.latencyMS+longest, kept
}

// pass averages buckets that are all there, and returns what it takes.
func (e *engine) pass(buckets []float64, chunks int) float64 {
	total := 0.0
	for _, mb := range buckets {
		total += mb
	}
	follows := true
	for _, mb := range buckets {
		for !follows && len(e.running) > 0 {
			e.slot()
		}
		blocks := int(max(1, math.RoundToEven(float64(chunks)*mb/total), math.Ceil(mb/25)))
		for range blocks {
			e.running = append(e.running, flight{mb: mb / float64(blocks)})
			e.slot()
		}
		follows = e.backend == cluster.Gloo && blocks >= e.runs.Steps-1
	}
	for len(e.running) > 0 {
		e.slot()
	}
	return e.ms
}

// Where blocks of different buckets have different sizes, the price takes all of those of a bucket as amid their own.
func TestBucketsCostWhatTheEngineDoes(t *testing.T) {
	order := topology.InOrder(8)
	uneven := []float64{0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
	random := rand.New(rand.NewPCG(1, 1))
	for _, a := range []*collective.Algorithm{
		collective.HalvingDoubling(order), collective.Doubling(order), collective.Ring(order), collective.Shards(uneven),
		collective.Shards(uneven).InChunks(16), collective.HalvingDoubling(order).InChunks(16),
		collective.Trees(collective.TwoTrees(order)).InChunks(64), collective.Ring(order).InChunks(32),
	} {
		for _, bucketMB := range []float64{5, 25, 100, 400} {
			gbs := make(cluster.Numbers, 8)
			for i := range gbs {
				gbs[i] = 1 + 3*random.Float64()
			}
			latencyMS, count := math.Pow(10, 2*random.Float64()-1), 1+random.IntN(20)
			buckets := []float64{1}
			for range count {
				buckets = append(buckets, bucketMB)
			}
			messageMB := 1 + float64(count)*bucketMB
			for _, backend := range []cluster.Backend{cluster.Gloo, cluster.NCCL} {
				p := hooked(t, cluster.Spec{Format: cluster.FormatV2, Bandwidth: gbs, LatencyMS: latencyMS, Backend: backend},
					messageMB, bucketMB, a)
				e := engine{runs: a, gbs: gbs, latencyMS: latencyMS, backend: backend}
				want, got := e.pass(buckets, a.Chunks), p.AllMS()
				name := fmt.Sprintf("%s in %d chunks over %s, %d buckets of %v MB", a.Name, a.Chunks, backend, count, bucketMB)
				one := 0.0 // notice is not priced where a small bucket begins and large ones follow at once
				if backend == cluster.Gloo && a.Steps == 2 {
					one = latencyMS
				}
				if math.Abs(got-want) > 1e-3*want+one {
					t.Errorf("%s: %.2f ms, the engine takes %.2f", name, got, want)
				}
			}
		}
	}
}
