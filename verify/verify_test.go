package verify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

func hardware(t testing.TB, n int) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Homogeneous(n, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func planOf(t testing.TB, w *mixing.Matrix) *design.Plan {
	t.Helper()
	s, err := w.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewPlan(context.Background(), hardware(t, w.Nodes()), w, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func familyPlan(t testing.TB, name string, n int) *design.Plan {
	t.Helper()
	f, err := mixing.FindFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Build(mixing.Params{Nodes: n, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return planOf(t, w)
}

func schedulePlan(t testing.TB, name string, n int) *design.Plan {
	t.Helper()
	f, err := mixing.FindSchedule(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Build(mixing.ScheduleParams{Nodes: n, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewSchedulePlan(context.Background(), hardware(t, n), s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// liftPlan is a small lift with its symmetric description.
func liftPlan(t testing.TB) *design.Plan {
	t.Helper()
	l, err := topology.NewLift(2, 6, []topology.Arc{{A: 0, B: 0, S: 1}, {A: 0, B: 1, S: 0}, {A: 0, B: 1, S: 2},
		{A: 1, B: 1, S: 3}})
	if err != nil {
		t.Fatal(err)
	}
	g, arc := l.Graph()
	weights := make([]float64, len(arc))
	for k, a := range arc {
		weights[k] = 0.1 + 0.02*float64(a)
	}
	w, err := mixing.FromEdges(g, weights)
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, w)
	p.Lift = &l
	p.MaxEdges, p.DegreeLimit, p.Objective = len(p.Edges()), p.MaxDegree, design.Rate
	return p
}

func plans(t testing.TB) map[string]*design.Plan {
	return map[string]*design.Plan{
		"ring":                 familyPlan(t, "ring", 6),
		"random-regular":       familyPlan(t, "random-regular", 10),
		"exponential":          familyPlan(t, "exponential", 8),
		"lift":                 liftPlan(t),
		"one-peer-exponential": schedulePlan(t, "one-peer-exponential", 8),
		"od-equidyn":           schedulePlan(t, "od-equidyn", 4),
		"base":                 schedulePlan(t, "base", 5),
	}
}

// claimingPlans adds plans that claim bounds.
func claimingPlans(t testing.TB) map[string]*design.Plan {
	all := plans(t)
	maps.Copy(all, boundedPlans(t))
	maps.Copy(all, certifiedPlans(t))
	for example, edges := range map[string]int{"node-level-16": 32, "intra-server-8": 12, "wan-general": 5} {
		all[example] = optimized(t, example, edges)
	}
	return all
}

// optimized is what the sweep finds on an example.
func optimized(t testing.TB, example string, edges int) *design.Plan {
	t.Helper()
	c, err := cluster.ReadFile("../examples/" + example + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, MaxEdges: edges, Objective: design.Rate, Purpose: design.Consensus,
		Sign: design.NonNegative}
	plan, err := sweep.Optimize(context.Background(), p, sweep.Settings{Method: sweep.ADMM, Seed: 1, Paper: sweep.PaperSettings{Starts: 1}})
	if err != nil {
		t.Fatalf("%s: %v", example, err)
	}
	return plan
}

func TestHonestPlansPass(t *testing.T) {
	all := claimingPlans(t)
	all["bcube-16-1to2"] = optimized(t, "bcube-16-1to2", 24)
	for name, p := range all {
		report, err := verify.Check(context.Background(), p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := report.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(report) < 8 {
			t.Errorf("%s: only %d claims were checked", name, len(report))
		}
	}
}

// noClaims are facts of a plan that a small change does not make false. How it was found is no claim. The limits that
// were asked for are one where a bound relies on them, and a bound's free numbers as far as they prove it:
// TestForgedBoundsAreRefused tries these. In a cluster with many resources, one that is not the slowest may be a little
// faster: that is another question with the same answer.
var noClaims = []string{".provenance.", ".question.max_", ".claims.bound.gamma", ".claims.bound.eta",
	".claims.bound.theta",
	".claims.bound.tau", ".claims.degree_bound.gamma", ".question.cluster.bandwidth[", ".question.cluster.bcube.bandwidth",
	".question.cluster.servers.tree", ".question.cluster.leafspine.host", ".question.cluster.leafspine.uplink",
	".question.cluster.resources[", ".question.cluster.routes[", ".question.cluster.tree.groups[0].nvswitch"}

func isClaim(path string) bool {
	return !slices.ContainsFunc(noClaims, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}

// altered is another number, near the value: small enough to be a slip, large enough to matter.
func altered(path string, value float64) float64 {
	switch {
	case strings.Contains(path, "certificate.upper") || strings.Contains(path, "certificate.lower"):
		return value + 0.01 // what a vector proves changes with the square of a change
	case value == float64(int(value)) && !slices.ContainsFunc([]string{"weight", "lambda", "r_asym", "_ms", "gap"},
		func(part string) bool { return strings.Contains(path, part) }):
		return value + 1
	}
	return value*1.001 + 1e-5
}

// Every number of a plan is changed in turn, a little; no such plan may pass.
func TestEveryEditedNumberIsCaught(t *testing.T) {
	for name, p := range claimingPlans(t) {
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(b.Bytes(), &tree); err != nil {
			t.Fatal(err)
		}
		edited := 0
		eachNumber("", tree, func(path string, value float64, set func(float64)) {
			if !isClaim(path) {
				return
			}
			changed := altered(path, value)
			set(changed)
			defer set(value)
			text, err := json.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			edited++
			if why := refused(text); why == "" {
				t.Errorf("%s: %s changed from %v to %v and the plan still passes", name, path, value, changed)
			}
		})
		if edited < 20 {
			t.Errorf("%s: only %d numbers were edited", name, edited)
		}
	}
}

// refused says how a plan was found out, or nothing.
func refused(text []byte) string {
	p, err := design.ReadPlan("edited", bytes.NewReader(text))
	if err != nil {
		return err.Error()
	}
	report, err := verify.Check(context.Background(), p)
	if err != nil {
		return err.Error()
	}
	if err := report.Err(); err != nil {
		return err.Error()
	}
	return ""
}

// eachNumber walks a JSON tree and offers to change every number in it, and some of those in long lists.
func eachNumber(path string, node any, visit func(path string, value float64, set func(float64))) {
	switch n := node.(type) {
	case map[string]any:
		for key, child := range n {
			if v, ok := child.(float64); ok {
				visit(path+"."+key, v, func(v float64) { n[key] = v })
			}
			eachNumber(path+"."+key, child, visit)
		}
	case []any:
		for k, child := range n {
			if k > 1 && k < len(n)-1 && k%7 != 0 {
				continue // some of a long list: the same code reads them all
			}
			if v, ok := child.(float64); ok {
				visit(fmt.Sprintf("%s[%d]", path, k), v, func(v float64) { n[k] = v })
			}
			eachNumber(fmt.Sprintf("%s[%d]", path, k), child, visit)
		}
	}
}

func TestBrokenLimitsAreCaught(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(*design.Plan)
		want string
	}{
		{"edge budget", func(p *design.Plan) { p.MaxEdges = len(p.Edges()) - 1 }, "edge budget"},
		{"degree limit", func(p *design.Plan) { p.DegreeLimit = p.MaxDegree - 1 }, "degree limit"},
		{"hash", func(p *design.Plan) { p.Hash = strings.Repeat("0", 64) }, "hash"},
		{"weights", func(p *design.Plan) { p.Sign = "anything" }, "weights"},
		{"min eigenvalue", func(p *design.Plan) { zero := 0.9; p.MinEigenvalue = &zero }, "min_eigenvalue"},
		{"lift of another graph", func(p *design.Plan) { p.Lift.Arcs[0].S = 2 }, "lift"},
		{"no certificate", func(p *design.Plan) { p.WeightsBound = &design.WeightBound{RAsym: 0.1} }, "weights_bound"},
	} {
		p := liftPlan(t)
		tc.edit(p)
		report, err := verify.Check(context.Background(), p)
		if err == nil {
			err = report.Err()
		}
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error is %v, want it to name %q", tc.name, err, tc.want)
		}
	}
}

func TestAnEstimateIsNotProved(t *testing.T) {
	p := familyPlan(t, "ring", 6)
	p.IterationsKind = design.Estimate
	report, err := verify.Check(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report {
		if f.Claim == "iterations" && f.Status == verify.Unproved {
			return
		}
	}
	t.Errorf("an estimate of the iterations was not reported as such: %+v", report)
}
