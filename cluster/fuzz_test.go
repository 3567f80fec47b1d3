package cluster_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/solve/feasible"

	"github.com/google/go-cmp/cmp"
)

// examples adds every example to a fuzz target, and for each of the ways to describe hardware a small one.
func examples(f *testing.F, add func(yaml []byte)) {
	f.Helper()
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal("no examples found", err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		add(b)
	}
	const head = "format: batopo.cluster/v1\n"
	for _, text := range []string{
		"nodes: 4\nbandwidth: 1e-9\nlatency_ms: .5\n", "bandwidth: [1, 2.5, +3e2]\nnames: [a, 'b c', \"\\u00e9\"]\n",
		"servers: {count: 2, gpus: 3, gpus_per_switch: 2, switches_per_socket: 1, " +
			"tree: {pix: 1, node: 2, sys: 3}, load: path, nic: 4}\n",
		"bcube:\n  ports: 2\n  layers: 2\n  bandwidth:\n  - 1\n  - 2\n",
		"leafspine: {leaves: 2, hosts: 2, host: 3.125, uplink: 6.25}\n",
		"nodes: 3\nresources: [{name: a, gb_s: 1, max_edges: 2, latency_ms: 3}]\n" +
			"routes: [{pair: [0, 1], over: [a]}, {pair: [2, 1], over: [a]}]\n",
		"bandwidth: !x 1A\n", "bandwidth: !!binary aGk=\n", "bandwidth: &b [1, *b]\n", "bandwidth: [[[[[[[[[[[[[[[[[\n",
		"tree: {groups: [{name: s, count: 2, nvswitch: 400, nics: {count: 2, gb_s: 200Gb/s, at: p}, " +
			"groups: [{name: p, count: 2, nodes: 2, link: 32, uplink: 16}]}]}\n",
		"tree: {nodes: 3, link: {up_gb_s: 1, down_gb_s: 2, latency_ms: 3us, max_edges: 2}, " +
			"nvlinks: [{pair: [0, 2], gb_s: 9}], compute_ms: 4, jitter_ms: 1}\n",
		"names: [a, b]\ntransit: true\n" +
			"links: [{between: [a, hub], gb_s: 2}, {between: [hub, b], up_gb_s: 4, down_gb_s: 1}]\n",
		"matrix: {gb_s: [[0, 2, 4], [1, 0, 8], [5, 0, 0]], latency_ms: [[0, 1, 1], [1, 0, 1], [1, 1, 0]], port_gb_s: 3}\n" +
			"model: {node_compute_ms: [1, 2, 3], jitter_ms: 1}\n",
		"? - - - a\n: |\n  b\n", "nodes: 4\nbandwidth: 100Gb/s\n", "\ufeffnodes: 1_000\n",
		"model: {message_mb: 1e400, target_error: ~}\n",
	} {
		add([]byte(head + text))
		add([]byte("format: batopo.cluster/v2\n" + text))
	}
}

// same complains unless a description says the same after it was written and read.
func same(t *testing.T, c *cluster.Cluster, again *cluster.Cluster, err error, written []byte) {
	t.Helper()
	if err != nil {
		t.Fatalf("what was written cannot be read: %v\n%s", err, written)
	}
	if diff := cmp.Diff(c.Spec(), again.Spec()); diff != "" {
		t.Fatalf("written and read again (-before +after):\n%s\n%s", diff, written)
	}
	if diff := cmp.Diff(c.Resources(), again.Resources()); diff != "" {
		t.Fatalf("resources after writing and reading (-before +after):\n%s", diff)
	}
}

// allocates asks a small cluster for its budgets, which may fail only by saying so.
func allocates(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	if c.Nodes() > 16 {
		return
	}
	_, err := feasible.On(c).Budgets(t.Context(), 2)
	if err != nil && !feasible.NoGraph(err) {
		t.Fatal(err)
	}
}

func FuzzRead(f *testing.F) {
	examples(f, func(yaml []byte) { f.Add(yaml) })
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := cluster.Read("fuzz", bytes.NewReader(b))
		if err != nil {
			return
		}
		var written bytes.Buffer
		if err := c.Write(&written); err != nil {
			t.Fatal(err)
		}
		again, err := cluster.Read("written", bytes.NewReader(written.Bytes()))
		same(t, c, again, err, written.Bytes())
		allocates(t, c)
	})
}

// A description also comes as the cluster block of a plan.
func FuzzSpecJSON(f *testing.F) {
	examples(f, func(yaml []byte) {
		if c, err := cluster.Read("seed", bytes.NewReader(yaml)); err == nil {
			b, err := json.Marshal(c.Spec())
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	})
	for _, text := range []string{
		`{"bandwidth":[1,1e300]}`,
		`{"nodes":2,"bandwidth":null}`,
		`{"servers":{"count":1000000000,"gpus":8,"gpus_per_switch":-1}}`,
		`{"leafspine":{"leaves":1048576,"hosts":1,"host":1,"uplink":1}}`,
		`{"bcube":{"ports":1024,"layers":2,"bandwidth":[1,1]}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var spec cluster.Spec
		if json.Unmarshal(b, &spec) != nil {
			return
		}
		c, err := cluster.New(spec)
		if err != nil {
			return
		}
		written, err := json.Marshal(c.Spec())
		if err != nil {
			t.Fatal(err)
		}
		var read cluster.Spec
		if err := json.Unmarshal(written, &read); err != nil {
			t.Fatal(err)
		}
		again, err := cluster.New(read)
		same(t, c, again, err, written)
		allocates(t, c)
	})
}
