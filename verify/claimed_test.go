package verify

import (
	"slices"
	"testing"

	"github.com/batopo/batopo/mixing"
)

// However many rounds a plan claims, they are rechecked by some forty products of matrices.
func TestManyClaimedRoundsTakeFewProducts(t *testing.T) {
	const n, target = 6, 1e-4
	shifts := func(weight float64, by ...int) (rounds []*mixing.Matrix) {
		for _, shift := range by {
			var arcs []mixing.Arc
			for i := range n {
				arcs = append(arcs, mixing.Arc{From: i, To: (i + shift) % n, Weight: weight})
			}
			w, err := mixing.FromArcs(n, arcs)
			if err != nil {
				t.Fatal(err)
			}
			rounds = append(rounds, w)
		}
		return rounds
	}
	for _, tc := range []struct {
		name     string
		rounds   []*mixing.Matrix
		count    int
		known    bool
		products int // at most
	}{
		{"a directed ring that mixes", shifts(0.5, 1), 1 << 62, true, 41},
		{"a directed ring that hardly mixes", shifts(1e-13, 1), 1 << 62, false, 41},
		{"a directed ring in two parts", shifts(0.5, 2), 1 << 62, false, 41},
		{"two rounds that hardly mix", shifts(1e-13, 1, 2), 1 << 62, false, 40},
		{"two rounds that never do", shifts(0.5, 2, 4), 1 << 62, false, 40},
		{"as many rounds as are looked at", shifts(1e-13, 1, 2), 2 * manyRounds, true, 40},
		{"one more", shifts(1e-13, 1, 2), 2*manyRounds + 1, false, 40},
	} {
		d := newDeviation(tc.rounds)
		before, after, known := d.claimed(tc.count, target)
		if known != tc.known || d.products > tc.products {
			t.Errorf("%s: known: %v, %d products; want %v, at most %d", tc.name, known, d.products, tc.known, tc.products)
		}
		if tc.count > d.mostRounds() && known && !(before <= target && after <= target) {
			t.Errorf("%s: the error is %v before the last round and %v after it", tc.name, before, after)
		}
	}
}

// What a count of rounds costs is known before it is looked at, to the last product of matrices.
func TestWorkOfRoundsIsKnownBefore(t *testing.T) {
	for _, period := range []int{1, 2, 3} {
		pair, err := mixing.FromArcs(5, []mixing.Arc{{From: 0, To: 1, Weight: 0.5}, {From: 1, To: 0, Weight: 0.5}})
		if err != nil {
			t.Fatal(err)
		}
		rounds := slices.Repeat([]*mixing.Matrix{pair}, period)
		for _, count := range []int{1, 2, 3, 4, 7, 8, 9, 64, 65, 1000, 1023, 1 << 20} {
			d := newDeviation(rounds)
			d.around(count, 0)
			arcs := float64(period * (rounds[0].Arcs() + 5))
			most := d.work(count)
			if squares := float64(d.products) * 125; most < squares || most > squares+arcs*5*25 {
				t.Errorf("%d rounds of a period of %d: %v were expected, %d products were made", count, period, most, d.products)
			}
		}
	}
}
