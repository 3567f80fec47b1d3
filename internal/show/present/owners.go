package present

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// A passage is a resource of the general form as its routes tell of it.
type passage struct {
	pairs []topology.Edge // that pass
	here  []int           // how many of them each node is an end of
	near  int             // the end that it is listed nearer to on the first route over it; −1 in the middle
}

// belongsTo finds, for every resource of the general form, the nodes it is hardware of; none where no route passes.
// Routes say only which pairs pass.
func belongsTo(c *cluster.Cluster) [][]int {
	index := map[string]int{}
	all := make([]passage, len(c.Resources()))
	for l, r := range c.Resources() {
		index[r.Name] = l
		all[l].here = make([]int, c.Nodes())
	}
	degree := make([]int, c.Nodes())
	for _, r := range c.Spec().Routes {
		e := topology.Edge{I: min(r.Pair[0], r.Pair[1]), J: max(r.Pair[0], r.Pair[1])}
		degree[e.I]++
		degree[e.J]++
		for k, name := range r.Over {
			p := &all[index[name]]
			if len(p.pairs) == 0 {
				p.near = nearer(r.Pair, k, len(r.Over)-1-k)
			}
			p.pairs = append(p.pairs, e)
			p.here[e.I]++
			p.here[e.J]++
		}
	}
	nodes := make([][]int, len(all))
	for l, p := range all {
		nodes[l] = p.owners(degree, c.Candidates())
	}
	return nodes
}

func nearer(pair []int, before, after int) int {
	switch {
	case before < after:
		return pair[0]
	case before > after:
		return pair[1]
	}
	return -1
}

// owners are the one node that all pairs have in common; those that reach nobody without this resource; those that
// leave their group over it; else all that use it.
func (p passage) owners(degree []int, candidates []topology.Edge) []int {
	if i := slices.Index(p.here, len(p.pairs)); i >= 0 && len(p.pairs) > 1 {
		return []int{i}
	}
	own := p.users(func(i int) bool { return p.here[i] == degree[i] })
	if pairsWithEnds(own, candidates, 1, 2) == len(p.pairs) {
		return own
	}
	if side := p.side(); pairsWithEnds(side, candidates, 1, 1) == len(p.pairs) {
		return side
	}
	return p.users(func(int) bool { return true })
}

// users are the nodes that use a resource and for which something holds.
func (p passage) users(holds func(i int) bool) (nodes []int) {
	for i, pairs := range p.here {
		if pairs > 0 && holds(i) {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// side is the smaller of two sets of nodes such that all pairs join one to the other; of equal sets the nearer one.
// It is nil where there are no such sets, or many.
func (p passage) side() []int {
	if len(p.pairs) == 0 {
		return nil
	}
	n := len(p.here)
	cover := topology.NewParts(2 * n) // node i on the one side is i, on the other n+i
	for _, e := range p.pairs {
		cover.Join(e.I, n+e.J)
		cover.Join(n+e.I, e.J)
	}
	first := cover.Of(p.pairs[0].I)
	one := p.users(func(i int) bool { return cover.Of(i) == first })
	other := p.users(func(i int) bool { return cover.Of(n+i) == first })
	users := p.users(func(int) bool { return true })
	switch {
	case len(one)+len(other) != len(users):
		return nil
	case len(one) < len(other) || len(one) == len(other) && slices.Contains(one, p.near):
		return one
	case len(other) < len(one) || slices.Contains(other, p.near):
		return other
	}
	return nil
}

// pairsWithEnds counts the pairs that have that many of their ends among the nodes.
func pairsWithEnds(nodes []int, pairs []topology.Edge, least, most int) (count int) {
	among := map[int]int{}
	for _, i := range nodes {
		among[i] = 1
	}
	for _, e := range pairs {
		if ends := among[e.I] + among[e.J]; ends >= least && ends <= most {
			count++
		}
	}
	return count
}
