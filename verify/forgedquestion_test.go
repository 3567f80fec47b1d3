package verify_test

import (
	"fmt"

	"github.com/batopo/batopo/design"
)

// questionEdits change the question that a bound answers.
func questionEdits() []edit {
	all := []edit{
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
	return all
}
