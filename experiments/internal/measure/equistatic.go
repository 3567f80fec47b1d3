package measure

import (
	"cmp"
	"fmt"
	"slices"

	"batopo/mixing"
)

// A Draw is one random U-EquiStatic topology.
type Draw struct {
	Seed   uint64
	Shifts []int
	Matrix *mixing.Matrix
	RAsym  float64
}

// Draws are the U-EquiStatic topologies of some seeds that are connected and have all 2M
// neighbours; repeated shifts, and n/2, give fewer.
type Draws struct {
	Nodes, Shifts, Seeds int
	First, Median, Best  Draw // by seed; by r_asym; by r_asym
	Usable               int
}

// Rules names the ways to choose among draws, in the order of Draws.ByRule.
var Rules = []string{"first", "median", "best"}

// ByRule returns the draw that a rule chooses.
func (d Draws) ByRule(rule string) Draw {
	switch rule {
	case Rules[0]:
		return d.First
	case Rules[1]:
		return d.Median
	}
	return d.Best
}

// EquiStatic draws M = shifts shifts for seeds 0 … seeds−1, as published.
func EquiStatic(nodes, shifts, seeds int) (Draws, error) {
	d := Draws{Nodes: nodes, Shifts: shifts, Seeds: seeds}
	var usable []Draw
	for seed := range uint64(seeds) {
		drawn, err := mixing.EquiStaticShifts(nodes, shifts, seed)
		if err != nil {
			return d, err
		}
		w, err := mixing.EquiStatic(nodes, drawn, false)
		if err != nil {
			return d, err
		}
		if w.Degrees()[0] != 2*shifts || !w.Graph().Connected() {
			continue
		}
		s, err := w.Spectrum()
		if err != nil {
			return d, err
		}
		usable = append(usable, Draw{Seed: seed, Shifts: drawn, Matrix: w, RAsym: s.RAsym})
	}
	if len(usable) == 0 {
		return d, fmt.Errorf("measure: none of %d draws of %d shifts for %d nodes is connected with %d neighbours each", seeds, shifts, nodes, 2*shifts)
	}
	d.First, d.Usable = usable[0], len(usable)
	slices.SortStableFunc(usable, func(a, b Draw) int { return cmp.Compare(a.RAsym, b.RAsym) })
	d.Best, d.Median = usable[0], usable[(len(usable)-1)/2]
	return d, nil
}

// Note says how a draw was chosen.
func (d Draws) Note(rule string) string {
	chosen := d.ByRule(rule)
	return fmt.Sprintf("%s of the %d usable draws of seeds 0–%d: seed %d, shifts %v", rule, d.Usable, d.Seeds-1, chosen.Seed, chosen.Shifts)
}
