package verify_test

import "github.com/batopo/batopo/design"

// valueEdits change or leave out what a plan says is proved, how far from that it is, and of what.
func valueEdits() []edit {
	return []edit{
		{"bound up", "\nbound:", always(func(p *design.Plan) {
			b := *p.Bound
			b.RAsym += 1e-6 * max(b.RAsym, 1)
			p.SetBound(&b)
		})},
		{"bound above r_asym", "\nbound:", always(func(p *design.Plan) {
			b := *p.Bound
			b.RAsym = p.RAsym + 1e-6
			p.SetBound(&b)
		})},
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
}
