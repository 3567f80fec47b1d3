package search

import (
	"slices"
	"strconv"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// spaceFrames returns the frames of a restricted problem with orbits of a given
// size: node (a, x) may be number a·size+x, or x·orbits+a as for GPU a of server x. A way of
// numbering counts only if moving every x to x+1 changes neither candidates nor limits.
func spaceFrames(p Problem, limits *limitSet, size int) []*frame {
	orbits := p.Nodes / size
	var out []*frame
	for strided := range 2 {
		if strided == 1 && (size == 1 || orbits == 1) {
			break // the same numbering again
		}
		label := make([]int, p.Nodes)
		for a := range orbits {
			for x := range size {
				label[a*size+x] = a*size + x
				if strided == 1 {
					label[a*size+x] = x*orbits + a
				}
			}
		}
		if f := spaceFrame(p, limits, [2]int{size, strided}, label); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// spaceFrame builds the frame of one numbering, known by its size and kind; nil when the space is not symmetric under
// it.
func spaceFrame(p Problem, limits *limitSet, numbering [2]int, label []int) *frame {
	size := numbering[0]
	f := &frame{orbits: p.Nodes / size, size: size, budget: p.budget()}
	if !slices.IsSorted(label) {
		f.label = label
	}
	place := make([]int, p.Nodes) // of a node in the lift
	for i, node := range label {
		place[node] = i
	}
	t := limits.turns[numbering]
	if t == nil {
		next := make([]int, p.Nodes) // where the shift moves a node
		for i, node := range label {
			next[node] = label[i-i%size+(i+1)%size]
		}
		t = limits.turned(next)
		limits.turns[numbering] = t
	}
	representatives, ok := limits.orbits(t, p.Space.Exact)
	if !ok {
		return nil
	}
	if t.table == nil || !slices.Equal(t.representatives, representatives) {
		l := f.lift(nil)
		arcOf := make([]topology.Arc, len(limits.candidates))
		for k, e := range limits.candidates {
			i, j := place[e.I], place[e.J]
			arcOf[k] = l.Canonical(topology.Arc{A: i / size, B: j / size, S: j%size - i%size})
		}
		t.representatives, t.table = representatives, f.newTable(arcOf, limits.all, representatives)
	}
	f.table, f.caps = t.table, make([]int, len(representatives))
	for r, i := range representatives {
		f.caps[r] = limits.all[i].Max
	}
	if s := p.Space; s.Exact {
		f.fill = make([]bool, len(representatives))
		for r, i := range representatives {
			f.fill[r] = s.MustFill(limits.all[i])
		}
	}
	return f
}

// degreeRows writes the problem's own degree limits as limits on candidates, where there are more
// candidates than the limit.
func degreeRows(p Problem, candidates []topology.Edge) []design.Limit {
	if p.MaxDegree == 0 && p.Degrees == nil {
		return nil
	}
	rows := design.DegreeLimits(p.Nodes, candidates, p.degree, strconv.Itoa)
	return slices.DeleteFunc(rows, func(l design.Limit) bool { return len(l.Edges) <= l.Max })
}

// newTable collects the arcs of the candidates and what each puts on the limits, one of each orbit.
// By symmetry an arc loads all limits of an orbit alike.
func (f *frame) newTable(arcOf []topology.Arc, all []design.Limit, limits []int) *arcTable {
	t := new(arcTable)
	t.at = make([]int32, f.orbits*f.orbits*f.size)
	for _, a := range arcOf {
		t.at[f.number(a)] = 1
	}
	for id, used := range t.at {
		if used > 0 {
			t.arcs = append(t.arcs, topology.Arc{A: id / f.size / f.orbits, B: id / f.size % f.orbits, S: id % f.size})
			t.at[id] = int32(len(t.arcs))
		}
	}
	amount := make([]int, len(limits)*len(t.arcs))
	for r, i := range limits {
		for _, k := range all[i].Edges {
			amount[r*len(t.arcs)+int(t.at[f.number(arcOf[k])])-1]++
		}
	}
	t.start, t.ustart = []int{0}, []int{0}
	for i := range t.arcs {
		for r := range limits {
			if n := amount[r*len(t.arcs)+i]; n > 0 {
				t.loads = append(t.loads, load{r, n})
			}
		}
		t.start = append(t.start, len(t.loads))
	}
	for r := range limits {
		for i := range t.arcs {
			if amount[r*len(t.arcs)+i] > 0 {
				t.users = append(t.users, i)
			}
		}
		t.ustart = append(t.ustart, len(t.users))
	}
	return t
}
