package verify_test

import (
	"fmt"

	"github.com/batopo/batopo/design"
)

// argumentEdits change the numbers of an argument, or name another.
func argumentEdits() []edit {
	all := []edit{
		{"order up", "bound:", always(func(p *design.Plan) { p.Bound.Order++ })},
		{"order down", "bound:", always(func(p *design.Plan) { p.Bound.Order-- })},
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

// groupEdits change the groups of nodes that an argument is about.
func groupEdits() (all []edit) {
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
	return append(all, edit{"groups given", "\nbound:", func(p *design.Plan) bool {
		p.Bound.Groups, p.Bound.Together = [][]int{{0, 1}}, 1
		return p.Bound.Kind != design.GatewayBound
	}})
}
