package schedules

import (
	"testing"

	"github.com/batopo/batopo/cluster"
)

// racks are hosts of 4 GPUs behind one network card each, in two racks: nearly all hops are equal, and a simplex method
// that does not mind goes in circles.
func racks(t *testing.T, hosts int) *network {
	t.Helper()
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Model: &cluster.ModelSpec{MessageMB: new(1400.)},
		Tree: &cluster.Group{Groups: []cluster.Group{
			{Name: "rack", Count: 2, Uplink: &cluster.Link{GBs: 50}, Groups: []cluster.Group{
				{Name: "host", Count: hosts, Nodes: 4, NVSwitch: &cluster.Link{GBs: 300},
					NICs: &cluster.NICs{Count: 1, Link: cluster.Link{GBs: 12.5, LatencyMS: 0.01}}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := newNetwork(c, mostListed)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The program ends, and the busiest hop is less busy than by prices alone.
func TestTreesOfEqualHopsAreRefined(t *testing.T) {
	w := racks(t, 8)
	for _, shallow := range []float64{0, 0.5, 2, 8} {
		for _, steps := range []int{60, packSteps} {
			p, ok := w.pack(steps, shallow)
			if !ok {
				t.Fatal("no trees")
			}
			if got, before := w.busiest(w.refined(t.Context(), p)), w.busiest(p); got > before*0.999 {
				t.Errorf("penalty %v, %d steps: the busiest hop takes %v ms, before %v", shallow, steps, got, before)
			}
		}
	}
}
