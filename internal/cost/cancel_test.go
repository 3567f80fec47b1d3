package cost

import (
	"context"
	"slices"
	"testing"

	"github.com/batopo/batopo/internal/collective"
)

// A cancelled search returns the first division that was priced, and shares that sum to one.
func TestSearchesStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := paper(t, 0, append(repeated(8, 9.76), repeated(8, 3.25)...)...)
	a, cost, priced, err := BestLeaders(ctx, c)
	if err != nil || priced != 1 || a == nil || !(cost.MS > 0) {
		t.Errorf("leaders: %d divisions priced, %v ms, %v; want one", priced, cost.MS, err)
	}
	if _, _, all, err := BestLeaders(t.Context(), c); err != nil || all < 100 {
		t.Errorf("leaders that nobody stops: %d divisions priced, %v; want hundreds", all, err)
	}
	shares, err := BestShares(ctx, c)
	if err != nil || !slices.Equal(shares, collective.EqualShares(16)) {
		t.Errorf("shares %v, %v; want equal ones", shares, err)
	}
}

// Two members and two groups have one way each, so nothing is priced twice.
func TestWaysOnLevelsAreDifferent(t *testing.T) {
	for _, test := range []struct{ groups, members, want int }{{2, 2, 1}, {2, 4, 2}, {4, 2, 2}, {4, 4, 4}} {
		groups := make([][]int, test.groups)
		for i := range test.groups * test.members {
			groups[i/test.members] = append(groups[i/test.members], i)
		}
		c := paper(t, 0, repeated(test.groups*test.members, 9.76)...)
		ways := collective.WaysOnLevels(groups)
		if len(ways) != test.want {
			t.Errorf("%d groups of %d: %d ways, want %d", test.groups, test.members, len(ways), test.want)
		}
		// What was left out costs what is left.
		order := make([]int, test.groups)
		for k := range order {
			order[k] = k
		}
		for _, inside := range []collective.Scatter{collective.Direct, collective.Around} {
			for _, between := range []*collective.Algorithm{collective.Ring(order), collective.HalvingDoubling(order)} {
				cost, err := Of(collective.Levels(groups, inside, between), c)
				same := func(a *collective.Algorithm) bool {
					other, err := Of(a, c)
					return err == nil && other.MS == cost.MS && other.Slots == cost.Slots
				}
				if err != nil || !slices.ContainsFunc(ways, same) {
					t.Errorf("%d groups of %d, %s, %s: no way costs %v ms, %v", test.groups, test.members, inside,
						between.Name, cost.MS, err)
				}
			}
		}
	}
}
