package cluster

import (
	"errors"
	"fmt"
	"math"
	"sync"
)

// MaxNodes limits what a file may ask for, so that a typing slip is an error and not an exhausted machine.
const MaxNodes = 1 << 20

// A FieldError is a value in a Spec that cannot be right.
type FieldError struct {
	Path    string // where, as a YAML path such as $.bandwidth[3]
	Message string // what is wrong and what would be right
}

func (e *FieldError) Error() string { return fmt.Sprintf("cluster: %s: %s", e.Path[2:], e.Message) }

// checker collects everything wrong with a spec.
type checker struct{ errs []error }

func (c *checker) complain(path, format string, args ...any) {
	c.errs = append(c.errs, &FieldError{"$." + path, fmt.Sprintf(format, args...)})
}

func (c *checker) positive(path string, v float64) {
	if !(v > 0) || math.IsInf(v, 1) {
		c.complain(path, "is %v; it must be a positive number", v)
	}
}

func (c *checker) notNegative(path string, v float64) {
	if !(v >= 0) || math.IsInf(v, 1) {
		c.complain(path, "is %v; it must be zero or a positive number", v)
	}
}

func (c *checker) between(path string, v, lo, hi int) {
	if v < lo || v > hi {
		c.complain(path, "is %d; it must be between %d and %d", v, lo, hi)
	}
}

// New checks a description and builds the cluster. The error joins one
// FieldError for each thing that is wrong.
func New(s Spec) (*Cluster, error) {
	c := &Cluster{spec: s, latencyMS: s.LatencyMS, model: s.model()}
	c.spec.Format = Format
	c.routes = sync.OnceValue(func() *routes { return newRoutes(c) })
	c.classes = sync.OnceValues(func() ([]class, []int) { return newClasses(c) })
	var check checker
	if s.Format != "" && s.Format != Format {
		check.complain("format", "is %q; this program reads %q", s.Format, Format)
	}
	check.notNegative("latency_ms", s.LatencyMS)
	check.positive("model.message_mb", c.model.MessageMB)
	check.notNegative("model.compute_ms", c.model.ComputeMS)
	if t := c.model.TargetError; !(t > 0 && t < 1) {
		check.complain("model.target_error", "is %v; it must be between 0 and 1", t)
	}
	s.onlyOneShape(&check)
	if len(check.errs) > 0 {
		return nil, errors.Join(check.errs...)
	}
	switch {
	case s.Servers != nil:
		c.buildServers(&check)
	case s.BCube != nil:
		c.buildBCube(s.BCube, &check)
	case s.LeafSpine != nil:
		c.buildLeafSpine(s.LeafSpine, &check)
	case s.Resources != nil:
		c.buildGeneral(&check)
	default:
		c.buildPerNode(&check)
	}
	if len(check.errs) == 0 && s.Nodes != 0 && s.Nodes != c.nodes {
		check.complain("nodes", "is %d, but the description below gives %d nodes", s.Nodes, c.nodes)
	}
	if len(s.Names) > 0 && len(s.Names) != c.nodes {
		check.complain("names", "has %d entries for %d nodes", len(s.Names), c.nodes)
	}
	if len(check.errs) > 0 {
		return nil, errors.Join(check.errs...)
	}
	c.spec.Nodes = c.nodes
	return c, nil
}

// onlyOneShape complains when a spec has none or several of the ways to describe hardware.
func (s Spec) onlyOneShape(check *checker) {
	var shapes []string
	for name, given := range map[string]bool{
		"bandwidth": s.Bandwidth != nil, "servers": s.Servers != nil, "bcube": s.BCube != nil,
		"leafspine": s.LeafSpine != nil, "resources": s.Resources != nil,
	} {
		if given {
			shapes = append(shapes, name)
		}
	}
	if len(shapes) != 1 {
		check.complain("bandwidth", "give exactly one of bandwidth, servers, bcube, leafspine or resources with routes; %d were given", len(shapes))
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
	check.between("nodes", n, 2, MaxNodes)
	if len(b) != 1 && len(b) != n {
		check.complain("bandwidth", "has %d entries for %d nodes; give one number for all or one per node", len(b), n)
	}
	for i, v := range b {
		path := "bandwidth"
		if len(b) > 1 {
			path = fmt.Sprintf("bandwidth[%d]", i)
		}
		check.positive(path, v)
	}
	if len(check.errs) > 0 {
		return
	}
	c.nodes, c.perNode = n, true
	c.resources = make([]Resource, n)
	for i := range n {
		c.resources[i] = Resource{Name: "node " + c.nameBefore(i), GBs: b[min(i, len(b)-1)]}
	}
	c.route = func(hops []Hop, i, j int) []Hop { return append(hops, Hop{i, Sender}, Hop{j, Receiver}) }
}

// nameBefore is NodeName for builders that run before the names were checked.
func (c *Cluster) nameBefore(i int) string {
	if i < len(c.spec.Names) {
		return c.spec.Names[i]
	}
	return fmt.Sprint(i)
}
