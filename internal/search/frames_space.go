package search

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// spaceFrames returns the frames of a restricted problem with orbits of a given
// size: node (a, x) may be number a·size+x, or x·orbits+a as for GPU a of server x. A way of
// numbering counts only if moving every x to x+1 changes neither candidates nor limits.
func spaceFrames(p Problem, size int) []*frame {
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
		if f := spaceFrame(p, size, label); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// spaceFrame builds the table of arcs for one numbering; nil when the space is
// not symmetric under it.
func spaceFrame(p Problem, size int, label []int) *frame {
	s := p.Space
	f := &frame{orbits: p.Nodes / size, size: size, budget: p.budget(), table: new(arcTable)}
	if !slices.IsSorted(label) {
		f.label = label
	}
	place := make([]int, p.Nodes) // of a node in the lift
	for i, node := range label {
		place[node] = i
	}
	shifted := make([]int, len(s.Candidates)) // candidate that each one moves to
	arcOf := make([]topology.Arc, len(s.Candidates))
	l := f.lift(nil)
	for k, e := range s.Candidates {
		i, j := place[e.I], place[e.J]
		arcOf[k] = l.Canonical(topology.Arc{A: i / size, B: j / size, S: j%size - i%size})
		next := func(i int) int { return label[i-i%size+(i+1)%size] }
		a, b := next(i), next(j)
		to, ok := slices.BinarySearchFunc(s.Candidates, topology.Edge{I: min(a, b), J: max(a, b)}, topology.Edge.Compare)
		if !ok {
			return nil
		}
		shifted[k] = to
	}
	limits := degreeRows(p, s.Candidates)
	representatives, ok := limitOrbits(append(limits, s.Limits...), shifted)
	if !ok {
		return nil
	}
	f.fillTable(arcOf, representatives)
	if s.Exact {
		f.fill = make([]bool, len(representatives))
		for r, l := range representatives {
			f.fill[r] = s.MustFill(l)
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

// limitOrbits returns one limit of each orbit that the shift makes of them, or
// false when the shift maps a limit to something that is none.
func limitOrbits(limits []design.Limit, shifted []int) ([]design.Limit, bool) {
	key := func(edges []int, of design.Limit) string {
		buf := []byte{'='}
		if of.Kind == design.NodeDegree {
			buf[0] = '<'
		}
		for _, k := range edges {
			buf = binary.AppendVarint(buf, int64(k))
		}
		return string(binary.AppendVarint(buf, int64(of.Max)))
	}
	position := make(map[string]int, len(limits))
	for i, l := range limits {
		if _, twice := position[key(l.Edges, l)]; !twice {
			position[key(l.Edges, l)] = i
		}
	}
	seen := make([]bool, len(limits))
	var out []design.Limit
	for i := range limits {
		if seen[i] || position[key(limits[i].Edges, limits[i])] != i {
			continue
		}
		out = append(out, limits[i])
		for j := i; !seen[j]; {
			seen[j] = true
			moved := make([]int, len(limits[j].Edges))
			for k, e := range limits[j].Edges {
				moved[k] = shifted[e]
			}
			slices.Sort(moved)
			next, ok := position[key(moved, limits[j])]
			if !ok {
				return nil, false
			}
			j = next
		}
	}
	return out, true
}

// fillTable collects the arcs of the candidates and what each puts on the limits.
// By symmetry an arc loads all limits of an orbit alike.
func (f *frame) fillTable(arcOf []topology.Arc, limits []design.Limit) {
	t := f.table
	t.arcs = slices.Clone(arcOf)
	slices.SortFunc(t.arcs, topology.Arc.Compare)
	t.arcs = slices.Compact(t.arcs)
	f.caps = make([]int, len(limits))
	amount := make([]int, len(limits)*len(t.arcs))
	for r, l := range limits {
		f.caps[r] = l.Max
		for _, k := range l.Edges {
			i, _ := slices.BinarySearchFunc(t.arcs, arcOf[k], topology.Arc.Compare)
			amount[r*len(t.arcs)+i]++
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
}
