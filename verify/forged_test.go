package verify_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/bound"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/topology"
)

// answered is an honest plan for a problem: a graph with lazy Metropolis weights, which keep the spectrum above 0, and
// what package bound proves.
func answered(t testing.TB, p design.Problem, edges []topology.Edge) *design.Plan {
	t.Helper()
	p.Objective, p.Purpose = design.Rate, design.Consensus
	g, err := topology.New(p.Cluster.Nodes(), edges)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, len(g.Edges()))
	for k, e := range g.Edges() {
		weights[k] = 0.5 / float64(1+max(g.Degree(e.I), g.Degree(e.J)))
	}
	w, err := mixing.FromEdges(g, weights)
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := design.NewPlan(context.Background(), p.Cluster, w, s)
	if err != nil {
		t.Fatal(err)
	}
	plan.Sign, plan.MinEigenvalue, plan.Purpose = p.Sign, p.MinEigenvalue, p.Purpose
	plan.MaxEdges, plan.DegreeLimit, plan.Objective = p.MaxEdges, p.MaxDegree, p.Objective
	posed, degree, err := bound.Problem(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	plan.SetBound(&posed)
	if n := plan.Nodes; degree != nil && plan.MaxDegree <= (2*p.MaxEdges+n-1)/n {
		plan.SetDegreeBound(degree)
	}
	return plan
}

// circulant joins node i to i ± s for every step s.
func circulant(n int, steps ...int) []topology.Edge {
	var edges []topology.Edge
	for _, s := range steps {
		for i := range n {
			if 2*s != n || i < s {
				edges = append(edges, topology.Edge{I: i, J: (i + s) % n})
			}
		}
	}
	return edges
}

// twoLeaves is two complete graphs of four nodes joined by one edge.
func twoLeaves() []topology.Edge {
	edges := []topology.Edge{{I: 0, J: 4}}
	for _, e := range topology.AllPairs(4) {
		edges = append(edges, e, topology.Edge{I: e.I + 4, J: e.J + 4})
	}
	return edges
}

// withoutGates is the answer as it was before the argument "gateway" was known, which says more.
func withoutGates(t testing.TB, p design.Problem, edges []topology.Edge) *design.Plan {
	t.Helper()
	plan := answered(t, p, edges)
	l, err := bound.FromProblem(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	l.Gates = nil
	b, err := l.Best()
	if err != nil {
		t.Fatal(err)
	}
	plan.SetBound(&b)
	return plan
}

// behindCards are four servers of four nodes; with 28 edges a network card carries two.
func behindCards(t testing.TB) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{Name: "server",
		Count: 4, Nodes: 4, NVSwitch: &cluster.Link{GBs: 300}, NICs: &cluster.NICs{Link: cluster.Link{GBs: 3}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fourServers is a ring of four complete graphs.
func fourServers() []topology.Edge {
	edges := []topology.Edge{{I: 0, J: 4}, {I: 5, J: 8}, {I: 9, J: 12}, {I: 1, J: 13}}
	for _, e := range topology.AllPairs(4) {
		for first := 0; first < 16; first += 4 {
			edges = append(edges, topology.Edge{I: first + e.I, J: first + e.J})
		}
	}
	return edges
}

// An honest plan for every kind of bound.
func boundedPlans(t testing.TB) map[string]*design.Plan {
	t.Helper()
	zero := 0.0
	oversubscribed, err := cluster.New(cluster.Spec{LeafSpine: &cluster.LeafSpine{Leaves: 2, Hosts: 4, Host: 4,
		Uplink: 1}})
	if err != nil {
		t.Fatal(err)
	}
	petersen, err := topology.New(10, append(append(circulant(5, 1), circulant(5, 2)...), circulant(10, 5)...))
	if err != nil {
		t.Fatal(err)
	}
	certified, err := planner.BestWeights(context.Background(),
		design.Problem{Cluster: hardware(t, 10), Purpose: design.Consensus, Sign: design.NonNegative}, petersen, nil)
	if err != nil {
		t.Fatal(err)
	}
	fmmc, fdla := design.NonNegative, design.Free
	all := map[string]*design.Plan{
		"complete": answered(t, design.Problem{Cluster: hardware(t, 5), MaxEdges: 10, Sign: fmmc},
			topology.AllPairs(5)),
		"tree": answered(t, design.Problem{Cluster: hardware(t, 6), MaxEdges: 5, Sign: fmmc},
			topology.AllPairs(6)[:5]),
		"ring": answered(t, design.Problem{Cluster: hardware(t, 7), MaxEdges: 7, MaxDegree: 2, Sign: fmmc},
			circulant(7, 1)),
		"cut":            withoutGates(t, design.Problem{Cluster: oversubscribed, MaxEdges: 13, Sign: fmmc}, twoLeaves()),
		"gateway":        answered(t, design.Problem{Cluster: oversubscribed, MaxEdges: 13, Sign: fmmc}, twoLeaves()),
		"gateway, signs": answered(t, design.Problem{Cluster: oversubscribed, MaxEdges: 13, Sign: fdla}, twoLeaves()),
		"gateway, spectrum": answered(t, design.Problem{Cluster: oversubscribed, MaxEdges: 13, Sign: fmmc,
			MinEigenvalue: &zero}, twoLeaves()),
		"gateway, servers": answered(t, design.Problem{Cluster: behindCards(t), MaxEdges: 28, Sign: fmmc}, fourServers()),
		"ball 1": answered(t, design.Problem{Cluster: hardware(t, 8), MaxEdges: 12, Sign: fdla},
			circulant(8, 1, 4)),
		"ball 2": answered(t, design.Problem{Cluster: hardware(t, 24), MaxEdges: 36, MaxDegree: 3, Sign: fmmc},
			circulant(24, 1, 12)),
		"two-step": answered(t, design.Problem{Cluster: hardware(t, 32), MaxEdges: 80, Sign: fdla},
			circulant(32, 1, 5, 16)),
		"two-step, spectrum": answered(t, design.Problem{Cluster: hardware(t, 32), MaxEdges: 64, Sign: fmmc,
			MinEigenvalue: &zero}, circulant(32, 1, 5)),
		"walk 3": answered(t, design.Problem{Cluster: hardware(t, 16), MaxEdges: 32, Sign: fmmc},
			circulant(16, 1, 4)),
		"walk 3, spectrum": answered(t, design.Problem{Cluster: hardware(t, 16), MaxEdges: 32, Sign: fmmc,
			MinEigenvalue: &zero}, circulant(16, 1, 4)),
		"walk 3, spare edge": answered(t, design.Problem{Cluster: hardware(t, 16), MaxEdges: 33, Sign: fmmc},
			circulant(16, 1, 4)),
		"walk 4": answered(t, design.Problem{Cluster: hardware(t, 24), MaxEdges: 36, Sign: fmmc},
			circulant(24, 1, 12)),
		"certificate": certified,
	}
	return all
}

// An edit makes one statement of a plan another.
type edit struct {
	name   string
	caught string                    // what the refusal must name; a line begins with the claim
	edit   func(p *design.Plan) bool // false: there is nothing to edit
}

// edits lists what a forger would try: a larger bound, another argument, another question.
func edits() []edit {
	always := func(f func(p *design.Plan)) func(p *design.Plan) bool {
		return func(p *design.Plan) bool { f(p); return true }
	}
	all := []edit{
		{"bound up", "\nbound:", always(func(p *design.Plan) {
			b := *p.Bound
			b.RAsym += 1e-6 * max(b.RAsym,
				1)
			p.SetBound(&b)
		})},
		{"bound above r_asym", "\nbound:", always(func(p *design.Plan) {
			b := *p.Bound
			b.RAsym = p.RAsym +
				1e-6
			p.SetBound(&b)
		})},
		{"order up", "bound:", always(func(p *design.Plan) { p.Bound.Order++ })},
		{"order down", "bound:", always(func(p *design.Plan) { p.Bound.Order-- })},
		{"gap up", "\ngap:", always(func(p *design.Plan) {
			g := 1e-6
			if p.Gap != nil {
				g += *p.Gap
			}
			p.Gap = &g
		})},
		{"gap down", "\ngap:", always(func(p *design.Plan) {
			g := -1e-6
			if p.Gap != nil {
				g += *p.Gap
			}
			p.Gap = &g
		})},
		{"gap missing", "\ngap:", func(p *design.Plan) bool { had := p.Gap != nil; p.Gap = nil; return had }},
		{"bound missing", "\ngap:", func(p *design.Plan) bool { p.Bound = nil; return p.Gap != nil }},
		{"stop: bound attained", "\nstop:", always(func(p *design.Plan) { p.Stop = design.BoundAttained })},
		{"max_edges up", "bound:", always(func(p *design.Plan) { p.MaxEdges++ })},
		{"max_edges down", "\nedge budget:", func(p *design.Plan) bool { p.MaxEdges--; return p.MaxEdges > 0 }},
		{"max_edges missing", "bound:", func(p *design.Plan) bool { had := p.MaxEdges > 0; p.MaxEdges = 0; return had }},
		{"max_degree up", "bound:", func(p *design.Plan) bool { p.DegreeLimit++; return p.DegreeLimit > 1 }},
		{"max_degree down", "\ndegree limit:", func(p *design.Plan) bool { p.DegreeLimit--; return p.DegreeLimit > 0 }},
		{"max_degree missing", "bound:", func(p *design.Plan) bool {
			had := p.DegreeLimit > 0
			p.DegreeLimit = 0
			return had
		}},
		{"max_degree given", "bound:", func(p *design.Plan) bool {
			had := p.DegreeLimit > 0
			p.DegreeLimit = p.MaxDegree
			return !had
		}},
		{"setting fdla", "bound:", func(p *design.Plan) bool { was := p.Sign; p.Sign = design.Free; return was != p.Sign }},
		{"setting fmmc", "bound:", func(p *design.Plan) bool {
			was := p.Sign
			p.Sign = design.NonNegative
			return was != p.Sign
		}},
		{"min_eigenvalue missing", "bound:", func(p *design.Plan) bool {
			had := p.MinEigenvalue != nil
			p.MinEigenvalue = nil
			p.SetBound(p.Bound)
			p.SetDegreeBound(p.DegreeBound)
			return had
		}},
		{"degree_bound up", "\ndegree_bound:", func(p *design.Plan) bool {
			if p.DegreeBound == nil {
				return false
			}
			b := *p.DegreeBound
			b.RAsym *= 1 + 1e-6
			p.SetDegreeBound(&b)
			return true
		}},
		{"degree_bound as bound", "\nbound:", func(p *design.Plan) bool {
			if p.DegreeBound == nil {
				return false
			}
			p.SetBound(p.DegreeBound)
			return true
		}},
		{"degree_gap up", "\ndegree_gap:", func(p *design.Plan) bool {
			if p.DegreeGap == nil {
				return false
			}
			*p.DegreeGap += 1e-6
			return true
		}},
		{"degree_bound missing", "\ndegree_gap:", func(p *design.Plan) bool {
			had := p.DegreeBound != nil
			p.DegreeBound = nil
			return had
		}},
		{"degree_gap missing", "\ndegree_gap:", func(p *design.Plan) bool {
			had := p.DegreeGap != nil
			p.DegreeGap = nil
			return had
		}},
		{"degree_bound by certificate", "\ndegree_bound:", func(p *design.Plan) bool {
			b := *p.Bound
			b.Kind, b.Order = "certificate", 0
			p.SetDegreeBound(&b)
			return true
		}},
		{"rounds", "static undirected", always(func(p *design.Plan) {
			p.Rounds = append(p.Rounds, p.Rounds[0])
			p.RoundMS = append(p.RoundMS, p.RoundMS[0])
		})},
	}
	for _, mu := range []float64{-0.5, -0.1, 0} {
		all = append(all, edit{fmt.Sprint("min_eigenvalue ", mu), "bound:", func(p *design.Plan) bool {
			was := p.MinEigenvalue
			p.MinEigenvalue = &mu
			p.SetBound(p.Bound)
			p.SetDegreeBound(p.DegreeBound)
			return was == nil || *was != mu
		}})
	}
	for _, number := range []struct {
		name string
		of   func(b *design.Bound) *float64
	}{
		{"gamma", func(b *design.Bound) *float64 { return &b.Gamma }},
		{"eta", func(b *design.Bound) *float64 { return &b.Eta }},
		{"theta", func(b *design.Bound) *float64 { return &b.Theta }},
		{"tau", func(b *design.Bound) *float64 { return &b.Tau }},
		{"alpha", func(b *design.Bound) *float64 { return &b.Alpha }},
		{"beta", func(b *design.Bound) *float64 { return &b.Beta }},
	} {
		for _, factor := range []float64{0.9, 1.1} {
			all = append(all, edit{fmt.Sprint(number.name, " times ", factor), "\nbound:", func(p *design.Plan) bool {
				v := number.of(p.Bound)
				*v *= factor
				return *v != 0
			}})
		}
		all = append(all, edit{number.name + " given", "\nbound:", func(p *design.Plan) bool {
			v := number.of(p.Bound)
			had := *v != 0
			*v = 0.1
			return !had
		}})
	}
	for _, g := range []struct {
		name string
		edit func(b *design.Bound)
	}{
		{"no groups", func(b *design.Bound) { b.Groups = nil }},
		{"an empty group", func(b *design.Bound) { b.Groups[0] = nil }},
		{"no nodes in any group", func(b *design.Bound) { b.Groups = [][]int{{}, {}} }},
		{"a group more, empty", func(b *design.Bound) { b.Groups = append(b.Groups, []int{}) }},
		{"a node twice", func(b *design.Bound) { b.Groups[0][1] = b.Groups[0][0] }},
		{"a node beyond the cluster", func(b *design.Bound) { b.Groups[0][0] = 99 }},
		{"a negative node", func(b *design.Bound) { b.Groups[0][0] = -1 }},
		{"a node left out", func(b *design.Bound) { b.Groups[0] = b.Groups[0][1:] }},
		{"a group left out", func(b *design.Bound) { b.Groups = b.Groups[1:] }},
		{"all nodes in one group", func(b *design.Bound) { b.Groups = [][]int{{0, 1, 2, 3, 4, 5, 6, 7}} }},
		{"one group twice", func(b *design.Bound) { b.Groups = append(b.Groups, b.Groups[0]) }},
		{"another node in a group", func(b *design.Bound) { b.Groups[0][0] = 7 }},
		{"groups of another cluster", func(b *design.Bound) { b.Groups = [][]int{{0, 2, 4, 6}, {1, 3, 5, 7}} }},
		{"groups across servers", func(b *design.Bound) {
			b.Groups = make([][]int, 4)
			for i := range 16 {
				b.Groups[i%4] = append(b.Groups[i%4], i)
			}
		}},
		{"groups of two servers", func(b *design.Bound) {
			b.Groups, b.Together = [][]int{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}}, 1
		}},
		{"none together", func(b *design.Bound) { b.Together = 0 }},
		{"one more together", func(b *design.Bound) { b.Together++ }},
		{"all together", func(b *design.Bound) { b.Together = len(b.Groups) }},
		{"fewer than none together", func(b *design.Bound) { b.Together = -1 }},
	} {
		all = append(all, edit{"groups: " + g.name, "\nbound:", func(p *design.Plan) bool {
			if p.Bound.Kind != design.GatewayBound {
				return false
			}
			before := fmt.Sprint(p.Bound.Groups, p.Bound.Together)
			g.edit(p.Bound)
			return fmt.Sprint(p.Bound.Groups, p.Bound.Together) != before
		}})
	}
	all = append(all, edit{"groups given", "\nbound:", func(p *design.Plan) bool {
		p.Bound.Groups, p.Bound.Together = [][]int{{0, 1}}, 1
		return p.Bound.Kind != design.GatewayBound
	}})
	for _, other := range []design.Bound{
		{Kind: "complete"}, {Kind: "tree"}, {Kind: "ring"}, {Kind: "cut"}, {Kind: "ball", Order: 1}, {Kind: "ball", Order: 2},
		{Kind: "ball", Order: 3},
		{Kind: "two-step", Order: 2, Gamma: 0.05}, {Kind: "walk", Order: 3, Eta: 1}, {Kind: "walk",
			Order: 4, Theta: -0.05, Tau: 0.1}, {Kind: "certificate"}, {Kind: "guess"}, {},
		{Kind: "gateway", Alpha: 0.7, Beta: 0.7}, {Kind: "gateway", Alpha: 0.7, Beta: 0.7, Groups: [][]int{{0, 1}},
			Together: 1},
	} {
		all = append(all, edit{fmt.Sprintf("by %s %d", other.Kind, other.Order), "\nbound:", func(p *design.Plan) bool {
			b := other
			b.RAsym, b.Detail = p.Bound.RAsym, p.Bound.Detail
			same := b.Kind == p.Bound.Kind && b.Order == p.Bound.Order
			p.Bound = &b
			return !same
		}})
	}
	return all
}

// stillTrue lists the edits that make another true statement, and why it is true.
var stillTrue = reasons(map[string][]string{
	"a limit on degrees that the plan keeps leaves fewer graphs, for which the bound holds too": {
		"complete: max_degree given", "cut: max_degree given", "ball 1: max_degree given", "two-step: max_degree given",
		"two-step, spectrum: max_degree given",
		"walk 3: max_degree given", "walk 3, spectrum: max_degree given", "walk 3, spare edge: max_degree given",
		"walk 4: max_degree given", "tree: max_degree given",
		"gateway: max_degree given", "gateway, signs: max_degree given", "gateway, spectrum: max_degree given",
		"gateway, servers: max_degree given"},
	"the argument holds for weights of any sign": {
		"complete: setting fdla", "ring: setting fdla", "cut: setting fdla", "ball 1: setting fmmc", "ball 2: setting fdla",
		"two-step: setting fmmc", "two-step, spectrum: setting fdla", "gateway, signs: setting fmmc",
		"gateway, spectrum: setting fdla"},
	"with a limit on the spectrum that the plan keeps, the same argument proves more about λ₂ than the number stated": {
		"complete: min_eigenvalue 0", "tree: min_eigenvalue -0.5", "tree: min_eigenvalue -0.1", "tree: min_eigenvalue 0",
		"ring: min_eigenvalue -0.5", "ring: min_eigenvalue -0.1", "ring: min_eigenvalue 0",
		"cut: min_eigenvalue -0.5", "cut: min_eigenvalue -0.1", "cut: min_eigenvalue 0", "ball 1: min_eigenvalue -0.1",
		"ball 1: min_eigenvalue 0",
		"ball 2: min_eigenvalue -0.5", "ball 2: min_eigenvalue -0.1", "ball 2: min_eigenvalue 0",
		"two-step: min_eigenvalue -0.1", "two-step: min_eigenvalue 0",
		"walk 3: min_eigenvalue -0.1", "walk 3: min_eigenvalue 0", "walk 3, spare edge: min_eigenvalue -0.1",
		"walk 3, spare edge: min_eigenvalue 0",
		"gateway, signs: min_eigenvalue -0.5", "gateway, signs: min_eigenvalue -0.1", "gateway, signs: min_eigenvalue 0"},
	"row sums at gateways bound λ₂, wherever the spectrum ends": {
		"gateway: min_eigenvalue -0.5", "gateway: min_eigenvalue -0.1", "gateway: min_eigenvalue 0",
		"gateway, servers: min_eigenvalue -0.5", "gateway, servers: min_eigenvalue -0.1",
		"gateway, servers: min_eigenvalue 0"},
	"degrees admit no more edges than before":                     {"ring: max_edges up", "ball 2: max_edges up"},
	"with one more edge some node still has only 3 neighbours":    {"ball 1: max_edges up"},
	"the plan keeps to the smaller budget, and so does the bound": {"walk 3, spare edge: max_edges down"},
	"r_asym ≥ 0 needs no argument": {"complete: by ball 1", "complete: by ball 2",
		"complete: by ball 3", "complete: by two-step 2", "complete: by walk 3", "complete: by walk 4"},
	"two-step uses the limit on a row that ball 1 consists of": {"ball 1: by two-step 2"},
	"these weights are the best, so they do meet their bound":  {"certificate: stop: bound attained"},
})

func reasons(byReason map[string][]string) map[string]string {
	all := map[string]string{}
	for why, keys := range byReason {
		for _, key := range keys {
			all[key] = why
		}
	}
	return all
}

// Every statement of a bound is altered in turn: the plan is refused, or the altered statement is true for a
// reason given above.
func TestForgedBoundsAreRefused(t *testing.T) {
	used := map[string]bool{}
	for name, honest := range boundedPlans(t) {
		text := written(t, honest)
		if why := refused(text); why != "" {
			t.Errorf("%s: the honest plan is refused: %s", name, why)
			continue
		}
		if !strings.HasPrefix(name, string(honest.Bound.Kind)) {
			t.Errorf("%s: the bound is %+v", name, *honest.Bound)
		}
		for _, e := range edits() {
			p, err := design.ReadPlan(name, bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if !e.edit(p) {
				continue
			}
			p.Hash = p.ComputeHash()
			key := name + ": " + e.name
			why, ok := stillTrue[key]
			used[key] = ok
			switch got := refused(written(t, p)); {
			case got == "" && !ok:
				t.Errorf("%q passes", key)
			case got != "" && !ok && !strings.Contains("\n"+got, e.caught):
				t.Errorf("%q is refused for something else than %q: %s", key, e.caught, got)
			case got != "" && ok:
				t.Errorf("%q is refused although %s: %s", key, why, got)
			}
		}
	}
	for key := range stillTrue {
		if !used[key] {
			t.Errorf("%q is listed but was not tried", key)
		}
	}
}

func written(t testing.TB, p *design.Plan) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A bound so small that the gap to it overflows leaves no number that a stated gap could be near to.
func TestGapThatOverflowsIsRefused(t *testing.T) {
	for name, p := range boundedPlans(t) {
		if p.RAsym < 1e-3 || p.MaxEdges == 0 {
			continue
		}
		p.Bound, p.Gap = &design.Bound{RAsym: 5e-324, Kind: design.CompleteBound}, new(float64)
		p.DegreeBound, p.DegreeGap = nil, nil
		if why := refused(written(t, p)); !strings.Contains("\n"+why, "\ngap:") {
			t.Errorf("%s: a gap of 0 to a bound of 5e-324 passes: %q", name, why)
		}
	}
}
