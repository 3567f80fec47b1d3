package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify/internal/question"
)

// largestWithin looks at every graph and returns how many edges a connected one within capacities has; 0: there is
// none.
func largestWithin(r *question.Routes, e []int) (most int) {
	for set := range 1 << len(r.Candidates) {
		load, count, ok := make([]int, len(e)), 0, true
		parts := topology.NewParts(r.Nodes)
		for k := range r.Candidates {
			if set>>k&1 == 0 {
				continue
			}
			count++
			parts.JoinEnds(r.Candidates[k])
			for _, l := range r.Counts[k] {
				load[l]++
				ok = ok && load[l] <= e[l]
			}
		}
		if ok && parts.Count() == 1 {
			most = max(most, count)
		}
	}
	return most
}

// What judge says of capacities is true: every graph of up to 5 nodes is looked at.
func TestJudgedCapacities(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 21))
	counts := map[question.Verdict]int{}
	for range 600 {
		c := smallHardware(t, rng)
		if c.CandidateCount() > 10 {
			continue
		}
		r := question.NewRoutes(c)
		e := make([]int, len(r.Limits))
		for l := range e {
			e[l] = rng.IntN(1 + min(4, len(r.Limits[l].Edges)))
		}
		most := largestWithin(r, e)
		for edges := c.Nodes() - 1; edges <= c.CandidateCount(); edges++ {
			got := r.Judge(e, edges)
			counts[got]++
			if got == question.Fits && most < edges || got == question.Refuted && most >= edges {
				t.Fatalf("%+v\n%v: %d edges are judged %d, the most is %d", c.Spec(), e, edges, got, most)
			}
		}
	}
	t.Logf("fits %d, refuted %d, undecided %d", counts[question.Fits], counts[question.Refuted], counts[question.Undecided])
	if counts[question.Undecided]*10 > counts[question.Fits] {
		t.Errorf("%v: too much is left open", counts)
	}
}

// mutants are ways to get the capacities of a budget wrong.
var mutants = map[string]func(e, most []int, rng *rand.Rand) []int{
	"doubled": func(e, most []int, _ *rand.Rand) []int {
		return changed(e, func(l int) int { return min(2*e[l], most[l]) })
	},
	"off by one": func(e, most []int, _ *rand.Rand) []int {
		return changed(e, func(l int) int { return min(e[l]+1, most[l]) })
	},
	"no limits": func(e, most []int, _ *rand.Rand) []int { return most },
	"far beyond": func(e, _ []int, _ *rand.Rand) []int {
		return changed(e, func(l int) int { return 3*e[l] + 2 })
	},
	"of another resource": func(e, most []int, rng *rand.Rand) []int {
		order := rng.Perm(len(e))
		return changed(e, func(l int) int { return min(e[order[l]], most[l]) })
	},
}

func changed(e []int, to func(l int) int) []int {
	out := make([]int, len(e))
	for l := range e {
		out[l] = to(l)
	}
	return out
}

// drawn is a random connected graph with the given number of edges within capacities; ok is false where the draw fails.
func drawn(r *question.Routes, e []int, edges int, rng *rand.Rand) (chosen []topology.Edge, load []int, ok bool) {
	load = make([]int, len(e))
	parts, taken := topology.NewParts(r.Nodes), make([]bool, len(r.Candidates))
	for _, tree := range []bool{true, false} {
		for _, k := range rng.Perm(len(r.Candidates)) {
			edge := r.Candidates[k]
			full := slices.ContainsFunc(r.Counts[k], func(l int32) bool { return load[l] >= e[l] })
			if taken[k] || full || len(chosen) == edges || tree && parts.Of(edge.I) == parts.Of(edge.J) {
				continue
			}
			taken[k] = true
			chosen = append(chosen, edge)
			parts.JoinEnds(edge)
			for _, l := range r.Counts[k] {
				load[l]++
			}
		}
	}
	slices.SortFunc(chosen, topology.Edge.Compare)
	return chosen, load, len(chosen) == edges && parts.Count() == 1
}

// asked is a plan with these edges, as a search with a budget would write it.
func asked(t *testing.T, c *cluster.Cluster, edges []topology.Edge) *design.Plan {
	t.Helper()
	g, err := topology.New(c.Nodes(), edges)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.Metropolis(g)
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewPlan(context.Background(), c, w, s)
	if err != nil {
		return nil // a cap of the hardware is exceeded, and there is no price
	}
	p.MaxEdges, p.Objective = len(edges), design.Rate
	return p
}

// limitsOf is what Check finds about the resources of a plan.
func limitsOf(t *testing.T, p *design.Plan) Finding {
	t.Helper()
	report, err := Check(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report {
		if f.Claim == "resource limits" {
			return f
		}
	}
	return Finding{}
}

// A search whose capacities are wrong writes plans that verify refuses, though it cannot see the search: on every
// example, plans drawn within wrong capacities and beyond the right ones. Plans within the right ones are not refused.
func TestPlansOfMutantSearchesAreRefused(t *testing.T) {
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	rng := rand.New(rand.NewPCG(5, 23))
	tried, refusedBy, honest := map[string]int{}, map[string]int{}, map[Status]int{}
	for _, file := range files {
		c, err := cluster.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if c.Homogeneous() || c.Spec().Edges != nil {
			continue
		}
		all := question.NewRoutes(c)
		budgets, err := feasible.On(c).Budgets(t.Context(), 4)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range budgets {
			right := func(load []int) bool {
				return !slices.ContainsFunc(topology.InOrder(len(load)), func(l int) bool { return load[l] > a.Edges[l] })
			}
			for range 20 {
				if edges, _, ok := drawn(all, a.Edges, a.MaxEdges, rng); ok {
					f := limitsOf(t, asked(t, c, edges))
					if honest[f.Status]++; f.Status == False {
						t.Errorf("%s, %d edges: within the capacities, and refused: %s", file, a.MaxEdges, f.Why())
					}
					break
				}
			}
			for _, name := range []string{"doubled", "off by one", "no limits", "far beyond",
				"of another resource"} {
				for range 20 {
					wrong := mutants[name](a.Edges, c.Most(), rng)
					edges, load, ok := drawn(all, wrong, a.MaxEdges, rng)
					if !ok || right(load) {
						continue
					}
					p := asked(t, c, edges)
					if p == nil {
						continue
					}
					tried[name]++
					f := limitsOf(t, p)
					if f.Status == False {
						refusedBy[name]++
					} else {
						t.Errorf("%s, %d edges, capacities %s: %s %s", filepath.Base(file), a.MaxEdges, name, f.Status, f.Detail)
					}
					break
				}
			}
		}
	}
	text := ""
	for name := range mutants {
		text += fmt.Sprintf("; %s: %d of %d refused", name, refusedBy[name], tried[name])
		if tried[name] == 0 {
			t.Errorf("%s: no plan", name)
		}
	}
	t.Logf("honest: %d ok, %d not proved%s", honest[OK], honest[Unproved], text)
}

// largestUnit is the question's unit bandwidth, found by looking at every graph at every unit; 0 where there is none.
func largestUnit(s *question.Stock) float64 {
	var units []float64
	for l, b := range s.Bandwidth {
		for count := 1; count <= s.Most[l]; count++ {
			units = append(units, b/float64(count))
		}
	}
	slices.Sort(units)
	for _, unit := range slices.Backward(units) {
		if largestWithin(s.Routes, s.At(unit)) >= s.Edges {
			return unit
		}
	}
	return 0
}

// Plans drawn within all kinds of capacities on small clusters keep to those of their question or not, which every
// graph is looked at for: none that does is refused, and none that does not passes.
func TestForgedCapacities(t *testing.T) {
	count := 1500
	if testing.Short() {
		count /= 10
	}
	rng := rand.New(rand.NewPCG(5, 24))
	found := map[bool]map[Status]int{true: {}, false: {}}
	for found[true][OK]+found[true][Unproved]+found[false][False]+found[false][Unproved] < count {
		c := smallHardware(t, rng)
		if c.CandidateCount() > 10 || c.Homogeneous() {
			continue
		}
		all := question.NewRoutes(c)
		e := c.Most()
		for l := range e {
			e[l] = min(e[l], 1+rng.IntN(4))
		}
		edges, load, ok := drawn(all, e, c.Nodes()-1+rng.IntN(3), rng)
		if !ok {
			continue
		}
		p := asked(t, c, edges)
		p.MaxEdges = min(p.MaxEdges+rng.IntN(2), c.CandidateCount())
		k := newCheck(p, c)
		s, err := k.stock()
		if err != nil {
			t.Fatal(err)
		}
		s.Routes = all
		unit := largestUnit(s)
		truth := unit > 0
		for l, most := range s.At(max(unit, s.Lowest())) {
			truth = truth && load[l] <= most
		}
		f := limitsOf(t, p)
		if found[truth][f.Status]++; truth && f.Status == False || !truth && f.Status == OK {
			t.Fatalf("%+v\n%v, budget %d, unit %v: truth %t, found %s %s", c.Spec(), edges, p.MaxEdges, unit, truth, f.Status,
				f.Detail)
		}
	}
	t.Logf("%d claims: %d false ones refused, %d not proved, none accepted; %d true ones hold, %d not proved, none refused",
		count, found[false][False], found[false][Unproved], found[true][OK], found[true][Unproved])
}
