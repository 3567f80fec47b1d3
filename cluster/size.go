package cluster

import "github.com/batopo/batopo/internal/ground/limits"

// Size returns how many nodes a description speaks of, without building anything. A caller with a limit can refuse at
// once, before routes are searched for, which takes long. It is never far above limits.Nodes. A description that makes
// no cluster has a size too; [New] says what is wrong with it.
func (s Spec) Size() int {
	switch {
	case s.Servers != nil:
		return times(s.Servers.Count, s.Servers.GPUs)
	case s.BCube != nil:
		n := 1
		for range min(s.BCube.Layers, 32) {
			n = times(n, s.BCube.Ports)
		}
		return n
	case s.LeafSpine != nil:
		return times(s.LeafSpine.Leaves, s.LeafSpine.Hosts)
	case s.Tree != nil:
		return s.Tree.Size()
	case s.Matrix != nil:
		return len(s.Matrix.GBs)
	case s.Nodes == 0 && (s.Links != nil || s.Resources != nil):
		return len(s.Names)
	case s.Nodes == 0:
		return len(s.Bandwidth)
	}
	return s.Nodes
}

// Size counts the nodes of one of the group's copies.
func (g *Group) Size() int {
	n := min(max(0, g.Nodes), beyond)
	for k := range g.Groups {
		inner := &g.Groups[k]
		n = min(n+times(max(1, inner.Count), inner.Size()), beyond)
	}
	return n
}

// beyond is more nodes than there may be.
const beyond = limits.Nodes + 1

// times is the product of two counts, cut off where it is beyond all limits.
func times(a, b int) int { return min(min(max(0, a), beyond)*min(max(0, b), beyond), beyond) }
