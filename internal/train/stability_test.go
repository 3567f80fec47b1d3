package train_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/mixing"
)

func ringOf(t *testing.T, nodes int) *mixing.Schedule {
	t.Helper()
	f, err := mixing.FindFamily("ring")
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Build(mixing.Params{Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	return mixing.Static(w)
}

func onePeer(t *testing.T, nodes int) *mixing.Schedule {
	t.Helper()
	s, err := mixing.OnePeerExponential(nodes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The numbers are largest eigenvalues, printed by python3 -m training stability ring one-peer-exponential exact.
func TestGrowthIsTheLargestEigenvalue(t *testing.T) {
	exact, ring, schedule := &mixing.Schedule{}, ringOf(t, 16), onePeer(t, 16)
	for _, tc := range []struct {
		name  string
		s     *mixing.Schedule
		every int
		order design.Order
		want  float64
	}{
		{"exact", exact, 1, design.AdaptThenCombine, 0.9},
		{"exact", exact, 16, design.AdaptThenCombine, 0.956},
		{"exact", exact, 32, design.AdaptThenCombine, 1.018},
		{"exact", exact, 4, design.CombineThenAdapt, 0.852},
		{"ring", ring, 1, design.AdaptThenCombine, 0.969},
		{"ring", ring, 8, design.AdaptThenCombine, 0.992},
		{"ring", ring, 16, design.AdaptThenCombine, 1.024},
		{"ring", ring, 16, design.CombineThenAdapt, 1.017},
		{"one-peer exponential", schedule, 4, design.AdaptThenCombine, 0.956},
		{"one-peer exponential", schedule, 8, design.AdaptThenCombine, 1.018},
	} {
		got := train.QuasiGlobalGrowth(tc.s.Rounds, tc.every, tc.order, 0.9)
		if math.Abs(got-tc.want) > 1e-3 {
			t.Errorf("%s, H = %d, %s: %.4f, want %.3f", tc.name, tc.every, tc.order, got, tc.want)
		}
	}
	for every := 1; every < 40; every++ {
		rho, beta := 0.99, 0.9
		want := math.Pow(math.Abs(math.Pow(rho, float64(every))-beta)/(1-beta), 1/float64(every))
		if got := train.QuasiGlobalGrowth(nil, every, design.AdaptThenCombine, beta); math.Abs(got-want) > 1e-9 {
			t.Errorf("exact, H = %d: %v, want (ρᴴ − β)/(1 − β) per H steps, %v", every, got, want)
		}
	}
}

// Models that are trained grow apart, or do not, as the recursion without gradients says: forces are constant here.
func TestTrainingGrowsAsTheRecursion(t *testing.T) {
	const nodes, steps = 16, 640
	q := newQuadratic(nodes, 3)
	q.a.Apply(func(_, _ int, _ float64) float64 { return 1e-6 }, q.a)
	hardware, err := cluster.New(cluster.Homogeneous(nodes, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	for _, every := range []int{4, 8} {
		s := train.Settings{Rate: 0.05, Beta: 0.9, Momentum: train.QuasiGlobal, Every: every}
		entry := train.Entry{W: onePeer(t, nodes), Settings: s}
		run, err := train.New(hardware, train.Entry{W: entry.W, Settings: s}, q)
		if err != nil {
			t.Fatal(err)
		}
		apart := func() (sum float64) {
			run.Advance(t.Context(), steps)
			for i := range nodes {
				sum += math.Abs(run.Model(i)[0] - run.Model(0)[0])
			}
			return sum
		}
		first, second := apart(), apart()
		growth := math.Pow(second/first, 1.0/steps)
		want := max(1, train.QuasiGlobalGrowth(entry.W.Rounds, every, design.AdaptThenCombine, 0.9))
		if math.Abs(growth-want) > 1e-3 || entry.Diverges() != (every == 8) {
			t.Errorf("H = %d: models grow apart by %.4f per step, want %.4f; diverges: %v", every, growth, want,
				entry.Diverges())
		}
	}
}
