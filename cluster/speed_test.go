package cluster_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// Other messages change how long rounds take, and nothing about the nodes.
func TestWithMessageKeepsTheRest(t *testing.T) {
	s := cluster.Homogeneous(4, 2)
	s.Format, s.Model = cluster.FormatV2, &cluster.ModelSpec{NodeComputeMS: cluster.Numbers{1, 2, 3, 4}}
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	longer, err := c.WithMessage(150)
	if err != nil {
		t.Fatal(err)
	}
	before, after := c.Model(), longer.Model()
	if after.MessageMB != 150 || after.TargetError != before.TargetError || after.ComputeMS != 4 ||
		longer.ComputeMS(1) != 2 || c.Model().MessageMB != cluster.PaperMessageMB {
		t.Errorf("%+v became %+v", before, after)
	}
}

// What takes no time cannot vary; the field is named before anything is simulated.
func TestNoTimeDoesNotVary(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"nodes: 3\nbandwidth: 1\nmodel: {compute_ms: 0, jitter_ms: 5}\n", "model.jitter_ms: node 0 computes 0 ± 5 ms"},
		{"nodes: 3\nbandwidth: 1\nmodel: {node_compute_ms: [1, 0, 1], jitter_ms: [1, 0, 1]}\n", ""},
		{"nodes: 3\nbandwidth: 1\nmodel: {node_compute_ms: [1, 0, 1], jitter_ms: 1}\n", "node 1 computes 0 ± 1 ms"},
		{"tree: {groups: [{nodes: 2, link: 1}, {nodes: 2, link: 1, compute_ms: 0, jitter_ms: 2}]}\n",
			"tree: node 2 computes 0 ± 2 ms"},
	} {
		_, err := cluster.Read("test.yaml", strings.NewReader("format: batopo.cluster/v2\n"+tc.text))
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v; want %q", tc.text, err, tc.want)
		}
	}
}
