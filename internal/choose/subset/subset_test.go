package subset_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/subset"
)

func read(t *testing.T, text string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Read("test.yaml", strings.NewReader("format: batopo.cluster/v2\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Parts are named by the words of the description, and none comes twice.
func TestPartsAreWhatPeopleWouldLeaveOut(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		where      []string // in the order in which they are found
	}{
		{"two sites of one kind, one of them slow", `tree:
  groups:
    - {name: fast, nodes: 3, link: 10 GB/s, uplink: 1 GB/s, compute_ms: 100}
    - {name: slow, nodes: 2, link: 10 GB/s, uplink: 1 GB/s, compute_ms: 300}
model: {message_mb: 100}
`, []string{"without node 2", "only slow", "without node 4", "without slow"}},
		{"servers", `tree: {groups: [{name: server, count: 3, nodes: 2, link: 10 GB/s, uplink: 1 GB/s}]}
model: {message_mb: 100, compute_ms: 100}
`, []string{"without node 5", "without server 2", "only server 2"}},
		{"one slow port", "nodes: 4\nbandwidth: [10, 10, 10, 1]\nmodel: {message_mb: 100, compute_ms: 100}\n",
			[]string{"without node 2", "without node 3"}},
		{"nothing to choose", "nodes: 2\nbandwidth: 1\nmodel: {message_mb: 100, compute_ms: 100}\n", nil},
	} {
		c := read(t, tc.text)
		parts, err := subset.Parts(c)
		if err != nil {
			t.Fatal(err)
		}
		var where []string
		for _, p := range parts {
			where = append(where, p.Where())
			if p.Cluster.Nodes() != len(p.Keep) || p.Of != c.Nodes() || !slices.IsSorted(p.Keep) {
				t.Errorf("%s: %+v", tc.name, p)
			}
			for k, i := range p.Keep { // the nodes that stay are the ones that they were
				if p.Cluster.ComputeMS(k) != c.ComputeMS(i) {
					t.Errorf("%s, %s: node %d computes in %v ms, in the whole in %v", tc.name, p.Where(), k,
						p.Cluster.ComputeMS(k), c.ComputeMS(i))
				}
			}
		}
		if !slices.Equal(where, tc.where) {
			t.Errorf("%s: %q; want %q", tc.name, where, tc.where)
		}
	}
	if _, err := subset.Parts(read(t, "nodes: 2049\nbandwidth: 1\n")); err == nil {
		t.Error("2049 nodes have parts")
	}
}

func TestOneNodeOfEveryKindStandsForItself(t *testing.T) {
	c := read(t, "nodes: 5\nbandwidth: [10, 1, 10, 1, 10]\nmodel: {message_mb: 1, node_compute_ms: [3, 3, 3, 3, 6]}\n")
	var only []string
	for _, p := range subset.Singles(c) {
		only = append(only, p.Only)
	}
	if want := []string{"node 0", "node 1", "node 4"}; !slices.Equal(only, want) {
		t.Errorf("%q; want %q", only, want)
	}
}

// Shares are whole sixteenths of a node's batch, at least one each, and in proportion to speed as far as that allows.
func TestSharesFollowSpeed(t *testing.T) {
	for _, compute := range [][]float64{{100, 100, 300, 300}, {1, 2, 3, 4, 5}, {10, 10, 10, 10_000}, {7, 11, 13}} {
		ms := strings.ReplaceAll(fmt.Sprint(compute), " ", ", ")
		shares := subset.Shares(read(t, fmt.Sprintf("nodes: %d\nbandwidth: 1\nmodel: {message_mb: 1, node_compute_ms: %s}\n",
			len(compute), ms)))
		unit, sum, speeds := 1/float64(subset.SharesPerNode*len(compute)), 0.0, 0.0
		for _, c := range compute {
			speeds += 1 / c
		}
		for i, s := range shares {
			sum += s
			whole := s / unit
			if exact := 1 / compute[i] / speeds; whole < 1 || math.Abs(whole-math.Round(whole)) > 1e-9 ||
				math.Abs(s-max(exact, unit)) > 1.0001*unit {
				t.Errorf("%v: node %d computes %v of the batch, by its speed %v", compute, i, s, exact)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%v: %v add up to %v", compute, shares, sum)
		}
	}
	for _, compute := range []string{"[5, 5, 5, 5]", "[5, 5, 5, 5.01]", "[5, 0, 5, 5]"} {
		text := "nodes: 4\nbandwidth: 1\nmodel: {message_mb: 1, node_compute_ms: " + compute + "}\n"
		if shares := subset.Shares(read(t, text)); shares != nil {
			t.Errorf("node_compute_ms %s: %v; such nodes have equal batches", compute, shares)
		}
	}
}
