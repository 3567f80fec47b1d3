package topology_test

import (
	"os"

	"github.com/batopo/batopo/topology"
)

// A graph for nauty, Sage or NetworkX: a ring of five nodes and one of ten.
func ExampleWriteGraph6() {
	for _, n := range []int{5, 10} {
		ring, err := topology.Ring(n)
		if err != nil {
			panic(err)
		}
		if err := topology.WriteGraph6(os.Stdout, ring); err != nil {
			panic(err)
		}
	}
	// Output:
	// Dhc
	// IhCGGC@_G
}
