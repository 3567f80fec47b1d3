package search

import "github.com/batopo/batopo/topology"

// A frame is the problem seen through a cyclic symmetry: nodes fall into orbits, edges into
// arcs, and limits into resources that all nodes of an orbit share alike. One orbit per node, of size
// 1, is the problem itself.
type frame struct {
	orbits, size int
	label        []int // node (a, x) of the lift is called label[a·size+x] in the problem; nil: a·size+x

	budget int    // edges
	caps   []int  // most that each resource carries
	fill   []bool // per resource: whether all of it must be used; nil means of none

	// share is the nominal weight of arcs at each orbit; nil means 1 everywhere. See nominal.
	share []float64

	// table lists the arcs that may be used when not all may. Without it
	// resource a is the degree of a node of orbit a.
	table *arcTable
}

// An arcTable holds the arcs allowed by a restricted problem.
type arcTable struct {
	arcs   []topology.Arc // canonical, sorted
	at     []int32        // by number of an arc: one more than where it stands in arcs; 0 for those not allowed
	loads  []load         // of all arcs, one after the other
	start  []int          // the loads of arc i are start[i] … start[i+1]
	users  []int          // arcs that use a resource, resource by resource
	ustart []int
}

// A load is what one arc puts on one resource.
type load struct{ resource, amount int }

func (f *frame) lift(arcs []topology.Arc) topology.Lift {
	return topology.Lift{Orbits: f.orbits, Size: f.size, Arcs: arcs}
}

func (f *frame) nodes() int { return f.orbits * f.size }

// number tells canonical arcs apart, in the order of Arc.Compare.
func (f *frame) number(a topology.Arc) int { return (a.A*f.orbits+a.B)*f.size + a.S }

// edgesOf returns how many edges a canonical arc stands for.
func (f *frame) edgesOf(a topology.Arc) int { return f.lift(nil).EdgesOf(a) }

// loads appends what a canonical arc uses to dst. It reports false when the arc is not allowed.
func (f *frame) loads(dst []load, a topology.Arc) ([]load, bool) {
	if f.table != nil {
		i := int(f.table.at[f.number(a)]) - 1
		if i < 0 {
			return dst, false
		}
		return append(dst, f.table.loads[f.table.start[i]:f.table.start[i+1]]...), true
	}
	switch {
	case a.A != a.B:
		return append(dst, load{a.A, 1}, load{a.B, 1}), true
	case a.S == 0:
		return dst, false
	case f.lift(nil).Matching(a):
		return append(dst, load{a.A, 1}), true
	}
	return append(dst, load{a.A, 2}), true
}

// nominal returns the weight that stands in for the best one while candidates are
// screened, up to a common factor: where nodes may have many neighbours each gets less.
func (f *frame) nominal(a topology.Arc) float64 {
	if f.share == nil {
		return 1
	}
	return min(f.share[a.A], f.share[a.B])
}
