package feasible

import "github.com/batopo/batopo/topology"

// search is scratch for breadth-first search in a chosen graph.
type search struct {
	seen  []int32 // by node: the number of the search that saw it
	round int32
	queue []int32
	back  []int32 // from the other side
}

// components counts the parts of the chosen graph.
func (p *packing) components() int {
	p.scan.round++
	parts := 0
	for i := range p.nodes {
		if p.scan.seen[i] != p.scan.round {
			parts++
			p.reach(i)
		}
	}
	return parts
}

// reach marks what the chosen edges connect with a node.
func (p *packing) reach(from int) {
	s := &p.scan
	s.seen[from] = s.round
	s.queue = append(s.queue[:0], int32(from))
	for head := 0; head < len(s.queue); head++ {
		i := int(s.queue[head])
		for _, k := range p.at[i] {
			if j := other(p.Edges[k], i); s.seen[j] != s.round {
				s.seen[j] = s.round
				s.queue = append(s.queue, int32(j))
			}
		}
	}
}

// joined reports whether the chosen edges connect two nodes. It looks from both sides, a node of either in turn: in a
// graph of many edges they meet after a few.
func (p *packing) joined(i, j int) bool {
	s := &p.scan
	s.round += 2 // marks what is seen from j; one less what is seen from i
	s.seen[i], s.seen[j] = s.round-1, s.round
	s.queue, s.back = append(s.queue[:0], int32(i)), append(s.back[:0], int32(j))
	for head := 0; head < len(s.queue) && head < len(s.back); head++ {
		if p.meets(&s.queue, head, s.round-1, s.round) || p.meets(&s.back, head, s.round, s.round-1) {
			return true
		}
	}
	return i == j
}

// meets marks the neighbours of a node as seen from its side and reports whether the other side has seen one of them.
func (p *packing) meets(queue *[]int32, head int, own, other int32) bool {
	s := &p.scan
	i := int((*queue)[head])
	for _, k := range p.at[i] {
		e := p.Edges[k]
		switch j := e.I + e.J - i; s.seen[j] {
		case other:
			return true
		case own:
		default:
			s.seen[j] = own
			*queue = append(*queue, int32(j))
		}
	}
	return false
}

func other(e topology.Edge, i int) int { return e.I + e.J - i }
