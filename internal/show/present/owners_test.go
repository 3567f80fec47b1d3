package present

import (
	"fmt"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// general reads a description by resources, all of 1 GB/s, and routes: the pair, then what it passes.
func general(t *testing.T, nodes int, resources string, routes []string) *cluster.Cluster {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "format: batopo.cluster/v1\nnodes: %d\nresources:\n", nodes)
	for name := range strings.FieldsSeq(resources) {
		fmt.Fprintf(&text, "  - {name: %s, gb_s: 1}\n", name)
	}
	text.WriteString("routes:\n")
	for _, r := range routes {
		words := strings.Fields(r)
		fmt.Fprintf(&text, "  - {pair: [%s, %s], over: [%s]}\n", words[0], words[1], strings.Join(words[2:], ", "))
	}
	c, err := cluster.Read("test", strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What is drawn above which nodes, for shapes that other forms say more shortly.
func TestResourcesBelongToNodes(t *testing.T) {
	for _, tc := range []struct {
		name      string
		nodes     int
		resources string
		routes    []string
		want      string
	}{
		{"lines into a core that one pair does without", 3, "a b c core",
			[]string{"0 1 a b", "0 2 a core c", "1 2 b core c"}, "[[0] [1] [2] [2]]"},
		{"two racks and what joins them", 4, "up0 up1 spine",
			[]string{"0 1 spine", "2 3 spine", "0 2 up0 up1", "0 3 up0 up1", "2 1 up1 up0", "1 3 up0 up1"},
			"[[0 1] [2 3] [0 1 2 3]]"},
		{"two racks, the route written from the other end", 4, "up0 up1 in0 in1",
			[]string{"2 0 up1 up0", "0 1 in0", "2 3 in1", "0 3 up0 up1", "1 2 up0 up1", "1 3 up0 up1"},
			"[[0 1] [2 3] [0 1] [2 3]]"},
		{"switches that all of their nodes' pairs pass", 4, "a b link",
			[]string{"0 1 a", "2 3 b", "0 2 a link b", "0 3 a link b", "1 2 a link b", "1 3 a link b"},
			"[[0 1] [2 3] [0 1 2 3]]"},
		{"a hub, and one that nobody passes", 4, "hub none",
			[]string{"0 1 hub", "0 2 hub", "0 3 hub"}, "[[0] []]"},
	} {
		if got := fmt.Sprint(belongsTo(general(t, tc.nodes, tc.resources, tc.routes))); got != tc.want {
			t.Errorf("%s: %s belong to %s, want %s", tc.name, tc.resources, got, tc.want)
		}
	}
}
