package cost

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// Servers wired alike have hundreds of equal rows, on which the simplex method once did not end. Their cards decide.
func TestSharesOfManyServers(t *testing.T) {
	c, err := cluster.Read("servers.yaml", strings.NewReader(`
format: batopo.cluster/v2
tree:
  groups:
    - name: server
      count: 12
      nodes: 4
      link: 12
      nics: {gb_s: 12, of_nodes: [[0, 1], [2, 3]]}
      nvlinks:
        - {pair: [0, 1], gb_s: 80}
        - {pair: [0, 2], gb_s: 80}
        - {pair: [0, 3], gb_s: 80}
        - {pair: [1, 2], gb_s: 80}
        - {pair: [1, 3], gb_s: 80}
        - {pair: [2, 3], gb_s: 80}
model: {message_mb: 48}
`))
	if err != nil {
		t.Fatal(err)
	}
	loads, err := shareLoads(c)
	if err != nil {
		t.Fatal(err)
	}
	shares, err := BestShares(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	busiest := 0.
	for _, row := range loads {
		ms := 0.
		for i, s := range shares {
			ms += row[i] * s
		}
		busiest = max(busiest, ms)
	}
	// In equal shares every card carries as much: what its two nodes exchange with the 44 outside, a 48th part each way.
	const equally = 48. / 12 * 2 * 44 * 2 / 48
	if math.Abs(busiest-equally) > 1e-6*equally {
		t.Errorf("the busiest card takes %v ms; equal shares take %v", busiest, equally)
	}
}

func TestRowsThatDecide(t *testing.T) {
	got := fmt.Sprint(busiest([][]float64{{1, 2}, {2, 1}, {1, 2}, {0, 1}, {3, 0}, {1, 1}}))
	if want := "[[1 2] [2 1] [3 0]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
