package advise

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/grace"
)

// A process without a price is named with the reason, and the others are ranked.
func TestUnpricedProcessesAreListed(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	l := &list{c: c, setting: Setting{Seed: 1}}
	l.exact(t.Context(), &sweep.Sweep{})
	no := errors.New("no price today")
	broken := *l.processes[1]
	broken.name, broken.price = "broken", func(scene) (priced, error) { return priced{}, no }
	w := newPredictor(MeasuredConvergence(), Setting{}.WithDefaults())
	s := scene{c: c, faster: 1, compute: cost.DrawsOf(c)}
	all, unpriced, err := w.rank(t.Context(), s, append(l.processes, &broken), untold)
	if err != nil || len(all) != len(l.processes) {
		t.Fatalf("%d of %d ranked: %v", len(all), len(l.processes), err)
	}
	if len(unpriced) != 1 || unpriced[0].Name != "broken" || !errors.Is(unpriced[0].Err, no) {
		t.Errorf("unpriced: %+v", unpriced)
	}
	if _, unpriced, err = w.rank(t.Context(), s, []*process{&broken}, untold); !errors.Is(err, no) || len(unpriced) != 1 {
		t.Errorf("with nothing else: %v, %+v", err, unpriced)
	}
}

// What runs with AdamW say of a process is looked up once, also where that is nothing: the same process is compared in
// hundreds of scenes.
func TestWhatRunsSayIsLookedUpOnce(t *testing.T) {
	w := newPredictor(MeasuredConvergence(), Setting{Optimizer: AdamW}.WithDefaults())
	for nodes, known := range map[int]bool{4: true, 31: false} {
		p := &process{kind: Collective, shape: exactShape(nodes)}
		ways, err := w.ways(p)
		if (len(ways) > 0) != known || (err == nil) != known {
			t.Errorf("%d nodes: %d ways, %v; want that some are known: %t", nodes, len(ways), err, known)
		}
		if n := testing.AllocsPerRun(2, func() { _, _ = w.ways(p) }); n > 0 {
			t.Errorf("%d nodes: they are looked up again", nodes)
		}
	}
}

// When the time is over, all-reduces are still compared; the others are listed as left out for that.
func TestWeighingEndsWithTheTime(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l := &list{c: c, setting: Setting{Seed: 1}}
	l.exact(ctx, &sweep.Sweep{})
	exact := len(l.processes)
	rows, _ := sweep.Baselines(ctx, c, 1)
	l.known(&sweep.Sweep{Baselines: rows})
	l.begin(ctx, l.methods, newCounter(design.Listing, len(l.methods), untold))()
	cancel()
	w := newPredictor(MeasuredConvergence(), Setting{}.WithDefaults())
	s := scene{c: c, faster: 1, compute: cost.DrawsOf(c)}
	all, unpriced, err := w.rank(ctx, s, l.processes, untold)
	if err != nil || len(all) != exact || len(unpriced) != len(l.processes)-exact {
		t.Fatalf("%d compared, %d not, %d of these exact: %v", len(all), len(unpriced), exact, err)
	}
	if len(unpriced) == 0 || !errors.Is(unpriced[0].Err, grace.ErrGivenUp) {
		t.Errorf("not compared: %+v", unpriced)
	}
	all, _, err = w.rank(ctx, s, l.processes[exact:], untold)
	if err != nil || len(all) != 1 {
		t.Errorf("without all-reduces %d are compared, want the first: %v", len(all), err)
	}
}

// Other bandwidths, priced by another message, cost what a cluster that really has them costs: DDP's buckets stay.
func TestBandwidthIsPricedAsIfTheClusterHadIt(t *testing.T) {
	const faster = 3.7
	spec := cluster.Homogeneous(5, 2)
	spec.LatencyMS = 0.3
	here, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	spec.Bandwidth = cluster.Numbers{2 * faster}
	there, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	l := &list{c: here, setting: Setting{Seed: 1}}
	l.exact(t.Context(), &sweep.Sweep{})
	w := newPredictor(MeasuredConvergence(), Setting{}.WithDefaults())
	d := &decider{here: scene{c: here, faster: 1, compute: cost.DrawsOf(here)}, known: map[numbers]*cluster.Cluster{}}
	as, err := d.with(here.Model().MessageMB, faster, here.LatencyMS())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range l.processes {
		got, err := w.best(p, as)
		if err != nil {
			t.Fatal(err)
		}
		want, err := w.best(p, scene{c: there, faster: 1, compute: d.here.compute})
		if err != nil {
			t.Fatal(err)
		}
		const rounding = 1e-6 // sizes of messages have seven digits
		if math.Abs(got.IterationMS/want.IterationMS-1) > rounding ||
			math.Abs(got.CommunicationMS/want.CommunicationMS-1) > rounding {
			t.Errorf("%s: %v ms, rounds %v; with such links %v and %v", p.name, got.IterationMS, got.CommunicationMS,
				want.IterationMS, want.CommunicationMS)
		}
	}
}

// Processes are compared side by side; on one processor the same comes out, and a second time too.
func TestRankingIsTheSameOnAnyNumberOfCores(t *testing.T) {
	spec := cluster.Homogeneous(6, 1)
	spec.Format = cluster.FormatV2
	compute, jitter := 10.0, cluster.Numbers{2}
	spec.Model = &cluster.ModelSpec{ComputeMS: &compute, JitterMS: jitter}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	l := &list{c: c, setting: Setting{Seed: 1}}
	l.exact(t.Context(), &sweep.Sweep{})
	var want []Candidate
	for _, cores := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(cores)
		w := newPredictor(MeasuredConvergence(), Setting{}.WithDefaults())
		for range 2 {
			all, _, err := w.rank(t.Context(), scene{c: c, faster: 1, compute: cost.DrawsOf(c)}, l.processes, untold)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = all
			}
			if !reflect.DeepEqual(all, want) {
				t.Errorf("%d cores: %+v, want %+v", cores, all, want)
			}
		}
		runtime.GOMAXPROCS(before)
	}
}
