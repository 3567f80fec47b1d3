// Package matching finds as many pairs without a common vertex as a graph has.
package matching

// None is the partner of a vertex that has none.
const None = -1

// Maximum grows match, the partner of every vertex or None, to a maximum matching of a general graph by Edmonds'
// blossom algorithm (1965) and returns the number of vertices left alone.
func Maximum(peers [][]int, match []int) (alone int) {
	b := &blossoms{peers: peers, match: match, parent: make([]int, len(peers)), base: make([]int, len(peers)),
		mark: make([]bool, len(peers))}
	for v := range match {
		if match[v] == None {
			b.augmentFrom(v)
		}
	}
	for _, m := range match {
		if m == None {
			alone++
		}
	}
	return alone
}

// blossoms is the state of one search from a root. An odd cycle through the root's
// alternating tree (a blossom) is shrunk by giving all its vertices the same base.
type blossoms struct {
	peers  [][]int
	match  []int
	parent []int // tree edge that is not in the matching
	base   []int
	mark   []bool // in the blossom that is being shrunk
	outer  []bool
	queue  []int
}

func (b *blossoms) augmentFrom(root int) {
	b.outer = make([]bool, len(b.peers))
	for v := range b.base {
		b.base[v], b.parent[v] = v, None
	}
	b.outer[root] = true
	b.queue = append(b.queue[:0], root)
	for head := 0; head < len(b.queue); head++ {
		v := b.queue[head]
		for _, u := range b.peers[v] {
			switch {
			case b.base[v] == b.base[u] || b.match[v] == u:
			case u == root || b.match[u] != None && b.parent[b.match[u]] != None:
				b.shrink(v, u)
			case b.parent[u] == None:
				b.parent[u] = v
				if b.match[u] == None {
					b.flip(u)
					return
				}
				b.outer[b.match[u]] = true
				b.queue = append(b.queue, b.match[u])
			}
		}
	}
}

// flip exchanges matched and unmatched edges on the path from the root to u.
func (b *blossoms) flip(u int) {
	for u != None {
		v := b.parent[u]
		next := b.match[v]
		b.match[u], b.match[v] = v, u
		u = next
	}
}

func (b *blossoms) shrink(v, u int) {
	top := b.commonBase(v, u)
	clear(b.mark)
	b.markPath(v, top, u)
	b.markPath(u, top, v)
	for w := range b.base {
		if b.mark[b.base[w]] {
			b.base[w] = top
			if !b.outer[w] {
				b.outer[w] = true
				b.queue = append(b.queue, w)
			}
		}
	}
}

func (b *blossoms) markPath(v, top, child int) {
	for b.base[v] != top {
		b.mark[b.base[v]], b.mark[b.base[b.match[v]]] = true, true
		b.parent[v] = child
		child = b.match[v]
		v = b.parent[b.match[v]]
	}
}

func (b *blossoms) commonBase(v, u int) int {
	seen := make(map[int]bool)
	for {
		v = b.base[v]
		seen[v] = true
		if b.match[v] == None {
			break
		}
		v = b.parent[b.match[v]]
	}
	for {
		u = b.base[u]
		if seen[u] {
			return u
		}
		u = b.parent[b.match[u]]
	}
}
