package design_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
)

func ringCollective(p *design.Plan, order ...int) {
	p.Kind, p.Rounds = design.CollectiveKind, nil
	p.Collective = &design.Collective{Algorithm: "ring", Order: order}
}

func treeCollective(p *design.Plan, parent ...int) {
	ringCollective(p)
	p.Collective = &design.Collective{Algorithm: "tree", Parent: parent}
}

// stepsCollective is a star: all send to node 0, which hands the sum back.
func stepsCollective(p *design.Plan) *design.Collective {
	ringCollective(p)
	steps := make([][]design.Transfer, 2)
	for i := 1; i < 4; i++ {
		steps[0] = append(steps[0], design.Transfer{From: i, To: 0, End: 1, Add: true})
		steps[1] = append(steps[1], design.Transfer{From: 0, To: i, End: 1})
	}
	p.Collective = &design.Collective{Algorithm: design.StepsForm, Steps: steps}
	return p.Collective
}

// twoLevels makes the plan one among groups, with a round of two equal neighbours.
func twoLevels(p *design.Plan, groups ...[]int) {
	p.Inside = &design.Inside{Groups: groups}
	pair := []design.PlanEdge{{I: 0, J: 1, Weight: 0.5}}
	p.Rounds = []design.Round{{Part: 1, Edges: pair, SelfWeights: []float64{0.5, 0.5}}}
}

func TestWaysOfAveragingAreValidated(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(p *design.Plan)
		want string // "": the plan is fine
	}{
		{"as it is", func(*design.Plan) {}, ""},
		{"every 16, cta, overlapping", func(p *design.Plan) {
			p.Every, p.Order, p.Overlap = 16, design.CombineThenAdapt, true
		}, ""},
		{"a quarter", func(p *design.Plan) { p.Rounds[0].Part = 0.25 }, "rounds[0].part is 0.25; it must be 1"},
		{"almost all", func(p *design.Plan) { p.Rounds[0].Part = 1 - 0x1p-53 }, "rounds[0].part is 0.9999999999999999"},
		{"ring", func(p *design.Plan) { ringCollective(p, 3, 1, 0, 2) }, ""},
		{"tree", func(p *design.Plan) { treeCollective(p, 1, -1, 1, 2) }, ""},
		{"tree in chunks", func(p *design.Plan) { treeCollective(p, 1, -1, 1, 2); p.Collective.Chunks = 8 }, ""},
		{"steps", func(p *design.Plan) { stepsCollective(p) }, ""},
		{"hierarchical", func(p *design.Plan) { twoLevels(p, []int{0, 3}, []int{1, 2}) }, ""},

		{"ring in chunks", func(p *design.Plan) { ringCollective(p, 3, 1, 0, 2); p.Collective.Chunks = 2 }, "a ring has none"},
		{"too many chunks", func(p *design.Plan) { stepsCollective(p).Chunks = 1e6 }, "chunks is 1000000"},
		{"steps and an order", func(p *design.Plan) { stepsCollective(p).Order = []int{0, 1, 2, 3} }, "nothing else"},
		{"an empty step", func(p *design.Plan) { stepsCollective(p).Steps[1] = nil }, "steps[1] is empty"},
		{"a node without steps", func(p *design.Plan) {
			c := stepsCollective(p)
			c.Steps = [][]design.Transfer{c.Steps[0][:1]}
		}, "leave out node 2"},
		{"to itself", func(p *design.Plan) { stepsCollective(p).Steps[0][1].To = 2 }, "goes from 2 to 2"},
		{"no such node", func(p *design.Plan) { stepsCollective(p).Steps[0][1].To = 9 }, "nodes are 0 … 3"},
		{"an empty part", func(p *design.Plan) { stepsCollective(p).Steps[0][1].End = 0 }, "sends the part from 0 to 0"},
		{"too large a part", func(p *design.Plan) { stepsCollective(p).Steps[0][1].End = 1.5 }, "from 0 to 1.5"},
		{"replaced twice", func(p *design.Plan) {
			c := stepsCollective(p)
			c.Steps[1][0].To, c.Steps[1][1].To = 3, 3
		}, "which gets it twice"},
		{"atc, overlapping", func(p *design.Plan) { p.Overlap = true }, "overlap needs order"},
		{"every 0", func(p *design.Plan) { p.Every = 0 }, "every is 0"},
		{"every 10⁹", func(p *design.Plan) { p.Every = 1e9 }, "every is 1000000000"},
		{"unknown order", func(p *design.Plan) { p.Order = "act" }, `order is "act"`},
		{"unknown kind", func(p *design.Plan) { p.Kind = "" }, `kind is ""`},
		{"no part", func(p *design.Plan) { p.Rounds[0].Part = 0 }, "rounds[0].part is 0"},
		{"more than all", func(p *design.Plan) { p.Rounds[0].Part = 1.5 }, "rounds[0].part is 1.5"},
		{"no rounds", func(p *design.Plan) { p.Rounds, p.RoundMS = nil, nil }, "a gossip plan has rounds"},
		{"times of other rounds", func(p *design.Plan) { p.RoundMS = []float64{1, 2} }, "2 entries for 1 rounds"},
		{"gossip and collective", func(p *design.Plan) { p.Collective = new(design.Collective) }, "no collective"},
		{"collective with rounds", func(p *design.Plan) { p.Kind = design.CollectiveKind }, "it has no rounds"},
		{"collective of nothing", func(p *design.Plan) { ringCollective(p); p.Collective = nil }, "has a collective"},
		{"short ring", func(p *design.Plan) { ringCollective(p, 0, 1, 2) }, "names 3 of 4 nodes"},
		{"ring that repeats", func(p *design.Plan) { ringCollective(p, 0, 1, 1, 2) }, "names node 1 twice"},
		{"ring out of range", func(p *design.Plan) { ringCollective(p, 0, 1, 2, 4) }, "node 4"},
		{"other algorithm", func(p *design.Plan) {
			ringCollective(p, 0, 1, 2, 3)
			p.Collective.Algorithm = "star"
		}, `"star"`},
		{"short tree", func(p *design.Plan) { treeCollective(p, -1, 0) }, "2 entries for 4 nodes"},
		{"two roots", func(p *design.Plan) { treeCollective(p, -1, 0, -1, 2) }, "no tree"},
		{"circle", func(p *design.Plan) { treeCollective(p, -1, 2, 3, 1) }, "no tree"},
		{"parent out of range", func(p *design.Plan) { treeCollective(p, -1, 0, 0, 9) }, "parent[3] is 9"},
		{"one group", func(p *design.Plan) { twoLevels(p, []int{0, 1, 2, 3}) }, "1 groups"},
		{"groups of other sizes", func(p *design.Plan) { twoLevels(p, []int{0}, []int{1, 2, 3}) }, "groups are of one size"},
		{"groups that overlap", func(p *design.Plan) { twoLevels(p, []int{0, 1}, []int{1, 2}) }, "names node 1 twice"},
		{"groups without all", func(p *design.Plan) { twoLevels(p, []int{0}, []int{1}) }, "names 2 of 4 nodes"},
		{"rounds among nodes", func(p *design.Plan) {
			p.Inside = &design.Inside{Groups: [][]int{{0, 1}, {2, 3}}}
		}, "4 entries for 2 nodes"},
	} {
		p := familyPlan(t, "ring", 4)
		tc.edit(p)
		p.Hash = p.ComputeHash()
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := design.ReadPlan("plan.json", bytes.NewReader(b.Bytes()))
		switch {
		case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
			t.Errorf("%s: error %v; want one that says %q", tc.name, err, tc.want)
		case tc.want == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.want == "" && again.ComputeHash() != p.Hash:
			t.Errorf("%s: the hash changed on the way through a file", tc.name)
		}
	}
}

// Everything that a training run goes by is in the hash, names too: ranks are seated by them. What was asked, claimed
// and done to find it is not.
func TestHashCoversWhatAPlanDoes(t *testing.T) {
	seen := map[string]string{}
	for name, edit := range map[string]func(p *design.Plan){
		"as it is": func(*design.Plan) {}, "every": func(p *design.Plan) { p.Every = 2 },
		"names":       func(p *design.Plan) { p.Names = []string{"a", "b", "c", "d"} },
		"two swapped": func(p *design.Plan) { p.Names = []string{"b", "a", "c", "d"} },
		"order":       func(p *design.Plan) { p.Order = design.CombineThenAdapt },
		"overlap":     func(p *design.Plan) { p.Overlap = true },
		"directed":    func(p *design.Plan) { p.Directed = true },
		"part":        func(p *design.Plan) { p.Rounds[0].Part = 0.5 },
		"weight":      func(p *design.Plan) { p.Rounds[0].Edges[0].Weight = 0.25 },
		"twice":       func(p *design.Plan) { p.Rounds = append(p.Rounds, p.Rounds[0]) },
		"ring":        func(p *design.Plan) { ringCollective(p, 0, 1, 2, 3) },
		"other ring":  func(p *design.Plan) { ringCollective(p, 0, 2, 1, 3) },
		"tree":        func(p *design.Plan) { treeCollective(p, -1, 0, 0, 0) },
		"steps":       func(p *design.Plan) { stepsCollective(p) },
		"chunks":      func(p *design.Plan) { stepsCollective(p).Chunks = 2 },
		"transfer":    func(p *design.Plan) { stepsCollective(p).Steps[0][0].To = 2 },
		"begin":       func(p *design.Plan) { stepsCollective(p).Steps[0][0].Begin = 0.5 },
		"end":         func(p *design.Plan) { stepsCollective(p).Steps[0][0].End = 0.5 },
		"add":         func(p *design.Plan) { stepsCollective(p).Steps[0][0].Add = false },
		"other steps": func(p *design.Plan) {
			c := stepsCollective(p)
			c.Steps = [][]design.Transfer{c.Steps[0][:1], c.Steps[0][1:], c.Steps[1]}
		},
		"hierarchical": func(p *design.Plan) { twoLevels(p, []int{0, 1}, []int{2, 3}) },
		"other groups": func(p *design.Plan) { twoLevels(p, []int{0, 2}, []int{1, 3}) },
	} {
		p := familyPlan(t, "ring", 4)
		edit(p)
		hash := p.ComputeHash()
		if other := seen[hash]; other != "" {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[hash] = name
	}
	p := familyPlan(t, "ring", 4)
	p.Question, p.Claims, p.Provenance = design.Question{}, design.Claims{}, design.Provenance{}
	if p.ComputeHash() != p.Hash {
		t.Error("the hash depends on what was asked, claimed or how it was found")
	}
}

// A plan of an older format is refused in one sentence that says what to do.
func TestOlderFormatsAreRefused(t *testing.T) {
	for _, old := range []string{"batopo.plan/v1", "batopo.plan/v2", "batopo.plan/v3", "batopo.plan/v5"} {
		_, err := design.ReadPlan("old.json", strings.NewReader(`{"format": "`+old+`", "edges": []}`))
		want := `old.json: format is "` + old + `"; this program reads "batopo.plan/v4": make the plan again with the ` +
			"command that made it"
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", old, err, want)
		}
	}
}
