package cli_test

import (
	"strings"
	"testing"
)

// Errors use the user's words: they name no package of the program.
func TestErrorsNameNoPackage(t *testing.T) {
	graph := write(t, "graph.txt", "3\n0 9\n")
	hardware := write(t, "c.yaml", "format: batopo.cluster/v1\nnodes: 1\nbandwidth: 3\n")
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"topology", "hypercube", "--nodes", "6"}, "batopo: a hypercube on 6 nodes;"},
		{[]string{"weights", graph}, "graph.txt: edge list: line 2: edge 0–9"},
		{[]string{"import", "gml", hardware}, "c.yaml: a GML file has one graph"},
		{[]string{"plan", hardware}, "c.yaml:2:8: nodes: is 1;"},
	} {
		if code, _, errs := run(t, tc.args...); code != 2 || !strings.Contains(errs, tc.want) {
			t.Errorf("batopo %s: exit %d, %s; want %q", strings.Join(tc.args, " "), code, errs, tc.want)
		}
	}
}
