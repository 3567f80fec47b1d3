package cluster_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
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

// Assumptions are kept as they were written, through YAML and new settings of what is trained.
func TestAssumptionsAreKept(t *testing.T) {
	spec := cluster.Spec{Format: cluster.FormatV2, Nodes: 4, Bandwidth: cluster.Numbers{1},
		Assumptions: []string{"cards: 12 GB/s (100 Gb/s) each", "# what \"nobody\" measured – yet", "12"}}
	mb := 3.
	c, err := cluster.New(spec.WithTraining(&mb, nil))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := cluster.Read("written", bytes.NewReader(b.Bytes()))
	if err != nil || !slices.Equal(again.Spec().Assumptions, spec.Assumptions) {
		t.Errorf("%v: read back as %q, want %q, from\n%s", err, again.Spec().Assumptions, spec.Assumptions, b.String())
	}
}

func TestBadFilesAreExplained(t *testing.T) {
	const head = "format: batopo.cluster/v1\n"
	for _, tc := range []struct{ name, text, want string }{
		{"assumptions in version 1", head + "assumptions: [a]\nnodes: 4\nbandwidth: 3\n",
			"c.yaml:2:14: cluster: assumptions: is new in version 2"},
		{"empty assumption", "format: batopo.cluster/v2\nassumptions: [a, ' ']\nnodes: 4\nbandwidth: 3\n",
			"c.yaml:2:18: cluster: assumptions[1]: is empty; give a sentence"},
		{"assumption with control characters", "format: batopo.cluster/v2\nassumptions: [\"a\\e[2J\"]\nnodes: 4\nbandwidth: 3\n",
			"assumptions[0]: is \"a\\x1b[2J\"; a sentence is printable text"},
		{"too many assumptions", "format: batopo.cluster/v2\nassumptions: [" + strings.Repeat("a, ", 101) + "]\nnodes: 4\n" +
			"bandwidth: 3\n", "assumptions: has 101 entries; at most 100 are allowed"},
		{"unknown field", head + "nodes: 4\nbandwith: 3\n", "c.yaml:3:1: unknown field \"bandwith\""},
		{"negative", head + "nodes: 4\nbandwidth: -1\n",
			"c.yaml:3:12: cluster: bandwidth: is -1; it must be between 1e-09 and 1e+09 GB/s"},
		{"NaN", head + "nodes: 4\nbandwidth: .nan\n", "c.yaml:3:12: cluster: bandwidth: is NaN"},
		{"one of many", head + "bandwidth: [1, 2, -3]\n", "c.yaml:2:19: cluster: bandwidth[2]: is -3"},
		{"no nodes", head + "nodes: 0\nbandwidth: 1\n", "c.yaml:2:8: cluster: nodes: is 0; it must be between 2"},
		{"no nodes at all", head + "bandwidth: 1\n", "c.yaml: cluster: nodes: is missing; it must be between 2 and 131072"},
		{"one node", head + "nodes: 1\nbandwidth: 1\n", "nodes: is 1; it must be between 2"},
		{"too many", head + "nodes: 99999999999\nbandwidth: 1\n", "nodes: is 99999999999"},
		{"wrong type", head + "nodes: four\nbandwidth: 1\n", "c.yaml:2:8"},
		{"bandwidth is text", head + "nodes: 4\nbandwidth: fast\n", "it must be a number, such as 12.5, 12.5 GB/s or 100Gb/s; or a list"},
		{"two shapes", head + "nodes: 16\nbandwidth: 1\nbcube: {ports: 4, layers: 2, bandwidth: [1, 2]}\n",
			"give exactly one of"},
		{"node count disagrees", head + "nodes: 9\nbcube: {ports: 4, layers: 2, bandwidth: [1, 2]}\n",
			"c.yaml:2:8: cluster: nodes: is 9, but the description below gives 16"},
		{"BCube layers", head + "bcube: {ports: 4, layers: 2, bandwidth: [1]}\n",
			"bcube.bandwidth: has 1 entries for 2 layers"},
		{"BCube load", head + "bcube: {ports: 4, layers: 2, bandwidth: [1, 2], load: all}\n",
			"bcube.load: is \"all\"; it must be \"path\""},
		{"missing nic", head + "servers: {count: 2, gpus: 4, tree: {pix: 1, node: 1}}\n",
			"c.yaml:2:10: cluster: servers.nic: is missing; it must be between"},
		{"missing tree", head + "servers: {count: 1, gpus: 4}\n",
			"c.yaml:2:10: cluster: servers.tree.pix: is missing; it must be between"},
		{"a link of 0", "format: batopo.cluster/v2\ntree: {nodes: 4, link: 0}\n", "tree.link.gb_s: is 0; it must be between"},
		{"bad load", head + "servers: {count: 1, gpus: 4, tree: {pix: 1, node: 1}, load: lowest}\n",
			"servers.load: is \"lowest\""},
		{"route to nowhere", head + "nodes: 3\nresources: [{name: a, gb_s: 1}]\nroutes: [{pair: [0, 3], over: [a]}]\n",
			"c.yaml:4:17: cluster: routes[0].pair: is [0 3]; it must be two different nodes of 0 … 2"},
		{"unknown resource", head + "nodes: 3\nresources: [{name: a, gb_s: 1}]\nroutes: [{pair: [0, 1], over: [b]}]\n",
			"\"b\" is not a resource"},
		{"edges of some resources", head + "bandwidth: [1, 2, 3]\nedges: [1, 1]\n",
			"c.yaml:3:8: cluster: edges: has 2 entries for 3 resources; give one number for each of node 0, node 1, node 2"},
		{"more edges than pairs", head + "bandwidth: [1, 2, 3]\nedges: [1, 1, 3]\n",
			"c.yaml:3:15: cluster: edges[2]: is 3; node 2 carries between 0 and 2 edges"},
		{"edges below zero", head + "bandwidth: [1, 2, 3]\nedges: [1, 1, -1]\n",
			"edges[2]: is -1; node 2 carries between 0 and 2"},
		{"half an edge", head + "bandwidth: [1, 2, 3]\nedges: [1, 1, 1.5]\n", "edges[2]: is 1.5; it must be a whole number"},
		{"no format", "nodes: 4\nbandwidth: 1\n", `has no format; its first line should be "format: batopo.cluster/v2"`},
		{"other format", "format: batopo.cluster/v9\nnodes: 4\nbandwidth: 1\n",
			"c.yaml:1:9: cluster: format: is \"batopo.cluster/v9\""},
		{"empty", "", `c.yaml: is empty; a description begins with "format: batopo.cluster/v2"`},
		{"not YAML", "{{{{", "c.yaml:1"},
		{"only comments", "# nothing\n\n", "c.yaml: is empty"},
		{"two documents", head + "nodes: 4\nbandwidth: 1\n---\n" + head, "holds 2 YAML documents"},
		{"link of an unknown unit", "format: batopo.cluster/v2\ntree: {nodes: 4, link: 100furlongs}\n",
			"c.yaml:2:24: cluster: tree.link: is \"100furlongs\"; it must be a number, such as 12.5, 12.5 GB/s or 100Gb/s; or "},
		{"far too many nodes", "format: batopo.cluster/v2\ntree: {groups: [{count: 100000, nodes: 100000, link: 1}]}\n",
			"tree: has more than 131072 nodes; it must have between 2 and that many"},
		{"one node", "format: batopo.cluster/v2\ntree: {nodes: 1, link: 1}\n", "tree: has one node; it must have between 2 and"},
		{"a pair linked twice", "format: batopo.cluster/v2\ntree: {nodes: 4, link: 12, nvlinks: " +
			"[{pair: [0, 1], gb_s: 20}, {pair: [1, 0], gb_s: 20}]}\n",
			"tree.nvlinks[1].pair: belongs to nvlinks[0] too; write one link with the rates of both added up"},
		{"cards within cards", "format: batopo.cluster/v2\n" + "tree: {groups: [{count: 2, nics: {gb_s: 1}, groups: " +
			"[{count: 2, nodes: 2, link: 9, nics: {gb_s: 5}}]}]}\n",
			"c.yaml:2:34: cluster: tree.groups[0].nics: is given here and in a group inside"},
		{"switch within switch", "format: batopo.cluster/v2\n" + "tree: {nvswitch: 9, groups: [{count: 2, nodes: 2, nvswitch: 5}]}\n",
			"c.yaml:2:18: cluster: tree.nvswitch: is given here and in a group inside"},
		{"NVLink within NVLink", "format: batopo.cluster/v2\n" + "tree: {nvlinks: [{pair: [0, 1], gb_s: 9}], groups: " +
			"[{count: 2, nodes: 2, link: 1, nvlinks: [{pair: [0, 1], gb_s: 5}]}]}\n",
			"tree: NVLink 0–1 is given in a group and in one inside it"},
		{"list of one", head + "nodes: 3\nbandwidth: [9.76]\n",
			"c.yaml:3:12: cluster: bandwidth: is a list of one number; write the number alone where it is for all"},
		{"zero nodes", head + "nodes: 0\nbandwidth: [1, 2]\n",
			"c.yaml:2:8: cluster: nodes: is 0; it must be between 2 and 131072, or left out, which means as many as the "},
		{"zero edges", head + "resources: [{name: a, gb_s: 1, max_edges: 0}]\nroutes: [{pair: [0, 1], over: [a]}]\n",
			"c.yaml:2:43: cluster: resources[0].max_edges: is 0; it must be more, or left out, which means no cap"},
		{"zero groups", "format: batopo.cluster/v2\n" + "tree: {groups: [{count: 0, nodes: 2, link: 1}]}\n",
			"c.yaml:2:25: cluster: tree.groups[0].count: is 0; it must be more, or left out, which means 1"},
		{"a list", "- 1\n- 2\n", "c.yaml:1:1: the description is a list; it must be fields with values"},
		{"tag", head + "nodes: 4\nbandwidth: !x 1A\n", "c.yaml:3:12: anchors, aliases and tags are not supported"},
		{"binary", head + "nodes: 4\nbandwidth: !!binary aGk=\n", "c.yaml:3:12: anchors, aliases and tags"},
		{"alias of itself", head + "bandwidth: &b [1, *b]\n", "c.yaml:2:12: anchors, aliases and tags"},
		{"merge", head + "<<: {nodes: 4}\n", "c.yaml:2:1: anchors"},
		{"directive", "%YAML 1.2\n---\n" + head, "c.yaml:1:1: directives"},
		{"deep list", head + "bandwidth: " + strings.Repeat("[", 100_000), "nested more than 16 levels deep"},
		{"deep block", head + "bandwidth:\n  " + strings.Repeat("- ", 100_000) + "1\n", "nested more than 16 levels deep"},
		{"deep mapping", head + deep(100), "nested more than 16 levels deep"},
		{"long list", head + "bandwidth: [" + strings.Repeat("1,", 5<<20) + "1]\n", "c.yaml: larger than 1 MiB"},
		{"half a node", head + "nodes: 4.5\nbandwidth: 1\n", "c.yaml:2:8: cluster: nodes: is 4.5; it must be a whole number"},
		{"quoted number", head + "nodes: '4'\nbandwidth: 1\n",
			"c.yaml:2:8: cluster: nodes: is \"4\" in quotes; it must be a whole number"},
		{"octal or not", head + "nodes: 012\nbandwidth: 1\n",
			"c.yaml:2:8: cluster: nodes: is \"012\"; it must be a whole number"},
		{"no value", head + "nodes:\nbandwidth: 1\n", "cluster: nodes: is empty; it must be a whole number"},
		{"with no unit of bandwidth", head + "nodes: 4\nbandwidth: 100Gb\n",
			"c.yaml:3:12: cluster: bandwidth: is \"100Gb\"; it must be a number, such as 12.5, 12.5 GB/s or 100Gb/s"},
		{"bandwidth in quotes", head + "nodes: 4\nbandwidth: '100Gb/s'\n",
			"c.yaml:3:12: cluster: bandwidth: is \"100Gb/s\" in quotes; it must be a number, such as 12.5"},
		{"tabs", head + "servers:\n\tcount: 1\n", "c.yaml:3:1: YAML is indented with spaces, and here is a tab"},
		{"a plan", `{"format": "batopo.plan/v4", "kind": "gossip"}`,
			"c.yaml:1:12: cluster: format: is \"batopo.plan/v4\"; this program reads"},
		{"a node without links", "format: batopo.cluster/v2\nnames: [a, b, c]\nlinks: [{between: [a, b], gb_s: 1}]\n",
			"c.yaml:3:8: cluster: links: leave nodes a and c apart"},
		{"two islands", "format: batopo.cluster/v2\nmatrix: {gb_s: [[0,1,0,0], [1,0,0,0], [0,0,0,1], [0,0,1,0]]}\n",
			"c.yaml:2:16: cluster: matrix.gb_s: leave nodes 0 and 2 apart"},
		{"a pair without route", head + "nodes: 3\nresources: [{name: a, gb_s: 1}]\nroutes: [{pair: [0, 1], over: [a]}]\n",
			"c.yaml:4:9: cluster: routes: leave nodes 0 and 2 apart"},
		{"one with a unit", head + "bandwidth: [1, 2 GB]\n",
			"c.yaml:2:16: cluster: bandwidth[1]: is \"2 GB\"; it must be a number"},
		{"too large", head + "nodes: 4\nbandwidth: 1e400\n",
			"c.yaml:3:12: cluster: bandwidth: is +Inf; it must be between 1e-09 and 1e+09 GB/s"},
		{"too small", head + "nodes: 4\nbandwidth: 5e-324\n",
			"c.yaml:3:12: cluster: bandwidth: is 5e-324; it must be between"},
		{"ratio", head + "bandwidth: [1, 1e19, 1, 1]\n", "c.yaml:2:16: cluster: bandwidth[1]: is 1e+19; it must be between"},
		{"latency", head + "nodes: 4\nbandwidth: 1\nlatency_ms: 1e308\n",
			"c.yaml:4:13: cluster: latency_ms: is 1e+308; it must be between 0 and 1e+09 ms"},
		{"message", head + "nodes: 4\nbandwidth: 1\nmodel: {message_mb: 5e-324}\n",
			"c.yaml:4:21: cluster: model.message_mb: is 5e-324; it must be between 1e-06 and 1e+09 MB"},
		{"compute", head + "nodes: 4\nbandwidth: 1\nmodel: {compute_ms: -1}\n", "model.compute_ms: is -1"},
		{"small target", head + "nodes: 4\nbandwidth: 1\nmodel: {target_error: 5e-324}\n",
			"c.yaml:4:23: cluster: model.target_error: is 5e-324; it must be between 1e-15 and 1"},
		{"repeated key", head + "nodes: 4\nnodes: 5\nbandwidth: 1\n", "c.yaml:3:1: mapping key \"nodes\" already defined"},
		{"Latin-1", head + "nodes: 2\nbandwidth: 1\nnames: [K\xf6ln, Bonn]\n", "c.yaml:4:10: the byte 0xf6 is not UTF-8"},
		{"UTF-16", "\xff\xfef\x00o\x00", "c.yaml: is UTF-16 text; save it as UTF-8"},
		{"UTF-16 without a mark", "f\x00o\x00", "c.yaml: is UTF-16 text"},
		{"control character", head + "nodes: 4\nbandwidth: 1\x07\n", "c.yaml:3:13: the byte 0x7 is not text"},
		{"same name", head + "nodes: 3\nbandwidth: 1\nnames: [a, b, a]\n",
			"c.yaml:4:15: cluster: names[2]: is \"a\", as names[0] is already"},
		{"no name", head + "nodes: 2\nbandwidth: 1\nnames: [a, '']\n", "c.yaml:4:12: cluster: names[1]: is empty"},
		{"too few names", head + "nodes: 3\nbandwidth: 1\nnames: [a, b]\n",
			"c.yaml:4:8: cluster: names: has 2 entries for 3 nodes"},
		{"names in a pair", head + "nodes: 3\nresources: [{name: a, gb_s: 1}]\nroutes: [{pair: [berlin, oslo], over: [a]}]\n",
			"c.yaml:4:18: cluster: routes[0].pair[0]: is \"berlin\"; it must be the number of a node, counted from 0"},
		{"three ends", head + "nodes: 3\nresources: [{name: a, gb_s: 1}]\nroutes: [{pair: [0, 1, 2], over: [a]}]\n",
			"routes[0].pair: has 3 entries; it must be two"},
		{"pair twice",
			head + "nodes: 3\nresources: [{name: a, gb_s: 1}]\nroutes: [{pair: [0, 1], over: [a]}, {pair: [1, 0], over: [a]}]\n",
			"routes[1].pair: is [1 0], which is listed twice"},
		{"resource twice",
			head + "nodes: 3\nresources: [{name: a, gb_s: 1}, {name: a, gb_s: 1}]\nroutes: [{pair: [0, 1], over: [a]}]\n",
			"resources[1].name: is \"a\", as resources[0].name is already"},
		{"switches of −1 GPUs", head + "servers: {count: 2, gpus: 4, gpus_per_switch: -1, tree: {pix: 1}, nic: 1}\n",
			"servers.gpus_per_switch: is -1; it must be between 1"},
		{"a billion servers", head + "servers: {count: 1000000000, gpus: 4, tree: {pix: 1}, nic: 1}\n",
			"servers.count: is 1000000000; it must be between 1 and 131072"},
		{"a million GPUs", head + "servers: {count: 1024, gpus: 1024, tree: {pix: 1, node: 1, sys: 1}, nic: 1}\n",
			"servers.count: gives 1048576 GPUs in all"},
		{"too many pairs of GPUs", head + "servers: {count: 512, gpus: 8, tree: {pix: 1, node: 1, sys: 1}, nic: 1}\n",
			"servers.count: gives 8386560 pairs that may be edges; at most 4194304"},
		{"a million leaves", head + "leafspine: {leaves: 1048576, hosts: 1, host: 1, uplink: 1}\n",
			"leafspine.leaves: is 1048576; it must be between 1 and 131072"},
		{"too many pairs of hosts", head + "leafspine: {leaves: 100, hosts: 100, host: 1, uplink: 1}\n",
			"leafspine.hosts: gives 49995000 pairs"},
		{"large BCube", head + "bcube: {ports: 1024, layers: 2, bandwidth: [1, 1]}\n",
			"bcube.layers: gives more than 131072 servers"},
		{"too many pairs of ports", head + "bcube: {ports: 362, layers: 2, bandwidth: [1, 1]}\n",
			"bcube.layers: gives 47306884 pairs"},
		{"target", head + "nodes: 4\nbandwidth: 1\nmodel: {target_error: 2}\n",
			"c.yaml:4:23: cluster: model.target_error: is 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := cluster.Read("c.yaml", strings.NewReader(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is\n  %v\nwant it to contain\n  %s", err, tc.want)
			}
		})
	}
}

// deep is a block mapping of the given depth.
func deep(levels int) string {
	var b strings.Builder
	for k := range levels {
		b.WriteString(strings.Repeat(" ", k) + "a:\n")
	}
	return b.String()
}

func TestComplaintsAreCounted(t *testing.T) {
	text := "format: batopo.cluster/v1\nnodes: 3\nresources: [{name: a, gb_s: 1}]\nroutes:\n" +
		strings.Repeat("- {pair: [0, 7], over: [a]}\n", 30_000)
	_, err := cluster.Read("c.yaml", strings.NewReader(text))
	if err == nil {
		t.Fatal("30000 bad routes are accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	if last := lines[len(lines)-1]; len(lines) != limits.Complaints+1 || !strings.Contains(last, "and 29980 more") {
		t.Errorf("%d lines, the last is %q", len(lines), last)
	}
}

func TestByteOrderMarkIsSkipped(t *testing.T) {
	const marked = "\ufeffformat: batopo.cluster/v1\nnodes: 4\nbandwidth: 1\n"
	if _, err := cluster.Read("c.yaml", strings.NewReader(marked)); err != nil {
		t.Error(err)
	}
}
