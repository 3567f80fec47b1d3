package cluster_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"batopo/cluster"
)

func TestExamplesRoundTrip(t *testing.T) {
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples found", err)
	}
	for _, name := range files {
		c, err := cluster.ReadFile(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var first, second bytes.Buffer
		if err := c.Write(&first); err != nil {
			t.Fatal(err)
		}
		again, err := cluster.Read(name, bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("%s: reading back what was written: %v\n%s", name, err, first.String())
		}
		if err := again.Write(&second); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: writing twice differs:\n%s\n%s", name, first.String(), second.String())
		}
	}
}

func TestBadFilesAreExplained(t *testing.T) {
	const head = "format: batopo.cluster/v1\n"
	for _, tc := range []struct{ name, text, want string }{
		{"unknown field", head + "nodes: 4\nbandwith: 3\n", "c.yaml:3:1: unknown field \"bandwith\""},
		{"negative", head + "nodes: 4\nbandwidth: -1\n", "c.yaml:3:12: cluster: bandwidth: is -1; it must be a positive number"},
		{"NaN", head + "nodes: 4\nbandwidth: .nan\n", "c.yaml:3:12: cluster: bandwidth: is NaN"},
		{"one of many", head + "bandwidth: [1, 2, -3]\n", "c.yaml:2:19: cluster: bandwidth[2]: is -3"},
		{"no nodes", head + "nodes: 0\nbandwidth: 1\n", "c.yaml:2:8: cluster: nodes: is 0; it must be between 2"},
		{"one node", head + "nodes: 1\nbandwidth: 1\n", "nodes: is 1; it must be between 2"},
		{"too many", head + "nodes: 99999999999\nbandwidth: 1\n", "nodes: is 99999999999"},
		{"wrong type", head + "nodes: four\nbandwidth: 1\n", "c.yaml:2:8"},
		{"bandwidth is text", head + "nodes: 4\nbandwidth: fast\n", "number, or a list of numbers"},
		{"two shapes", head + "nodes: 16\nbandwidth: 1\nbcube: {ports: 4, layers: 2, bandwidth: [1, 2]}\n", "give exactly one of"},
		{"node count disagrees", head + "nodes: 9\nbcube: {ports: 4, layers: 2, bandwidth: [1, 2]}\n", "c.yaml:2:8: cluster: nodes: is 9, but the description below gives 16"},
		{"BCube layers", head + "bcube: {ports: 4, layers: 2, bandwidth: [1]}\n", "bcube.bandwidth: has 1 entries for 2 layers"},
		{"missing nic", head + "servers: {count: 2, gpus: 4, tree: {pix: 1, node: 1}}\n", "servers.nic: is 0; it must be a positive number"},
		{"bad load", head + "servers: {count: 1, gpus: 4, tree: {pix: 1, node: 1}, load: lowest}\n", "servers.load: is \"lowest\""},
		{"route to nowhere", head + "nodes: 3\nresources: [{name: a, gb_s: 1}]\nroutes: [{pair: [0, 3], over: [a]}]\n", "c.yaml:4:17: cluster: routes[0].pair: is [0 3]; it must be two different nodes of 0 … 2"},
		{"unknown resource", head + "nodes: 3\nresources: [{name: a, gb_s: 1}]\nroutes: [{pair: [0, 1], over: [b]}]\n", "\"b\" is not a resource"},
		{"no format", "nodes: 4\nbandwidth: 1\n", "has no format"},
		{"other format", "format: batopo.cluster/v9\nnodes: 4\nbandwidth: 1\n", "c.yaml:1:9: cluster: format: is \"batopo.cluster/v9\""},
		{"empty", "", "holds"},
		{"not YAML", "{{{{", "c.yaml:1"},
		{"target", head + "nodes: 4\nbandwidth: 1\nmodel: {target_error: 2}\n", "c.yaml:4:23: cluster: model.target_error: is 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := cluster.Read("c.yaml", strings.NewReader(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is\n  %v\nwant it to contain\n  %s", err, tc.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("../examples/*.yaml")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := cluster.Read("fuzz", bytes.NewReader(b))
		if err != nil || c.Nodes() > 64 {
			return
		}
		if _, err := c.Budgets(t.Context(), 2); err != nil && !errors.Is(err, cluster.ErrInfeasible) && !errors.Is(err, cluster.ErrUndecided) {
			t.Fatal(err)
		}
		if err := c.Write(new(bytes.Buffer)); err != nil {
			t.Fatalf("a cluster that was read cannot be written: %v", err)
		}
	})
}
