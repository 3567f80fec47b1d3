package verify_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
)

// An edit makes one statement of a plan another.
type edit struct {
	name   string
	caught string                    // what the refusal must name; a line begins with the claim
	edit   func(p *design.Plan) bool // false: there is nothing to edit
}

// edits lists what a forger would try: a larger bound, another argument, another question.
func edits() []edit {
	return slices.Concat(valueEdits(), questionEdits(), argumentEdits(), groupEdits())
}

func always(f func(p *design.Plan)) func(p *design.Plan) bool {
	return func(p *design.Plan) bool { f(p); return true }
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
