package cluster

import (
	"fmt"
	"sync"

	"github.com/batopo/batopo/topology"
)

// A Resource is anything that edges share.
type Resource struct {
	Name         string
	GBs          float64 // gigabytes per second in each direction; of the slower one where they differ
	UpGBs        float64 // from sender side on, where the directions differ; else 0
	DownGBs      float64
	LatencyMS    float64 // added to every edge that passes here
	PerMessageMS float64 // for every message that passes here, one after the other
	MaxEdges     int     // hardware cap on edges; 0 means none
}

// Toward returns the bandwidth in the direction that an arc takes.
func (r *Resource) Toward(side Side) float64 {
	switch {
	case side == Sender && r.UpGBs > 0:
		return r.UpGBs
	case side == Receiver && r.DownGBs > 0:
		return r.DownGBs
	}
	return r.GBs
}

// A Side says in which direction an arc i→j uses a resource of its route.
type Side uint8

const (
	// Sender resources belong to i: they carry what leaves it, upwards. A port or network card is
	// full duplex, so it counts arcs out and arcs in apart and the busier direction decides. A link of a graph is
	// passed as Sender from its first end to its second.
	Sender Side = iota
	// Receiver resources belong to j: they carry what arrives there, downwards.
	Receiver
	// Shared resources lie between the nodes and count each pair once, whichever way it talks.
	Shared
	// HalfDuplex resources carry whatever passes them, in either direction, one after the other.
	HalfDuplex
	sides // how many there are
)

// A Hop is one resource on the route of an arc.
type Hop struct {
	Resource int
	Side     Side
}

// A Cluster is a set of nodes, the resources between them, and the route of every pair.
// It is immutable.
type Cluster struct {
	spec      Spec
	nodes     int
	resources []Resource
	latencyMS float64
	model     Model
	// route appends the hops of arc i→j; nil result: the pair has no route at all.
	route func(hops []Hop, i, j int) []Hop
	// listed holds the candidate pairs when not every pair is one; sorted.
	listed []topology.Edge
	routes func() *Routes // listed when first asked for
	// derived is what a solver keeps beside the cluster; see Derived.
	derived any
	once    sync.Once
	// speeds says how fast single nodes compute, where the description does.
	speeds     []speed
	ownCompute bool // of every node
	// perNode is true when every pair is a candidate that loads just its two nodes,
	// which lets budgets of thousands of nodes be computed without listing pairs.
	perNode bool
}

// Nodes returns the number of nodes.
func (c *Cluster) Nodes() int { return c.nodes }

// Resources returns the shared resources. The slice is shared; do not write to it.
func (c *Cluster) Resources() []Resource { return c.resources }

// Model returns message size, compute time and target.
func (c *Cluster) Model() Model { return c.model }

// LatencyMS returns what every edge waits, whatever it passes.
func (c *Cluster) LatencyMS() float64 { return c.latencyMS }

// PerMessageMS returns what every message costs the node that sends it, besides what links add.
func (c *Cluster) PerMessageMS() float64 { return c.spec.PerMessageMS }

// PerCollectiveMS returns what a call of a collective costs besides its messages.
func (c *Cluster) PerCollectiveMS() float64 { return c.spec.PerCollectiveMS }

// Spec returns the description this cluster was built from, complete enough to build it again.
func (c *Cluster) Spec() Spec { return c.spec }

// NodeName returns the user's name of node i, or its number.
func (c *Cluster) NodeName(i int) string {
	if len(c.spec.Names) > 0 {
		return c.spec.Names[i]
	}
	return fmt.Sprint(i)
}

// PerNode reports whether every pair is a candidate and loads only its two nodes.
func (c *Cluster) PerNode() bool { return c.perNode }

// Homogeneous reports whether every pair is a candidate, loads only its two nodes,
// and all nodes are alike and have no cap: the paper's first scenario, where only the number of edges is limited. Nodes
// whose edges are stated are not alike.
func (c *Cluster) Homogeneous() bool {
	if !c.perNode || c.spec.Edges != nil {
		return false
	}
	for _, r := range c.resources {
		alike := c.resources[0]
		if alike.Name = r.Name; r != alike || r.MaxEdges > 0 {
			return false
		}
	}
	return true
}

// Candidates returns the pairs that may become edges, in order. It costs O(n²)
// memory where every pair is one.
func (c *Cluster) Candidates() []topology.Edge {
	if c.listed != nil {
		return c.listed
	}
	return topology.AllPairs(c.nodes)
}

// CandidateCount is the number of candidates, without listing them.
func (c *Cluster) CandidateCount() int {
	if c.listed != nil {
		return len(c.listed)
	}
	return topology.Pairs(c.nodes)
}

// Route appends the hops of arc i→j to hops. No hops means that the pair cannot talk.
func (c *Cluster) Route(hops []Hop, i, j int) []Hop { return c.route(hops, i, j) }

// Derived returns what compute returned when Derived was first called: what a solver needs to know of a cluster again
// and again, kept as long as the cluster. There is room for one solver.
func (c *Cluster) Derived(compute func() any) any {
	c.once.Do(func() { c.derived = compute() })
	return c.derived
}
