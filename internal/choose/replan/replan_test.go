package replan_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/replan"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/verify"
)

// nodes are machines of the paper's bandwidth; some have a share of it.
func nodes(t testing.TB, n int, share map[int]float64) *cluster.Cluster {
	t.Helper()
	s := cluster.Homogeneous(n, cluster.PaperBandwidthGBs)
	s.Bandwidth = make(cluster.Numbers, n)
	for i := range s.Bandwidth {
		s.Bandwidth[i] = cluster.PaperBandwidthGBs
		if f, ok := share[i]; ok {
			s.Bandwidth[i] *= f
		}
	}
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func solve(t testing.TB, c *cluster.Cluster, edges, evaluations int, purpose design.Purpose) *design.Plan {
	t.Helper()
	plan, err := sweep.Optimize(context.Background(), design.Problem{Cluster: c, MaxEdges: edges,
		Objective: design.Rate, Purpose: purpose}, sweep.Settings{Seed: 1, Evaluations: evaluations})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func decide(t testing.TB, p *design.Plan, c *cluster.Cluster, s replan.Settings) *replan.Answer {
	t.Helper()
	a, err := replan.Decide(context.Background(), p, c, s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestOneNodeAtHalfItsBandwidth(t *testing.T) {
	for _, purpose := range []design.Purpose{design.Consensus, design.Training} {
		plan := solve(t, nodes(t, 16, nil), 32, 2000, purpose)
		slow := nodes(t, 16, map[int]float64{5: 0.5})
		a := decide(t, plan, slow, replan.Settings{Seed: 1})
		if a.Keep {
			t.Fatalf("%s: keeps the plan: %s", purpose, a.Why)
		}
		if a.Now.CommunicationMS <= plan.CommunicationMS {
			t.Errorf("%s: the running plan is priced at %v ms a round, as before", purpose, a.Now.CommunicationMS)
		}
		if a.New.CommunicationMS >= a.Now.CommunicationMS {
			t.Errorf("%s: a round takes %v ms after the change, %v before", purpose, a.New.CommunicationMS, a.Now.CommunicationMS)
		}
		if changed := len(a.Dropped) + len(a.Added); changed == 0 || 5*changed > len(plan.Edges()) {
			t.Errorf("%s: %d of %d edges change", purpose, changed, len(plan.Edges()))
		}
		report, err := verify.Check(context.Background(), a.New)
		if err == nil {
			err = report.Err()
		}
		if err != nil {
			t.Errorf("%s: %v", purpose, err)
		}
	}
}

// Where latency is nearly all of a round, fewer rounds are worth more than shorter ones.
func TestFewerRoundsWhereNodesAreFarApart(t *testing.T) {
	far := func(share map[int]float64) *cluster.Cluster {
		s := nodes(t, 12, share).Spec()
		s.LatencyMS = 1e4
		c, err := cluster.New(s)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	plan := solve(t, far(nil), 24, 1000, design.Consensus)
	a := decide(t, plan, far(map[int]float64{3: 0.4}), replan.Settings{Changes: 0.5})
	if a.Keep || a.New.Iterations >= a.Now.Iterations {
		t.Errorf("keep is %v (%s): %v ms, after a change %v", a.Keep, a.Why, a.ScoreNow, a.ScoreNew)
	}
}

func TestWhatIsNotWorthAChange(t *testing.T) {
	plan := solve(t, nodes(t, 12, nil), 24, 2000, design.Consensus)
	if a := decide(t, plan, nodes(t, 12, nil), replan.Settings{}); !a.Keep {
		t.Errorf("changes a plan though nothing has changed: %s", a.Why)
	}
	if a := decide(t, plan, nodes(t, 12, map[int]float64{3: 0.97}), replan.Settings{}); !a.Keep {
		t.Errorf("changes a plan for 3 %% of one node's bandwidth: %s", a.Why)
	}
	half := nodes(t, 12, map[int]float64{3: 0.5})
	if a := decide(t, plan, half, replan.Settings{Gain: 0.9}); !a.Keep || a.New == nil {
		t.Errorf("a gain of 90 %% is asked for; keep %v, %s", a.Keep, a.Why)
	}
	filled := replan.Settings{}.WithDefaults()
	none, never := filled, filled
	none.Changes, never.HorizonMS = 0, 0
	if a := decide(t, plan, half, none); !a.Keep || a.New != nil {
		t.Errorf("no edge may change, but some would: %+v", a)
	}
	if a := decide(t, plan, half, never); !a.Keep || a.New == nil {
		t.Errorf("no time is ahead, but a change is worth it: %s", a.Why)
	}
	nothing := filled
	nothing.Evaluations = 0
	if _, err := replan.Decide(t.Context(), plan, half, nothing); err == nil ||
		!strings.Contains(err.Error(), "evaluations is 0") {
		t.Errorf("a search that prices nothing: %v", err)
	}
	filled.Gain = 0
	if a := decide(t, plan, nodes(t, 12, map[int]float64{3: 0.97}), filled); a.Keep == (a.New != nil) {
		t.Errorf("any gain is enough, but: %s", a.Why)
	}
	if a := decide(t, plan, half, replan.Settings{SwitchMS: 1e6, HorizonMS: 1000}); !a.Keep {
		t.Errorf("a switch costs more than the time ahead; %s", a.Why)
	}
	if a := decide(t, plan, half, replan.Settings{Changes: 1e-9}); !a.Keep {
		t.Errorf("nothing may change; %s", a.Why)
	}
}

func TestSameSeedSamePlan(t *testing.T) {
	plan := solve(t, nodes(t, 12, nil), 24, 1000, design.Consensus)
	half := nodes(t, 12, map[int]float64{3: 0.5})
	first, second := decide(t, plan, half, replan.Settings{Seed: 7}), decide(t, plan, half, replan.Settings{Seed: 7})
	if first.New.Hash != second.New.Hash {
		t.Error("two runs with one seed give two plans")
	}
}

func TestHowThePlanIsUsedStays(t *testing.T) {
	plan := solve(t, nodes(t, 12, nil), 24, 1000, design.Training)
	plan.Every, plan.Order, plan.Overlap = 4, design.CombineThenAdapt, true
	plan.Hash = plan.ComputeHash()
	a := decide(t, plan, nodes(t, 12, map[int]float64{3: 0.5}), replan.Settings{})
	if a.New == nil || a.New.Every != 4 || a.New.Order != design.CombineThenAdapt || !a.New.Overlap {
		t.Errorf("the new plan is used differently: %+v", a.New)
	}
	if a.Now.Hash != plan.Hash {
		t.Error("the running plan lost its hash")
	}
}

func TestEdgesLeaveASlowUplink(t *testing.T) {
	rate := 12.5
	racks := func(uplink float64) *cluster.Cluster {
		c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{
			Name: "rack", Count: 2, Nodes: 6, Link: &cluster.Link{GBs: rate}, Uplink: &cluster.Link{GBs: uplink}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	plan := solve(t, racks(75), 24, 2000, design.Consensus)
	a := decide(t, plan, racks(6.25), replan.Settings{Changes: 1})
	if a.Keep || a.ScoreNew >= a.ScoreNow {
		t.Fatalf("an uplink of a twelfth: %s", a.Why)
	}
	crossing := func(p *design.Plan) (n int) {
		for _, e := range p.Edges() {
			if (e.I < 6) != (e.J < 6) {
				n++
			}
		}
		return n
	}
	if crossing(a.New) >= crossing(a.Now) {
		t.Errorf("%d edges cross the slow uplinks, %d before", crossing(a.New), crossing(a.Now))
	}
}

func TestWhatCannotBeChanged(t *testing.T) {
	c := nodes(t, 8, nil)
	plan := solve(t, c, 12, 500, design.Consensus)
	for _, bad := range []replan.Settings{{Changes: 2}, {Gain: -1}, {Gain: 1}, {SwitchMS: -1}, {HorizonMS: -1}} {
		if _, err := replan.Decide(context.Background(), plan, c, bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	if _, err := replan.Decide(context.Background(), plan, nodes(t, 9, nil), replan.Settings{}); err == nil {
		t.Error("a cluster of another size is accepted")
	}
	if !slices.IsSortedFunc(plan.Edges(), func(a, b design.PlanEdge) int { return a.I - b.I }) {
		t.Error("the plan was changed")
	}
}

func matrix(t testing.TB, p *design.Plan) *mixing.Matrix {
	t.Helper()
	w, err := p.Matrices()
	if err != nil {
		t.Fatal(err)
	}
	return w[0]
}

// With a round in every fourth step, overlapped with the gradient, most of a round is hidden. What a change saves is
// what the clock says of the two plans, not what their rounds differ by.
func TestEveryAndOverlapCount(t *testing.T) {
	plan := solve(t, nodes(t, 12, nil), 24, 1000, design.Training)
	now := nodes(t, 12, map[int]float64{3: 0.4})
	rounds := decide(t, plan, now, replan.Settings{Changes: 0.5, Gain: 1e-9})
	plan.Every, plan.Order, plan.Overlap = 4, design.CombineThenAdapt, true
	plan.Hash = plan.ComputeHash()
	a := decide(t, plan, now, replan.Settings{Changes: 0.5, Gain: 1e-9})
	if a.New == nil || rounds.New == nil {
		t.Fatalf("nothing changes: %s; %s", a.Why, rounds.Why)
	}
	for _, p := range []struct {
		plan *design.Plan
		said float64
	}{{a.Now, a.IterationNow}, {a.New, a.IterationNew}} {
		if p.plan.Every != 4 || !p.plan.Overlap {
			t.Errorf("every %d, overlap %v; the running plan has 4 and true", p.plan.Every, p.plan.Overlap)
		}
		if ms, err := p.plan.IterationMS(now); err != nil || ms != p.said {
			t.Errorf("an iteration takes %v ms, %v; the answer says %v", ms, err, p.said)
		}
		if want := 15.21 + (p.plan.CommunicationMS-15.21)/4; math.Abs(p.said-want) > 1e-9 {
			t.Errorf("rounds of %v ms: %v ms an iteration, want %v", p.plan.CommunicationMS, p.said, want)
		}
	}
	saved, alone := 1-a.ScoreNew/a.ScoreNow, 1-rounds.ScoreNew/rounds.ScoreNow
	if saved > 0.6*alone {
		t.Errorf("saves %.1f %%, where rounds after every step save %.1f %%", 100*saved, 100*alone)
	}
	if err := a.New.CheckHash(); err != nil {
		t.Error(err)
	}
}
