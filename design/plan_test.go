package design_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/mixing"

	"github.com/google/go-cmp/cmp"
)

func paperCluster(t testing.TB, n int) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Homogeneous(n, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func familyPlan(t testing.TB, name string, n int) *design.Plan {
	t.Helper()
	f, err := mixing.FindFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Build(mixing.Params{Nodes: n})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewPlan(context.Background(), paperCluster(t, n), w, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func schedulePlan(t testing.TB, name string, n int) *design.Plan {
	t.Helper()
	f, err := mixing.FindSchedule(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Build(mixing.ScheduleParams{Nodes: n})
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewSchedulePlan(context.Background(), paperCluster(t, n), s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Table I of the paper, exponential row: r_asym and convergence time in ms.
func TestExponentialRowOfTableOne(t *testing.T) {
	for _, tc := range []struct {
		n     int
		rAsym float64
		ms    float64
	}{
		{4, 0.33, 90}, {6, 0.5, 210}, {8, 0.5, 210}, {12, 0.6, 381}, {16, 0.6, 381}, {24, 0.67, 576},
		{32, 0.67, 576}, {48, 0.71, 842}, {64, 0.71, 842}, {96, 0.75, 1157}, {128, 0.75, 1157},
	} {
		p := familyPlan(t, "exponential", tc.n)
		if math.Abs(p.RAsym-tc.rAsym) > 0.005 || math.Round(p.TimeMS) != tc.ms {
			t.Errorf("n = %d: r_asym %.4f in %.1f ms, the paper prints %.2f in %.0f ms",
				tc.n, p.RAsym, p.TimeMS, tc.rAsym, tc.ms)
		}
	}
}

func TestPlansRoundTripByteForByte(t *testing.T) {
	for _, p := range []*design.Plan{familyPlan(t, "ring", 7), familyPlan(t, "exponential", 8),
		schedulePlan(t, "one-peer-exponential", 8), schedulePlan(t, "base", 5)} {
		var first, second bytes.Buffer
		if err := p.Write(&first); err != nil {
			t.Fatal(err)
		}
		again, err := design.ReadPlan("plan.json", bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Write(&second); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.String(), second.String()); diff != "" {
			t.Errorf("written, read and written again (-first +second):\n%s", diff)
		}
		if _, err := again.Matrices(); err != nil {
			t.Errorf("the matrices of a written plan: %v", err)
		}
	}
}

// The hash is a contract with other languages, so it is spelled out here by hand.
func TestHashIsTheDocumentedOne(t *testing.T) {
	p := familyPlan(t, "path", 2)
	p.Names = []string{"gpu 0", "größer"}
	p.Seal()
	text := "batopo.plan/v4 2 false gossip 1 atc false\nname gpu 0\nname größer\nround 0 3ff0000000000000\n" +
		"0 1 3fe0000000000000\nself 3fe0000000000000\nself 3fe0000000000000\n"
	sum := sha256.Sum256([]byte(text))
	if want := hex.EncodeToString(sum[:]); p.Hash != want {
		t.Errorf("hash %s, want %s", p.Hash, want)
	}
}

// A plan is used as it was written or not at all: the error names the hash that the file states and the true one.
func TestCheckHashNamesBothHashes(t *testing.T) {
	p := familyPlan(t, "ring", 6)
	if err := p.CheckHash(); err != nil {
		t.Fatalf("an honest plan: %v", err)
	}
	written := p.Hash
	p.Every = 4
	err := p.CheckHash()
	if err == nil || !strings.Contains(err.Error(), written) || !strings.Contains(err.Error(), p.ComputeHash()) {
		t.Errorf("another interval: %v; want both %s and %s", err, written, p.ComputeHash())
	}
	p.Hash = "\x1b[2J" + strings.Repeat("0", 1<<20)
	if err := p.CheckHash(); err == nil || len(err.Error()) > 500 || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("a hash that moves the cursor and has no end is printed as it is: %.100q", err)
	}
}

func TestBadPlansAreExplained(t *testing.T) {
	var good bytes.Buffer
	if err := familyPlan(t, "ring", 4).Write(&good); err != nil {
		t.Fatal(err)
	}
	replace := func(from, to string) string { return strings.Replace(good.String(), from, to, 1) }
	for _, tc := range []struct{ name, text, want string }{
		{"garbage", strings.Repeat("x", 10<<20), "plan.json:1:1: invalid character 'x'"},
		{"empty", "", "ends before the plan does"},
		{"cut off", good.String()[:good.Len()/2], "plan.json:"},
		{"unknown field", replace(`"nodes": 4`, `"nodez": 4`), `unknown field "nodez"`},
		{"other version", replace("batopo.plan/v4", "batopo.plan/v7"), `format is "batopo.plan/v7"`},
		{"no nodes", replace(`"nodes": 4`, `"nodes": 0`), "nodes is 0"},
		{"one node", replace(`"nodes": 4`, `"nodes": 1`), "nodes is 1"},
		{"wrong type", replace(`"nodes": 4`, `"nodes": "four"`), "field nodes holds a string; it must be a whole number"},
		{"wrong number", replace(`"seed": 0`, `"seed": "one"`),
			"field provenance.seed holds a string; it must be a whole number"},
		{"unknown setting", replace(`"nonnegative"`, `"fmmc"`),
			`weights is "fmmc"; it must be one of ["nonnegative" "free"]`},
		{"unknown kind", replace(`"proved"`, `"sure"`), `r_asym_kind is "sure"`},
		{"names", replace(`"nodes": 4,`, `"nodes": 4, "names": ["a"],`), "names has 1 entries for 4 nodes"},
		{"more behind", good.String() + "{}", "something follows the plan"},
		{"self weights", replace(`"nodes": 4`, `"nodes": 5`), "self_weights has 4 entries for 5 nodes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := design.ReadPlan("plan.json", strings.NewReader(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is\n  %v\nwant it to contain\n  %s", err, tc.want)
			}
		})
	}
}

func TestBadMatricesAreExplained(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(*design.Plan)
		want string
	}{
		{"edge out of range", func(p *design.Plan) { p.Rounds[0].Edges[3].J = 9 }, "joins 2 and 9; nodes are 0 … 3"},
		{"duplicate", func(p *design.Plan) { p.Rounds[0].Edges[1] = p.Rounds[0].Edges[0] }, "out of order or listed twice"},
		{"reversed", func(p *design.Plan) { p.Rounds[0].Edges[0].I, p.Rounds[0].Edges[0].J = 1, 0 }, "smaller node first"},
		{"NaN", func(p *design.Plan) { p.Rounds[0].Edges[0].Weight = math.NaN() }, "must be a finite number"},
		{"self weight", func(p *design.Plan) { p.Rounds[0].SelfWeights[2] = 0.5 },
			"self_weights[2] is 0.5, but the row then sums to"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := familyPlan(t, "ring", 4)
			p.Rounds[0].SelfWeights = append([]float64(nil), p.Rounds[0].SelfWeights...)
			tc.edit(p)
			if _, err := p.Matrices(); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v, want it to contain %q", err, tc.want)
			}
		})
	}
}

func FuzzReadPlan(f *testing.F) {
	for _, p := range []*design.Plan{familyPlan(f, "ring", 4), familyPlan(f, "exponential", 6), schedulePlan(f, "base",
		3)} {
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	for _, name := range []string{"static", "directed", "schedule", "certified"} {
		b, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := design.ReadPlan("fuzz", bytes.NewReader(b))
		if err != nil || p.Nodes > 1000 {
			return
		}
		if _, err := p.Matrices(); err != nil {
			return
		}
		if err := p.Write(new(bytes.Buffer)); err != nil {
			t.Fatalf("a plan that was read cannot be written: %v", err)
		}
	})
}

func TestSpaceOfTheScenarios(t *testing.T) {
	problem := func(spec cluster.Spec, r, degree int) design.Problem {
		c, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		return design.Problem{Cluster: c, MaxEdges: r, MaxDegree: degree, Objective: design.Rate, Purpose: design.Consensus,
			Sign: design.NonNegative}
	}
	bcube := cluster.Spec{BCube: &cluster.BCube{Ports: 4, Layers: 2, Bandwidth: []float64{4.88, 9.76}}}
	for _, tc := range []struct {
		name                        string
		problem                     design.Problem
		candidates, limits, perEdge int
	}{
		{"homogeneous", problem(cluster.Homogeneous(16, 1), 32, 0), 120, 0, 0},
		{"maximum degree", problem(cluster.Homogeneous(16, 1), 32, 4), 120, 16, 2},
		{"BCube", problem(bcube, 24, 0), 48, 32, 2},
	} {
		s, err := feasible.Space(t.Context(), tc.problem)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		uses := 0
		for _, l := range s.Limits {
			uses += len(l.Edges)
		}
		if len(s.Candidates) != tc.candidates || len(s.Limits) != tc.limits || uses != tc.perEdge*tc.candidates {
			t.Errorf("%s: %d candidates, %d limits used %d times; want %d, %d, %d",
				tc.name, len(s.Candidates), len(s.Limits), uses,
				tc.candidates, tc.limits, tc.perEdge*tc.candidates)
		}
	}
	printed, err := feasible.PrintedSpace(t.Context(), problem(bcube, 24, 0))
	if err != nil || !printed.Exact {
		t.Errorf("printed space: exact %v, error %v", printed.Exact, err)
	}
}

func TestBadProblemsAreExplained(t *testing.T) {
	good := design.Problem{Cluster: paperCluster(t, 8), MaxEdges: 12, Objective: design.Rate, Purpose: design.Consensus,
		Sign: design.NonNegative}
	two := 2.0
	apart, err := cluster.New(cluster.Spec{Nodes: 3, Resources: []cluster.ResourceSpec{{Name: "line", GBs: 1}},
		Routes: []cluster.RouteSpec{{Pair: []int{0, 1}, Over: []string{"line"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		edit func(*design.Problem)
		want string
	}{
		{func(p *design.Problem) { p.MaxEdges = 6 }, "edges is 6, too few to connect 8 nodes; give at least 7"},
		{func(p *design.Problem) { p.MaxEdges = 29 }, "only 28 candidate edges"},
		{func(p *design.Problem) { p.Cluster, p.MaxEdges = apart, 2 }, "nodes 0 and 2 of the cluster are apart"},
		{func(p *design.Problem) { p.MaxDegree = 1 }, "max_degree is 1"},
		{func(p *design.Problem) { p.Objective = "speed" }, `objective is "speed"`},
		{func(p *design.Problem) { p.Purpose = "fun" }, `purpose is "fun"`},
		{func(p *design.Problem) { p.Sign = "any" }, `sign of weights is "any"`},
		{func(p *design.Problem) { p.MinEigenvalue = &two }, "min_eigenvalue is 2"},
	} {
		p := good
		tc.edit(&p)
		if _, err := feasible.Space(t.Context(), p); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error is %v, want it to contain %q", err, tc.want)
		}
	}
}

func ExamplePlan_ComputeHash() {
	round := design.Round{Part: 1, Edges: []design.PlanEdge{{I: 0, J: 1, Weight: 0.5}}, SelfWeights: []float64{0.5, 0.5}}
	p := &design.Plan{Nodes: 2, Kind: design.GossipKind, Every: 1, Order: design.AdaptThenCombine,
		Rounds: []design.Round{round}}
	fmt.Println(p.ComputeHash()[:16])
	// Output: f19d2ec41f387cc4
}
