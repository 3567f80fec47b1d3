package design

import (
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// A LimitKind says what a limit is on.
type LimitKind uint8

const (
	SharedResource LimitKind = iota // a resource of the cluster that edges of several nodes pass
	NodeResource                    // a resource of the cluster that only edges of one node pass, such as its port
	NodeDegree                      // the number of neighbours of one node
)

// A Limit caps how many candidate edges may count against one thing: a resource of the cluster, which is one row of
// M z ≤ e in the paper, or the degree of a node.
type Limit struct {
	Kind  LimitKind
	Name  string // of the resource in the cluster; "degree of node …" for a degree
	Node  int    // whose resource or degree it is; see AtNode
	Edges []int  // the candidates that count, as positions in the candidate list, ascending
	Max   int    // e_l
}

// AtNode returns the node at which all edges that count end, if the limit belongs to a single node.
func (l Limit) AtNode() (node int, ok bool) { return l.Node, l.Kind != SharedResource }

// validate reports what is wrong with a limit on some of the candidates.
func (l Limit) validate(candidates []topology.Edge) error {
	var errs []error
	complain := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("design: limit of %s "+format, append([]any{l.Name}, args...)...))
	}
	if l.Max < 0 {
		complain("is %d; it must not be negative", l.Max)
	}
	if m := len(l.Edges); m > 0 && (l.Edges[0] < 0 || l.Edges[m-1] >= len(candidates) || !slices.IsSorted(l.Edges)) {
		complain("lists edges that are out of range or out of order")
		return errors.Join(errs...)
	}
	node, ok := l.AtNode()
	if !ok {
		return errors.Join(errs...)
	}
	for _, k := range l.Edges {
		if e := candidates[k]; e.I != node && e.J != node {
			complain("is of node %d, but lists edge %d–%d; it must list edges of that node only", node, e.I, e.J)
			break
		}
	}
	return errors.Join(errs...)
}

// ResourceLimits writes capacities e of a cluster's resources as limits on candidate edges: the rows of M. Resources
// that no candidate uses are left out. The lists of edges are the cluster's and must not be changed.
func ResourceLimits(c *cluster.Cluster, e []int) []Limit {
	candidates, over := c.Candidates(), c.Over()
	rows := make([]Limit, len(e))
	for l, r := range c.Resources() {
		rows[l].Name, rows[l].Max, rows[l].Edges = r.Name, e[l], over[l]
	}
	rows = slices.DeleteFunc(rows, func(l Limit) bool { return len(l.Edges) == 0 })
	for l := range rows {
		if node, ok := meetingPoint(candidates, rows[l].Edges); ok {
			rows[l].Kind, rows[l].Node = NodeResource, node
		}
	}
	return rows
}

// meetingPoint returns the node at which all of the edges end.
func meetingPoint(candidates []topology.Edge, edges []int) (node int, ok bool) {
	first := candidates[edges[0]]
	for _, node := range [2]int{first.I, first.J} {
		elsewhere := func(k int) bool { return candidates[k].I != node && candidates[k].J != node }
		if !slices.ContainsFunc(edges, elsewhere) {
			return node, true
		}
	}
	return 0, false
}

// DegreeLimits limits the neighbours of node i, called name(i), to most(i) of its candidate edges.
func DegreeLimits(n int, candidates []topology.Edge, most func(i int) int, name func(i int) string) []Limit {
	rows := make([]Limit, n)
	for i := range rows {
		rows[i] = Limit{Kind: NodeDegree, Name: "degree of node " + name(i), Node: i, Max: most(i)}
	}
	for k, edge := range candidates {
		rows[edge.I].Edges = append(rows[edge.I].Edges, k)
		rows[edge.J].Edges = append(rows[edge.J].Edges, k)
	}
	return rows
}
