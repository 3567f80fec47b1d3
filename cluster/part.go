package cluster

import (
	"errors"
	"slices"
	"strconv"
)

// errWhole says that a description cannot do without single nodes.
var errWhole = errors.New("cluster: machines of this form are equal and cannot be left out one by one")

// Part describes the cluster without all nodes but these, which are listed in increasing order. They keep their names,
// or are named by their numbers.
func (c *Cluster) Part(keep []int) (Spec, error) {
	s := c.spec
	var err error
	switch {
	case s.Edges != nil || s.Servers != nil || s.BCube != nil || s.LeafSpine != nil:
		return s, errWhole
	case s.Tree != nil:
		next := 0
		var root Group
		if root, err = s.Tree.part(keep, &next); err == nil {
			s.Tree = &root
		}
	case s.Matrix != nil:
		s.Matrix = s.Matrix.part(keep)
	case s.Links != nil:
		s.Links = c.partLinks(keep)
	case s.Routes != nil:
		s.Resources, s.Routes = s.partRoutes(keep)
	default:
		s.Bandwidth = s.Bandwidth.part(keep)
	}
	if s.Nodes > 0 {
		s.Nodes = len(keep)
	}
	s.Names = make([]string, len(keep))
	for k, i := range keep {
		s.Names[k] = c.NodeName(i)
	}
	if s.Model != nil {
		model := *s.Model
		model.NodeComputeMS, model.JitterMS = model.NodeComputeMS.part(keep), model.JitterMS.part(keep)
		s.Model = &model
	}
	return s, err
}

// part are the numbers of these nodes; one number counts for all.
func (n Numbers) part(keep []int) Numbers {
	if len(n) <= 1 {
		return n
	}
	return picked(n, keep)
}

func picked[T any](all []T, keep []int) []T {
	out := make([]T, len(keep))
	for k, i := range keep {
		out[k] = all[i]
	}
	return out
}

// part is the group with those of its nodes that stay; next counts the nodes of the whole tree.
func (g *Group) part(keep []int, next *int) (Group, error) {
	out, first := *g, *next
	*next += g.Nodes
	out.Nodes = kept(keep, first, *next)
	if fellows := len(g.NVLinks) > 0 || g.NICs != nil && (len(g.NICs.OfNodes) > 0 || g.NICs.Count > 1); fellows &&
		out.Nodes > 0 && out.Nodes < g.Nodes {
		return out, errWhole
	}
	out.Groups = nil
	for k := range g.Groups {
		if err := out.addPart(&g.Groups[k], keep, next); err != nil {
			return out, err
		}
	}
	if g.NVSwitch != nil && out.Size() < g.Size() && len(g.Groups) > 0 {
		return out, errWhole
	}
	return out, nil
}

// addPart adds what stays of some alike inner groups. Each that loses nodes is described by itself.
func (g *Group) addPart(inner *Group, keep []int, next *int) error {
	count := max(1, inner.Count)
	for k := range count {
		first := *next
		one := *inner
		one.Count = 0
		part, err := one.part(keep, next)
		if err != nil {
			return err
		}
		switch left := kept(keep, first, *next); {
		case left == 0:
			continue
		case count > 1 && inner.Name != "":
			part.Name = inner.Name + " " + strconv.Itoa(k)
		}
		g.Groups = append(g.Groups, part)
	}
	return nil
}

// kept counts the nodes from first to below end that stay.
func kept(keep []int, first, end int) int {
	from, _ := slices.BinarySearch(keep, first)
	to, _ := slices.BinarySearch(keep, end)
	return to - from
}

func (m *Matrix) part(keep []int) *Matrix {
	square := func(all [][]float64) [][]float64 {
		if all == nil {
			return nil
		}
		out := picked(all, keep)
		for k := range out {
			out[k] = picked(out[k], keep)
		}
		return out
	}
	return &Matrix{GBs: square(m.GBs), LatencyMS: square(m.LatencyMS), PortGBs: m.PortGBs.part(keep)}
}

// partLinks are the links without those of nodes that are left out.
func (c *Cluster) partLinks(keep []int) (out []Wire) {
	left := map[string]bool{}
	for i := range c.nodes {
		left[c.NodeName(i)] = !slices.Contains(keep, i)
	}
	for _, w := range c.spec.Links {
		if !slices.ContainsFunc(w.Between, func(end string) bool { return left[end] }) {
			out = append(out, w)
		}
	}
	return out
}

// partRoutes are the routes between these nodes, which get new numbers, and the resources on them.
func (s Spec) partRoutes(keep []int) (resources []ResourceSpec, routes []RouteSpec) {
	used := map[string]bool{}
	for _, r := range s.Routes {
		i, one := slices.BinarySearch(keep, r.Pair[0])
		j, other := slices.BinarySearch(keep, r.Pair[1])
		if !one || !other {
			continue
		}
		routes = append(routes, RouteSpec{Pair: []int{i, j}, Over: r.Over})
		for _, name := range r.Over {
			used[name] = true
		}
	}
	for _, r := range s.Resources {
		if used[r.Name] {
			resources = append(resources, r)
		}
	}
	return resources, routes
}
