package importer_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// GPUs that are equally far from several network cards share them in order, and prefer those of their NUMA node.
func TestEquallyFarCards(t *testing.T) {
	for _, tc := range []struct {
		name string
		rows []string // of each GPU: classes to the cards, then the cores of its NUMA node
		want [][]int
	}{
		{"in order, neighbours together", []string{"SYS SYS", "SYS SYS", "SYS SYS", "SYS SYS"}, [][]int{{0, 1}, {2, 3}}},
		{"uneven", []string{"SYS SYS SYS", "SYS SYS SYS", "SYS SYS SYS", "SYS SYS SYS"}, [][]int{{0, 1}, {2}, {3}}},
		{"of the same NUMA node", []string{"SYS NODE 0-7", "SYS SYS 0-7", "NODE SYS 8-15", "SYS SYS 8-15"},
			[][]int{{2, 3}, {0, 1}}},
		{"the same without cores", []string{"SYS NODE N/A", "SYS SYS N/A", "NODE SYS N/A", "SYS SYS N/A"},
			[][]int{{1, 2}, {0, 3}}},
		{"a closer card counts before the node", []string{"PHB NODE 0-7", "NODE PHB 0-7"}, [][]int{{0}, {1}}},
		{"who has no choice comes first", []string{"SYS SYS", "SYS SYS", "PIX SYS", "PIX SYS"}, [][]int{{2, 3}, {0, 1}}},
	} {
		d, err := read("nvidia-smi", strings.NewReader(table(tc.rows)))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if got := d.Tree.NICs.OfNodes; !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: cards have nodes %v, want %v", tc.name, got, tc.want)
		}
	}
}

// table is a topology of nvidia-smi whose GPUs are SYS to each other.
func table(rows []string) string {
	var b strings.Builder
	for i, row := range rows {
		cells := strings.Fields(strings.Repeat("SYS ", len(rows)))
		cells[i] = "X"
		fmt.Fprintf(&b, "GPU%d %s %s\n", i, strings.Join(cells, " "), row)
	}
	classes := strings.Count(rows[0], "SYS") + strings.Count(rows[0], "NODE") + strings.Count(rows[0], "PHB")
	for k := range classes {
		fmt.Fprintf(&b, "NIC%d SYS\n", k)
	}
	return b.String()
}
