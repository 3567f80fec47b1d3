package cluster_test

import (
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// People call two racks rack, and nodes so that "a–b" to "c" and "a" to "b–c" read the same.
func TestEveryResourceHasANameOfItsOwn(t *testing.T) {
	for text, want := range map[string]string{
		`format: batopo.cluster/v2
tree:
  groups:
    - {name: rack, nodes: 2, link: {gb_s: 10}, uplink: {gb_s: 5}}
    - {name: rack, nodes: 2, link: {gb_s: 10}, uplink: {gb_s: 4}}
    - {name: rack (2), nodes: 2, link: {gb_s: 10}, uplink: {gb_s: 3}}
    - {name: rack, nodes: 2, link: {gb_s: 10}, uplink: {gb_s: 2}}
`: "uplink of rack (3)",
		`format: batopo.cluster/v2
names: [a–b, c, a, b–c]
matrix:
  gb_s: [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
`: "a–b–c (2)",
	} {
		names := map[string]bool{}
		resources := read(t, text).Resources()
		for _, r := range resources {
			if names[r.Name] {
				t.Errorf("two resources are called %q", r.Name)
			}
			names[r.Name] = true
		}
		if !slices.ContainsFunc(resources, func(r cluster.Resource) bool { return r.Name == want }) {
			t.Errorf("no resource is called %q: %v", want, names)
		}
	}
}
