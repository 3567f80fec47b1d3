package cli_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Programs read what a description means, resource by resource.
func TestClusterShowAsJSON(t *testing.T) {
	file := write(t, "c.yaml", "format: batopo.cluster/v2\ntree: {nodes: 3, link: {up_gb_s: 2, down_gb_s: 8, latency_ms: 5}}\n")
	var got struct {
		Cluster      map[string]any
		Nodes, Pairs int
		Resources    []struct {
			Name      string
			GBs       float64 `json:"gb_s"`
			UpGBs     float64 `json:"up_gb_s"`
			DownGBs   float64 `json:"down_gb_s"`
			LatencyMS float64 `json:"latency_ms"`
			Most      int     `json:"most_edges"`
		}
		Budgets []struct {
			MaxEdges int     `json:"max_edges"`
			UnitGBs  float64 `json:"unit_gb_s"`
			Edges    []int
		}
	}
	if err := json.Unmarshal([]byte(must(t, "cluster", "show", file, "--edges", "3", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	if got.Nodes != 3 || got.Pairs != 3 || len(got.Resources) != 3 || got.Cluster["tree"] == nil {
		t.Fatalf("a tree of 3 nodes is %+v", got)
	}
	if r := got.Resources[0]; r.Name != "link of node 0" || r.GBs != 2 || r.UpGBs != 2 || r.DownGBs != 8 || r.LatencyMS != 5 || r.Most != 2 {
		t.Errorf("the first resource is %+v", r)
	}
	if b := got.Budgets; len(b) != 1 || b[0].MaxEdges != 3 || b[0].UnitGBs != 1 || !slices.Equal(b[0].Edges, []int{2, 2, 2}) {
		t.Errorf("a budget of 3 edges is %+v", b)
	}
}

// The latency of the whole cluster belongs to no resource; it is shown apart from theirs.
func TestClusterShowTellsTheLatencyOfAll(t *testing.T) {
	file := write(t, "c.yaml", "format: batopo.cluster/v2\ntree: {nodes: 3, link: 1 GB/s}\nlatency_ms: 20us\n")
	if out := must(t, "cluster", "show", file); !strings.Contains(out, "every message takes 0.02 ms more") {
		t.Error(out)
	}
}

// With a budget the e of Algorithm 1 stands beside the capacities: in the sum 2 for each of 17 edges. Resources that
// carry different numbers of edges are different lines.
func TestClusterShowPrintsAlgorithm1(t *testing.T) {
	out := must(t, "cluster", "show", "../../../examples/node-level-16.yaml", "--edges", "17")
	for _, want := range []string{"Algorithm 1's e", "node 0–5 ", "node 6, 7 ", "node 8–15 "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	var got struct {
		Printed []int `json:"algorithm_1"`
	}
	if err := json.Unmarshal([]byte(must(t, "cluster", "show", "../../../examples/node-level-16.yaml", "--edges", "17",
		"--json")), &got); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, e := range got.Printed {
		sum += e
	}
	if len(got.Printed) != 16 || sum != 34 {
		t.Errorf("e is %v; it has %d entries and the sum %d, want 16 and 34", got.Printed, len(got.Printed), sum)
	}
	if out := must(t, "cluster", "show", "../../../examples/leaf-spine-32.yaml", "--edges", "40"); strings.Contains(out, "Algorithm 1") {
		t.Errorf("routes differ in length, so Algorithm 1 has no e; shown is\n%s", out)
	}
}
