package sweep

import (
	"context"
	"testing"
	"time"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// A part of the time that is too short for any plan is doubled for the next budget; one that is long enough is not.
func TestTooShortPartsOfTheTimeAreDoubled(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(24, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, Objective: design.Time, Purpose: design.Consensus, Sign: design.NonNegative}
	w, err := newSweeper(t.Context(), p, Settings{Seed: 1, Evaluations: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	// an hour over 2⁴¹ is a nanosecond
	for k, tc := range []struct{ parts, want int }{{1 << 41, 2}, {1 << 41, 4}, {100, 4}} {
		if err := w.share(ctx, k, tc.parts); err != nil {
			t.Fatal(err)
		}
		if solved := w.Outcomes[k].Plan != nil; w.patience != tc.want || solved != (tc.parts == 100) {
			t.Errorf("1/%d of an hour: solved is %t, the next gets %d parts; want %d", tc.parts, solved, w.patience, tc.want)
		}
	}
}
