package verify_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/verify"
)

// Plans of kinds that nothing recomputes are not passed over: their hash is checked and their claims are listed.
func TestOtherKindsOfPlansAreListedAsNotProved(t *testing.T) {
	for name, edit := range map[string]func(p *design.Plan){
		"collective": func(p *design.Plan) {
			p.Kind, p.Rounds, p.RoundMS = design.CollectiveKind, nil, nil
			p.Collective = &design.Collective{Algorithm: "ring", Order: []int{0, 2, 4, 1, 3, 5}}
		},
		"two levels": func(p *design.Plan) {
			pair := []design.PlanEdge{{I: 0, J: 1, Weight: 0.5}}
			p.Rounds = []design.Round{{Part: 1, Edges: pair, SelfWeights: []float64{0.5, 0.5}}}
			p.Inside = &design.Inside{Groups: [][]int{{0, 1, 2}, {3, 4, 5}}}
		},
		"parts": func(p *design.Plan) { p.Rounds[0].Part = 0.25 },
	} {
		p := familyPlan(t, "ring", 6)
		edit(p)
		p.Hash = p.ComputeHash()
		again, err := design.ReadPlan(name, bytes.NewReader(written(t, p)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !listed(t, again, allClaims) {
			t.Errorf("%s: the claims are not listed as not proved", name)
		}
		again.Overlap = true
		report, err := verify.Check(context.Background(), again)
		if err != nil || report.Err() == nil {
			t.Errorf("%s: overlap was changed, and the hash still passes (error %v)", name, err)
		}
	}
}
