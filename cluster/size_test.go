package cluster_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	shipped "github.com/batopo/batopo/examples"
	"github.com/batopo/batopo/internal/ground/limits"
)

// The size of every example is the number of nodes it has once it is built.
func TestSizeIsTheNumberOfNodes(t *testing.T) {
	entries, err := shipped.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		f, err := shipped.Files.Open(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		c, err := cluster.Read(e.Name(), f)
		if err != nil {
			continue // not all are descriptions
		}
		spec := c.Spec()
		if shaped := spec.Servers != nil || spec.BCube != nil || spec.LeafSpine != nil || spec.Tree != nil ||
			spec.Matrix != nil || len(spec.Bandwidth) > 1; shaped {
			spec.Nodes = 0 // which need not be stated there
		}
		if got := spec.Size(); got != c.Nodes() {
			t.Errorf("%s: size %d, %d nodes", e.Name(), got, c.Nodes())
		}
	}
}

func TestSizeDoesNotOverflow(t *testing.T) {
	huge := math.MaxInt / 2
	for name, s := range map[string]cluster.Spec{
		"servers":   {Servers: &cluster.Servers{Count: huge, GPUs: huge}},
		"bcube":     {BCube: &cluster.BCube{Ports: huge, Layers: huge}},
		"leafspine": {LeafSpine: &cluster.LeafSpine{Leaves: huge, Hosts: 3}},
		"tree": {Tree: &cluster.Group{Nodes: huge, Groups: []cluster.Group{{Count: huge, Nodes: huge},
			{Count: huge, Nodes: huge}}}},
	} {
		if got := s.Size(); got <= limits.Nodes || got > 2*limits.Nodes {
			t.Errorf("%s: size %d", name, got)
		}
	}
	if got := (cluster.Spec{Servers: &cluster.Servers{Count: -3, GPUs: -3}}).Size(); got != 0 {
		t.Errorf("negative counts make %d nodes", got)
	}
}
