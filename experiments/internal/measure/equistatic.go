package measure

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/batopo/batopo/mixing"
)

// A Draw is one random U-EquiStatic topology.
type Draw struct {
	Usable int            `json:"usable_draws"` // of all seeds, among which it was chosen
	Seed   uint64         `json:"draw_seed"`
	Shifts []int          `json:"shifts"`
	Matrix *mixing.Matrix `json:"-"`
	RAsym  float64        `json:"-"`
}

// Draws draws shifts for seeds 0 … seeds−1, as published, and returns the topologies that are connected and have two
// neighbours for every shift; repeated shifts, and n/2, give fewer.
func Draws(nodes, shifts, seeds int) ([]Draw, error) {
	var usable []Draw
	for seed := range uint64(seeds) {
		drawn, err := mixing.EquiStaticShifts(nodes, shifts, seed)
		if err != nil {
			return nil, err
		}
		w, err := mixing.EquiStatic(nodes, drawn, false)
		if err != nil {
			return nil, err
		}
		if w.Degrees()[0] != 2*shifts || !w.Graph().Connected() {
			continue
		}
		s, err := w.Spectrum(context.Background())
		if err != nil {
			return nil, err
		}
		usable = append(usable, Draw{Seed: seed, Shifts: drawn, Matrix: w, RAsym: s.RAsym})
	}
	if len(usable) == 0 {
		return nil, fmt.Errorf("measure: none of %d draws of %d shifts for %d nodes is connected with %d neighbours each",
			seeds, shifts, nodes, 2*shifts)
	}
	return usable, nil
}

// Rules are the ways to choose among draws: the first seed, or the median or best r_asym.
var Rules = []string{"first", "median", "best"}

// Choose returns the draw that a rule chooses.
func Choose(draws []Draw, rule string) Draw {
	sorted := slices.Clone(draws)
	slices.SortStableFunc(sorted, func(a, b Draw) int { return cmp.Compare(a.RAsym, b.RAsym) })
	chosen := map[string]Draw{"first": draws[0], "median": sorted[(len(sorted)-1)/2], "best": sorted[0]}[rule]
	chosen.Usable = len(draws)
	return chosen
}
