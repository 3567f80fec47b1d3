package verify_test

import (
	"context"
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/verify"
)

// nearlyExact is a one-peer hypercube of 4 nodes whose weights are short of ½ by some amount, and then rounds of the
// pairs 0–1 and 2–3 with weight 2⁻¹⁰, which never join the two pairs again.
func nearlyExact(t *testing.T, short float64, rounds int) *mixing.Schedule {
	t.Helper()
	s := &mixing.Schedule{Name: "nearly exact"}
	add := func(weight float64, pairs ...[2]int) {
		var arcs []mixing.Arc
		for _, p := range pairs {
			arcs = append(arcs, mixing.Arc{From: p[0], To: p[1], Weight: weight}, mixing.Arc{From: p[1], To: p[0], Weight: weight})
		}
		w, err := mixing.FromArcs(4, arcs)
		if err != nil {
			t.Fatal(err)
		}
		s.Rounds = append(s.Rounds, w)
	}
	add(0.5-short, [2]int{0, 1}, [2]int{2, 3})
	add(0.5-short, [2]int{0, 2}, [2]int{1, 3})
	for range rounds {
		add(0x1p-10, [2]int{0, 1}, [2]int{2, 3})
	}
	return s
}

// The two modes that reach across pairs shrink by 2·short in one round each, and by nothing afterwards, so the truth is
// known: (2·short)^(1/rounds). What is not exact is never accepted as such, the truth never refused, and both solver
// and checker find it, each in its own way.
func TestNearlyExactIsNotExact(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 10))
	if err != nil {
		t.Fatal(err)
	}
	for _, bits := range []int{20, 30, 39, 40, 42, 44, 46} {
		for _, rounds := range []int{0, 3, 298} {
			short := math.Exp2(-float64(bits))
			s := nearlyExact(t, short, rounds)
			truth := math.Pow(2*short, 1/float64(rounds+2))
			rate, err := s.Rate(context.Background())
			if err != nil || math.Abs(rate/truth-1) > 1e-2/float64(rounds+2) {
				t.Errorf("2^-%d, %d rounds: the solver says %v, %v; true is %v", bits, rounds, rate, err, truth)
			}
			p, err := design.NewSchedulePlan(context.Background(), c, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, claim := range []struct {
				name  string
				value float64
				want  []verify.Status
			}{
				{"exact", 0, []verify.Status{verify.False}},
				{"the truth", truth, []verify.Status{verify.OK}},
				{"the solver's", rate, []verify.Status{verify.OK, verify.Unproved}},
				{"too slow", truth * 1.1, []verify.Status{verify.False}},
				{"too fast", truth * 0.9, []verify.Status{verify.False}},
			} {
				p.RAsym = claim.value
				if got := statusOf(t, p, "r_asym"); got != claim.want[0] && got != claim.want[len(claim.want)-1] {
					t.Errorf("2^-%d, %d rounds: %s, %v, is %q; want %q", bits, rounds, claim.name, claim.value, got, claim.want)
				}
			}
		}
	}
}

// Weights that are off by their last bit are exact for everybody: rounding alone takes more.
func TestRoundedWeightsAverageExactly(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 10))
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewSchedulePlan(context.Background(), c, nearlyExact(t, 0x1p-53, 298))
	if err != nil {
		t.Fatal(err)
	}
	if got := statusOf(t, p, "r_asym"); p.RAsym != 0 || got != verify.OK {
		t.Errorf("r_asym %v is %q", p.RAsym, got)
	}
}

// A period of thousands of rounds is followed to the end, also where rounding in float64 leaves nothing of the error.
func TestLongPeriodsAreSeenToTheEnd(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 10))
	if err != nil {
		t.Fatal(err)
	}
	s := nearlyExact(t, 0x1p-40, 3000)
	p, err := design.NewSchedulePlan(context.Background(), c, s)
	if err != nil {
		t.Fatal(err)
	}
	p.RAsym = math.Pow(0x1p-39, 1/float64(len(s.Rounds)))
	if got := statusOf(t, p, "r_asym"); got != verify.OK {
		t.Errorf("the truth, %v, is %q", p.RAsym, got)
	}
	p.RAsym = 0
	if got := statusOf(t, p, "r_asym"); got != verify.False {
		t.Errorf("0 is %q", got)
	}
}
