package advise_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/verify"
)

func advice(ctx context.Context, t *testing.T, spec cluster.Spec, s advise.Setting) *advise.Advice {
	t.Helper()
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	sweep, err := sweep.New(t.Context(), design.Problem{Cluster: c, Purpose: design.Training},
		sweep.Settings{Seed: 1, Evaluations: 200})
	if err != nil {
		t.Fatal(err)
	}
	s.Seed = 1
	a, err := advise.From(ctx, c, sweep, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Half of the nodes have a tenth of the bandwidth: an all-reduce waits for them twice, a round with one peer once.
func unequal() cluster.Spec {
	return cluster.Spec{Format: cluster.Format, Nodes: 8, Bandwidth: cluster.Numbers{10, 10, 10, 10, 1, 1, 1, 1}}
}

// Whatever is recommended is a plan that can be written and run, and nobody in the list is sooner on the bad side of
// its error by more than what simplicity is worth.
func TestTheAnswerIsAPlanThatRuns(t *testing.T) {
	for _, spec := range []cluster.Spec{cluster.Homogeneous(8, cluster.PaperBandwidthGBs), unequal()} {
		a := advice(t.Context(), t, spec, advise.Setting{})
		r := a.Recommended
		if r.Plan == nil || r.Plan.Validate() != nil || r.Plan.Hash != r.Plan.ComputeHash() {
			t.Errorf("%s: its plan is not one: %+v", r.Name, r.Plan)
		}
		if !r.Kind.Gradients() && (r.Plan.Every != r.Every || r.Plan.Overlap != r.Overlap || r.Plan.Order != r.Order) {
			t.Errorf("%s: the plan says every %d, %s, overlap %v", r.Name, r.Plan.Every, r.Plan.Order, r.Plan.Overlap)
		}
		if a.DDP == nil || a.Of(advise.Static) == nil || r.PessimisticMS > 1.1*a.All[0].PessimisticMS {
			t.Errorf("recommended %+v; the first is %+v", r, a.All[0])
		}
		for _, c := range a.All {
			if c.Kind.Gradients() && c.On == nil && (c.Epochs != 1 || c.Deviation != 0) {
				t.Errorf("%s needs %v ± %v times the epochs of exact averaging", c.Name, c.Epochs, c.Deviation)
			}
			if math.Abs(c.PredictedMS-c.IterationMS*c.Epochs) > 1e-9 {
				t.Errorf("%s: %v ms × %v is not %v", c.Name, c.IterationMS, c.Epochs, c.PredictedMS)
			}
		}
	}
}

// With links that are this unequal DDP is not the answer; with computation that takes for ever it is no worse than any
// other, and what would change the answer says so.
func TestUnequalLinksCallForGossip(t *testing.T) {
	a := advice(t.Context(), t, unequal(), advise.Setting{})
	if a.Recommended.Kind == advise.DDP || !(a.DDP.PredictedMS > 1.5*a.Recommended.PredictedMS) {
		t.Errorf("recommended %s at %v ms, DDP at %v", a.Recommended.Name, a.Recommended.PredictedMS, a.DDP.PredictedMS)
	}
}

// What is searched for a cluster is compared with the rest, is exact, and holds under verify.
func TestSearchedSchedulesAreWeighed(t *testing.T) {
	spec := cluster.Spec{Format: cluster.Format,
		BCube: &cluster.BCube{Ports: 3, Layers: 2, Bandwidth: []float64{4.88, 9.76}}}
	a := advice(t.Context(), t, spec, advise.Setting{})
	var parts, other *advise.Candidate
	for k, c := range a.All {
		switch {
		case c.Name == "parameter averaging, searched in parts":
			parts = &a.All[k]
		case c.Kind == advise.Collective && (other == nil || c.CommunicationMS < other.CommunicationMS):
			other = &a.All[k]
		}
	}
	if parts == nil || other == nil {
		t.Fatalf("searched %v, known %v; skipped %v", parts, other, a.Skipped)
	}
	if parts.CommunicationMS > 0.8*other.CommunicationMS {
		t.Errorf("searched %v ms, %s %v; trees over both layers should carry more", parts.CommunicationMS, other.Name,
			other.CommunicationMS)
	}
	report, err := verify.Check(t.Context(), parts.Plan)
	if err != nil || report.Err() != nil {
		t.Errorf("%v, %v", err, report.Err())
	}
}

// Limits hold for schedules as they do for graphs; what they exclude is listed.
func TestLimitsHoldForSchedules(t *testing.T) {
	a := advice(t.Context(), t, cluster.Homogeneous(8, 1), advise.Setting{MaxEdges: 9, MaxDegree: 2})
	for _, c := range a.All {
		if c.Kind.Gradients() || c.Kind == advise.Collective {
			continue
		}
		pairs, peers := map[[2]int]bool{}, map[int]int{}
		for _, round := range c.Plan.Rounds {
			for _, e := range round.Edges {
				if pair := [2]int{min(e.I, e.J), max(e.I, e.J)}; !pairs[pair] {
					pairs[pair] = true
					peers[e.I]++
					peers[e.J]++
				}
			}
		}
		for i, count := range peers {
			if count > 2 || len(pairs) > 9 {
				t.Errorf("%s: %d pairs, node %d has %d peers", c.Name, len(pairs), i, count)
			}
		}
	}
	left := map[string]bool{}
	for _, s := range a.Skipped {
		left[s.Name] = errors.Is(s.Err, advise.ErrLimit)
	}
	if !left["one-peer-hypercube"] || !left["complete"] || left["ring"] {
		t.Errorf("beyond the limits: %v", left)
	}
}

func TestAdviceIsDeterministic(t *testing.T) {
	skewed := advise.Setting{Skew: 0.1}
	a, b := advice(t.Context(), t, unequal(), skewed), advice(t.Context(), t, unequal(), skewed)
	if !reflect.DeepEqual(a.All, b.All) || !reflect.DeepEqual(a.Changes, b.Changes) {
		t.Error("the same question has two answers")
	}
}

// A search that was stopped still gets an answer, without what would change it.
func TestCancelledAdviceIsStillAnAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := advice(ctx, t, cluster.Homogeneous(6, 1), advise.Setting{})
	if a.Recommended.Name == "" || len(a.Changes) != 0 {
		t.Errorf("recommended %q with %d changes", a.Recommended.Name, len(a.Changes))
	}
}

func TestChoosePrefersWhatIsSafe(t *testing.T) {
	ddp := advise.Candidate{Name: "ddp", Kind: advise.DDP, Every: 1, PessimisticMS: 100}
	gossip := advise.Candidate{Name: "gossip", Kind: advise.Scheduled, Every: 1, PessimisticMS: 99}
	for _, tc := range []struct {
		name   string
		gossip float64
		want   int
	}{{"8 % are not worth the trouble", 92, 0}, {"12 % are", 88, 1}, {"slower is not", 101, 0}} {
		gossip.PessimisticMS = tc.gossip
		if got := advise.Choose([]advise.Candidate{ddp, gossip}); got != tc.want {
			t.Errorf("%s: chose %d", tc.name, got)
		}
	}
	rare := advise.Candidate{Name: "every 4 steps", Kind: advise.Scheduled, Every: 4, PessimisticMS: 98}
	gossip.PessimisticMS = 99
	if got := advise.Choose([]advise.Candidate{rare, gossip}); got != 1 {
		t.Error("averaging only every 4 steps is taken for simpler than in every step")
	}
}

// A round that only just hides behind the gradient shows as soon as a link is a little slower than described.
func TestRoundsNeedRoomToHide(t *testing.T) {
	a := advice(t.Context(), t, cluster.Homogeneous(8, cluster.PaperBandwidthGBs), advise.Setting{})
	c := a.Recommended
	if c.Overlap && c.Kind != advise.DDP && 1.1*c.CommunicationMS > c.IterationMS {
		t.Errorf("%s: rounds of %.2f ms in an iteration of %.2f ms", c.Name, c.CommunicationMS, c.IterationMS)
	}
}

// Hosts and racks are both compared, under names that tell them apart.
func TestEveryLevelIsWeighed(t *testing.T) {
	a := advice(t.Context(), t, cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{
		{Name: "rack", Count: 2, Uplink: &cluster.Link{GBs: 25}, Groups: []cluster.Group{
			{Name: "host", Count: 2, Nodes: 2, NVSwitch: &cluster.Link{GBs: 300},
				NICs: &cluster.NICs{Count: 1, Link: cluster.Link{GBs: 12.5}}}}}}}}, advise.Setting{})
	for _, of := range []string{"between 2 groups of 4", "between 4 groups of 2"} {
		if !slices.ContainsFunc(a.All, func(c advise.Candidate) bool { return strings.HasSuffix(c.Name, of) }) {
			t.Errorf("nothing %s was compared", of)
		}
	}
}
