package sweep_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/verify"
)

// The printed method solves M z = e on any routes, with the e that the cluster states or that a first graph fills, and
// the plan says so.
func TestPrintedMethodOnAnyRoutes(t *testing.T) {
	const head = "format: batopo.cluster/v1\n"
	const path = head + "servers: {count: 1, gpus: 8, tree: {pix: 4.88, node: 4.88, sys: 9.76}, load: path}\n"
	const fabric = head + "leafspine: {leaves: 2, hosts: 4, host: 12, uplink: 24}\n"
	for _, tc := range []struct {
		name, text string
		edges      int
		want       []int
	}{
		{"every link on the path", path, 8, nil},
		{"the same, stated", path + "edges: [3, 3, 3, 3, 3, 3, 2]\n", 8, []int{3, 3, 3, 3, 3, 3, 2}},
		{"leaf and spine", fabric, 10, nil},
		{"general form, stated", head + `nodes: 4
resources: [{name: a, gb_s: 1}, {name: b, gb_s: 2}]
routes: [{pair: [0, 1], over: [a]}, {pair: [1, 2], over: [a, b]}, {pair: [2, 3], over: [b]},
  {pair: [0, 3], over: [a, b]}, {pair: [0, 2], over: [b]}]
edges: [2, 3]
`, 4, []int{2, 3}},
		{"equal nodes, stated", head + "nodes: 6\nbandwidth: 1\nedges: [3, 3, 3, 3, 3, 3]\n", 9, []int{3, 3, 3, 3, 3, 3}},
	} {
		c, err := cluster.Read("c.yaml", strings.NewReader(tc.text))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []sweep.Settings{{Method: sweep.Paper, Seed: 1},
			{Method: sweep.ADMM, Seed: 1, Paper: sweep.PaperSettings{Starts: 1, Exact: true}}} {
			plan, err := sweep.Optimize(context.Background(), question(c, tc.edges), s)
			if err != nil {
				t.Errorf("%s, %s: %v", tc.name, s.Method, err)
				continue
			}
			checked(t, plan)
			if plan.ResourceEdges == nil || tc.want != nil && !slices.Equal(plan.ResourceEdges, tc.want) {
				t.Errorf("%s, %s: the resources carry %v, want %v; %v", tc.name, s.Method, plan.ResourceEdges, tc.want, plan.Notes)
				continue
			}
			plan.ResourceEdges[0]++
			if report, err := verify.Check(context.Background(), plan); err != nil || report.Err() == nil ||
				!strings.Contains(report.Err().Error(), "resource_edges") {
				t.Errorf("%s, %s: one edge more is claimed for a resource, and verify says %v, %v", tc.name, s.Method, report.Err(),
					err)
			}
		}
	}
}

// Every method keeps to what a cluster states, here far less than Algorithm 1 would allow.
func TestStatedEdgesBindEveryMethod(t *testing.T) {
	c, err := cluster.Read("c.yaml",
		strings.NewReader("format: batopo.cluster/v1\nnodes: 6\nbandwidth: 1\nedges: [3, 2, 2, 3, 2, 2]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range sweep.Methods {
		plan, err := sweep.Optimize(context.Background(), question(c, 7),
			sweep.Settings{Method: method, Seed: 1, Paper: sweep.PaperSettings{Starts: 1}, Evaluations: 10_000})
		if err != nil {
			t.Errorf("%s: %v", method, err)
			continue
		}
		checked(t, plan)
		degree := make([]int, 6)
		for _, e := range plan.Edges() {
			degree[e.I]++
			degree[e.J]++
		}
		for i, most := range []int{3, 2, 2, 3, 2, 2} {
			if degree[i] > most {
				t.Errorf("%s: node %d has %d edges, %d are stated", method, i, degree[i], most)
			}
		}
	}
}
