package present_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/present"
)

// Where rounds differ, the time is not rounds times ms/round, and a line says so.
func TestComparisonOfUnevenRounds(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	rounds := 2
	for total, want := range map[float64]bool{20: false, 15: true} {
		rows := []sweep.Row{{Name: "turns", Kind: sweep.Scheduled, CommunicationMS: 10, Iterations: &rounds,
			TimeMS: &total}}
		var out strings.Builder
		if err := present.WriteComparison(&out, c, rows, nil, nil); err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(out.String(), "ms/round: the longest round"); said != want {
			t.Errorf("2 rounds of at most 10 ms in %v ms: %v that they differ", total, said)
		}
	}
}
