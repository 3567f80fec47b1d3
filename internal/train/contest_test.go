package train_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/mixing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// contest is a small one: every kind of averaging, order and momentum once. change may alter it.
func contest(t testing.TB, change func(m *train.Model, e []train.Entry, l *train.Length)) *train.Contest {
	t.Helper()
	const nodes = 8
	hardware, err := cluster.New(cluster.Homogeneous(nodes, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	onePeer, err := mixing.OnePeerExponential(nodes)
	if err != nil {
		t.Fatal(err)
	}
	ring, err := mixing.FindFamily("ring")
	if err != nil {
		t.Fatal(err)
	}
	w, err := ring.Build(mixing.Params{Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	m, l := train.Model{Hidden: []int{12}, Batch: 8, Seed: 5, Skew: 0.5}, train.Length{Iterations: 20, TestEvery: 8}
	entries := []train.Entry{
		{Name: "exact", Settings: train.Settings{Rate: 0.05, Beta: 0.9}},
		{Name: "ring", W: mixing.Static(w), Settings: train.Settings{
			Rate: 0.05, Beta: 0.9, Momentum: train.QuasiGlobal, Order: design.CombineThenAdapt}},
		{Name: "one-peer", W: onePeer, Settings: train.Settings{Rate: 0.05, Beta: 0.9, Momentum: train.Mixed, Every: 3}},
	}
	if change != nil {
		change(&m, entries, &l)
	}
	n, err := train.NewNetwork(train.Digits(), m, nodes)
	if err != nil {
		t.Fatal(err)
	}
	k, err := train.NewContest(hardware, n, entries, l)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

type report struct {
	Entry int
	Point train.Point
}

func reports(ctx context.Context, k *train.Contest) (all []report, complete bool) {
	complete = k.Train(ctx, func(entry int, p train.Point) { all = append(all, report{entry, p}) })
	return all, complete
}

// The number of workers changes no bit.
func TestDeterministicForAnyNumberOfWorkers(t *testing.T) {
	with := func(workers int) []report {
		k := contest(t, func(_ *train.Model, e []train.Entry, _ *train.Length) {
			for i := range e {
				e[i].Settings.Workers = workers
			}
		})
		all, complete := reports(t.Context(), k)
		if !complete {
			t.Fatal("not complete")
		}
		return all
	}
	one := with(1)
	if diff := cmp.Diff(one, with(4), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("four workers train other models than one:\n%s", diff)
	}
	if diff := cmp.Diff(one, with(1), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("the same run twice trains different models:\n%s", diff)
	}
}

// limited is a context that ends after it has been asked a number of times: a stop at a known iteration.
type limited struct {
	context.Context
	left int
}

func (l *limited) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

// A run that is cancelled after any number of iterations and trained further ends with the models of one that was not,
// and reports the same tests.
func TestCancelledAndContinuedEqualsUninterrupted(t *testing.T) {
	whole := contest(t, nil)
	want, complete := reports(t.Context(), whole)
	if !complete {
		t.Fatal("not complete")
	}
	for stop := 0; stop < 60; stop += 7 {
		k := contest(t, nil)
		if k.Train(&limited{t.Context(), stop}, nil) {
			t.Fatalf("complete although it was stopped after %d iterations", stop)
		}
		got, complete := reports(t.Context(), k)
		if !complete || k.LocalAccuracy(1) != whole.LocalAccuracy(1) {
			t.Errorf("stopped after %d iterations: other models than without a stop", stop)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("stopped after %d iterations, other tests:\n%s", stop, diff)
		}
	}
}

// Times are those of the cluster: 5.01 ms a message at 9.76 GB/s, 15.21 ms compute. A ring round has two messages; a
// one-peer round one, doubled by mixed momentum, in every third iteration; ring all-reduce 2·7/8 of one.
func TestTimeIsComputePlusRounds(t *testing.T) {
	k := contest(t, nil)
	k.Train(t.Context(), nil)
	for entry, want := range []float64{
		20 * (15.21 + 2*7.0/8*5.01), 20 * (15.21 + 2*5.01), 20*15.21 + 6*2*5.01,
	} {
		points := k.Points(entry)
		if got := points[len(points)-1].TimeMS; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: 20 iterations take %v ms, want %v", k.Entries()[entry].Name, got, want)
		}
	}
	overlapped := contest(t, func(_ *train.Model, e []train.Entry, _ *train.Length) { e[1].Settings.Overlap = true })
	if got := overlapped.IterationMS(1); math.Abs(got-15.21) > 1e-9 {
		t.Errorf("a ring round of 10.02 ms beside a gradient of 15.21 ms takes %v ms", got)
	}
}

// Every node learns: the averaged model is far better than chance, and exact averaging leaves no distance.
func TestDigitsAreLearnt(t *testing.T) {
	k := contest(t, func(m *train.Model, _ []train.Entry, l *train.Length) {
		m.Skew, m.Batch = 0, 16
		*l = train.Length{Iterations: 300, TestEvery: 100}
	})
	k.Train(t.Context(), nil)
	for entry, e := range k.Entries() {
		points := k.Points(entry)
		last := points[len(points)-1]
		if last.Accuracy < 0.85 || k.LocalAccuracy(entry) < 0.8 {
			t.Errorf("%s: accuracy %v, of the nodes %v", e.Name, last.Accuracy, k.LocalAccuracy(entry))
		}
		if exact := last.Distance < 1e-12; exact != (e.W == nil) {
			t.Errorf("%s: distance %v", e.Name, last.Distance)
		}
	}
}

func TestBadSettingsAreRefused(t *testing.T) {
	hardware, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	q := newQuadratic(4, 3)
	five, err := mixing.OnePeerExponential(5)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		s    train.Settings
		w    *mixing.Schedule
		want string
	}{
		{train.Settings{}, nil, "rate is 0"},
		{train.Settings{Rate: math.NaN()}, nil, "rate is NaN"},
		{train.Settings{Rate: 1, Beta: 1}, nil, "beta is 1"},
		{train.Settings{Rate: 1, WeightDecay: -1}, nil, "weight_decay is -1"},
		{train.Settings{Rate: 1, Momentum: "global"}, nil, `momentum is "global"`},
		{train.Settings{Rate: 1, Order: "act"}, nil, `order is "act"`},
		{train.Settings{Rate: 1, Every: -1}, nil, "every -1 steps"},
		{train.Settings{Rate: 1, Overlap: true}, nil, "only in order"},
		{train.Settings{Rate: 1, Workers: -1}, nil, "-1 workers"},
		{train.Settings{Rate: 1}, five, "5 nodes, the cluster 4"},
	} {
		_, err := train.New(hardware, train.Entry{W: tc.w, Settings: tc.s}, q)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: %v, want %q", tc.s, err, tc.want)
		}
	}
}

// What is trained here has no clocks: a plan with some would be trained as another.
func TestPlansWithClocksAreNotTrained(t *testing.T) {
	plan, err := design.ReadPlanFile("../../design/testdata/two-clocks.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := cluster.New(plan.Cluster)
	if err != nil {
		t.Fatal(err)
	}
	model := train.Model{Hidden: []int{4}, Batch: 2, Seed: 1}
	n, err := train.NewNetwork(train.Digits(), model, c.Nodes())
	if err != nil {
		t.Fatal(err)
	}
	_, err = train.NewContest(c, n, []train.Entry{{Name: "local SGD", Plan: plan}},
		train.Length{Iterations: 1, TestEvery: 1})
	if err == nil || !strings.Contains(err.Error(), "which is run by the Python package") {
		t.Errorf("error %v", err)
	}
}
