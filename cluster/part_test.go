package cluster_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// A part of a cluster has the routes, bandwidths, compute times and names of the nodes that stay.
func TestPartKeepsWhatStays(t *testing.T) {
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	parts := 0
	for _, name := range files {
		c, err := cluster.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		half := inOrder(c.Nodes())[c.Nodes()/2:]
		for _, drop := range [][]int{{0}, {c.Nodes() - 1}, half} {
			keep := slices.DeleteFunc(inOrder(c.Nodes()), func(i int) bool { return slices.Contains(drop, i) })
			spec, err := c.Part(keep)
			if err != nil {
				continue // equal machines
			}
			part, err := cluster.New(spec)
			if err != nil {
				continue // the rest is not joined
			}
			parts++
			checkPart(t, fmt.Sprint(name, " without ", drop), c, part, keep)
		}
	}
	const least = 12
	if parts < least {
		t.Errorf("only %d parts were looked at; want %d", parts, least)
	}
}

func inOrder(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func checkPart(t *testing.T, what string, c, part *cluster.Cluster, keep []int) {
	t.Helper()
	if part.Nodes() != len(keep) {
		t.Fatalf("%s: %d nodes, want %d", what, part.Nodes(), len(keep))
	}
	for a, i := range keep {
		if part.NodeName(a) != c.NodeName(i) || part.ComputeMS(a) != c.ComputeMS(i) || part.JitterMS(a) != c.JitterMS(i) {
			t.Errorf("%s: node %d is %q with %v ms, was %q with %v", what, i, part.NodeName(a), part.ComputeMS(a),
				c.NodeName(i), c.ComputeMS(i))
		}
		for b, j := range keep {
			if a == b {
				continue
			}
			if now, was := bandwidths(part, a, b), bandwidths(c, i, j); !slices.Equal(now, was) {
				t.Fatalf("%s: from %d to %d over %v, was %v", what, i, j, now, was)
			}
		}
	}
}

// bandwidths are those on the route from i to j.
func bandwidths(c *cluster.Cluster, i, j int) (out []float64) {
	for _, hop := range c.Route(nil, i, j) {
		out = append(out, c.Resources()[hop.Resource].Toward(hop.Side))
	}
	return out
}
