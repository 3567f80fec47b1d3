package present

import (
	"testing"

	"github.com/batopo/batopo/design"
)

// Near 1 a gap of a percent is a multiple of the rounds.
func TestAGapNearOneIsSaidInRounds(t *testing.T) {
	gap := 0.999507/0.989899 - 1
	p := new(design.Plan)
	p.RAsym, p.Gap, p.Bound = 0.999507, &gap, &design.Bound{RAsym: 0.989899}
	if got, want := gapInRounds(p), ", at most 20.59 times the rounds"; got != want {
		t.Errorf("the gap of a path to a star: %q, want %q", got, want)
	}
	p.RAsym = 0.5
	if got := gapInRounds(p); got != "" {
		t.Errorf("far from 1: %q", got)
	}
}
