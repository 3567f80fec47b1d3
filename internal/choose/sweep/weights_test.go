package sweep_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/topology"
)

// BestWeights refuses what cannot be answered, and says why.
func TestBestWeightsChecksItsQuestion(t *testing.T) {
	ring, err := topology.Ring(8)
	if err != nil {
		t.Fatal(err)
	}
	apart, err := topology.New(8, ring.Edges()[:6])
	if err != nil {
		t.Fatal(err)
	}
	c, below := homogeneous(t, 8), -1.5
	for _, tc := range []struct {
		name, want string
		p          design.Problem
		g          *topology.Graph
	}{
		{"no cluster", "need a cluster and a graph", design.Problem{}, ring},
		{"no graph", "need a cluster and a graph", design.Problem{Cluster: c}, nil},
		{"another size", "the graph has 8 nodes, the cluster 4", design.Problem{Cluster: homogeneous(t, 4)}, ring},
		{"two parts", "falls into 2 parts", design.Problem{Cluster: c}, apart},
		{"unknown purpose", `purpose is "speed"`, design.Problem{Cluster: c, Purpose: "speed"}, ring},
		{"impossible limit", "above −1", design.Problem{Cluster: c, MinEigenvalue: &below}, ring},
	} {
		_, err := sweep.BestWeights(t.Context(), tc.p, tc.g, nil)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}
