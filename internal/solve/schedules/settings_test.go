package schedules

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// A message that is cut into more chunks than a plan may say would be found and could not be written down.
func TestSettingsThatNoPlanCanHaveAreRefused(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Bandwidth: []float64{1, 2, 3, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Settings{{Chunks: 2048}, {Chunks: math.MaxInt}, {Chunks: -1}, {Evaluations: -1}} {
		if found, err := Search(t.Context(), Problem{Cluster: c, Form: Parts}, s); err == nil {
			t.Errorf("%d chunks, %d evaluations: found %s", s.Chunks, s.Evaluations, found.Name)
		}
	}
}
