package cluster

import (
	"fmt"
	"slices"
	"sync"

	"github.com/batopo/batopo/internal/ground/limits"
)

// New checks a description, wherever it comes from, and builds the cluster. Sizes are checked before anything of that
// size is made. The error joins one FieldError for each thing that is wrong, up to a readable number.
func New(s Spec) (*Cluster, error) {
	c := &Cluster{spec: s, latencyMS: s.LatencyMS, model: s.model()}
	c.spec.Format = s.format()
	if len(s.Names) == 0 {
		c.spec.Names = nil
	}
	if len(s.Edges) == 0 {
		c.spec.Edges = nil
	}
	if len(s.Assumptions) == 0 {
		c.spec.Assumptions = nil
	}
	c.routes = sync.OnceValue(func() *Routes { return newRoutes(c) })
	var check checker
	check.format(s.Format)
	if s.Format == Format {
		s.onlyVersion1(&check)
	}
	check.within("latency_ms", s.LatencyMS, latencySpan)
	check.within("per_message_ms", s.PerMessageMS, latencySpan)
	check.within("per_collective_ms", s.PerCollectiveMS, latencySpan)
	c.checkModel(&check)
	check.names(func(k int) string { return fmt.Sprintf("names[%d]", k) }, s.Names)
	check.assumptions(s.Assumptions)
	s.onlyOneShape(&check)
	if check.bad() {
		return nil, check.err()
	}
	c.build(&check)
	if !check.bad() && s.Nodes != 0 && s.Nodes != c.nodes {
		check.complain("nodes", "is %d, but the description below gives %d nodes", s.Nodes, c.nodes)
	}
	if !check.bad() && len(s.Names) > 0 && len(s.Names) != c.nodes {
		check.complain("names", "has %d entries for %d nodes", len(s.Names), c.nodes)
	}
	if !check.bad() {
		c.tellApart()
		c.checkStated(&check)
		c.setSpeeds(&check)
	}
	if check.bad() {
		return nil, check.err()
	}
	c.spec.Nodes = c.nodes
	return c, nil
}

// build makes the resources and routes of the shape that is described.
func (c *Cluster) build(check *checker) {
	switch {
	case c.spec.Servers != nil:
		c.buildServers(check)
	case c.spec.BCube != nil:
		c.buildBCube(c.spec.BCube, check)
	case c.spec.LeafSpine != nil:
		c.buildLeafSpine(c.spec.LeafSpine, check)
	case c.spec.Tree != nil:
		c.buildTree(check)
	case c.spec.Links != nil:
		c.buildLinks(check)
	case c.spec.Matrix != nil:
		c.buildMatrix(check)
	case c.spec.Resources != nil:
		c.buildGeneral(check)
	default:
		c.buildPerNode(check)
	}
}

// format is the version that says what this description says: the one that is given, else the first that can.
func (s Spec) format() string {
	var check checker
	s.onlyVersion1(&check)
	switch {
	case s.Format != "":
		return s.Format
	case check.bad():
		return FormatV2
	}
	return Format
}

// onlyVersion1 complains about what version 1 of the format does not have.
func (s Spec) onlyVersion1(check *checker) {
	for _, field := range []struct {
		path  string
		given bool
	}{
		{"assumptions", len(s.Assumptions) > 0},
		{"tree", s.Tree != nil}, {"links", s.Links != nil}, {"matrix", s.Matrix != nil},
		{"per_message_ms", s.PerMessageMS != 0}, {"per_collective_ms", s.PerCollectiveMS != 0},
		{"resources[].per_message_ms",
			slices.ContainsFunc(s.Resources, func(r ResourceSpec) bool { return r.PerMessageMS != 0 })},
		{"model.node_compute_ms", s.Model != nil && s.Model.NodeComputeMS != nil},
		{"model.jitter_ms", s.Model != nil && s.Model.JitterMS != nil},
		{"gpu", s.GPU != ""}, {"backend", s.Backend != ""},
		{"model.parameters", s.Model != nil && s.Model.Parameters != nil},
		{"model.dtype", s.Model != nil && s.Model.DType != ""},
		{"model.optimizer", s.Model != nil && s.Model.Optimizer != ""},
	} {
		if field.given {
			check.complain(field.path, "is new in version 2; the first line must be \"format: %s\"", FormatV2)
		}
	}
}

// onlyOneShape complains when a spec has none or several of the ways to describe hardware.
func (s Spec) onlyOneShape(check *checker) {
	var shapes []string
	for name, given := range map[string]bool{
		"bandwidth": s.Bandwidth != nil, "servers": s.Servers != nil, "bcube": s.BCube != nil,
		"leafspine": s.LeafSpine != nil, "tree": s.Tree != nil, "links": s.Links != nil,
		"matrix": s.Matrix != nil, "resources": s.Resources != nil,
	} {
		if given {
			shapes = append(shapes, name)
		}
	}
	if len(shapes) != 1 {
		check.complain("bandwidth",
			"give exactly one of bandwidth, servers, bcube, leafspine, tree, links, matrix or resources with routes; "+
				"%d were given", len(shapes))
	}
	if s.Transit && s.Links == nil {
		check.complain("transit", "belongs to links, which are missing")
	}
	if s.Routes != nil && s.Resources == nil {
		check.complain("routes", "belongs to resources, which are missing")
	}
}

// buildPerNode makes one resource per node; an edge uses both ends.
func (c *Cluster) buildPerNode(check *checker) {
	n, b := c.spec.Nodes, c.spec.Bandwidth
	if n == 0 && len(b) > 1 {
		n = len(b)
	}
	check.between("nodes", n, 2, limits.Nodes)
	if len(b) != 1 && len(b) != n {
		check.complain("bandwidth", "has %d entries for %d nodes; give one number for all or one per node", len(b), n)
	}
	for i, v := range b {
		path := "bandwidth"
		if len(b) > 1 {
			path = fmt.Sprintf("bandwidth[%d]", i)
		}
		check.within(path, v, bandwidthSpan)
	}
	if check.bad() {
		return
	}
	c.nodes, c.perNode = n, true
	c.resources = make([]Resource, n)
	var t tree
	all := t.plant(-1, -1, -1, -1)
	for i := range n {
		c.resources[i] = Resource{Name: "node " + c.nameBefore(i), GBs: b[min(i, len(b)-1)]}
		t.node = append(t.node, plainLeaf(all, i))
	}
	c.route = t.route
}

// fewEnough complains where pairs that must be listed one by one are too many to list.
func (c *checker) fewEnough(path string, candidates int) {
	if candidates > limits.Candidates {
		c.complain(path, "gives %d pairs that may be edges; at most %d are supported", candidates, limits.Candidates)
	}
}

// nameBefore is NodeName for builders that run before the names were checked.
func (c *Cluster) nameBefore(i int) string {
	if i < len(c.spec.Names) {
		return c.spec.Names[i]
	}
	return fmt.Sprint(i)
}
