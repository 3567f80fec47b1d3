package cluster

import "slices"

// WithTraining returns the description for messages of another size and another time of computation; nil leaves what
// it says. Parameters, which give the size too, are dropped with it. The time holds for all nodes: it replaces what the
// description says about single nodes and groups.
func (s Spec) WithTraining(messageMB, computeMS *float64) Spec {
	if messageMB == nil && computeMS == nil {
		return s
	}
	model := ModelSpec{}
	if s.Model != nil {
		model = *s.Model
	}
	if messageMB != nil {
		model.MessageMB, model.Parameters = messageMB, nil
	}
	if computeMS != nil {
		model.ComputeMS, model.NodeComputeMS = computeMS, nil
		s.Tree = alike(s.Tree)
	}
	s.Model = &model
	return s
}

// alike is a tree without times of computation of its own, so that those of the model count for all its nodes.
func alike(g *Group) *Group {
	if g == nil {
		return nil
	}
	out := *g
	out.ComputeMS, out.Groups = nil, slices.Clone(g.Groups)
	for k := range out.Groups {
		out.Groups[k] = *alike(&out.Groups[k])
	}
	return &out
}

// WithMessage returns the cluster with messages of another size, and as many parameters more.
func (c *Cluster) WithMessage(mb float64) (*Cluster, error) {
	m := c.model
	m.MessageMB, m.Parameters = mb, m.Parameters*mb/m.MessageMB
	return c.with(c.spec.WithTraining(&mb, nil), m)
}

// WithLatency returns the cluster with another latency between any two nodes, besides what its links add.
func (c *Cluster) WithLatency(ms float64) (*Cluster, error) {
	s := c.spec
	s.LatencyMS = ms
	return c.with(s, c.model)
}

// with is the cluster with the same nodes and links, which take most of the time to build, and another description.
func (c *Cluster) with(s Spec, m Model) (*Cluster, error) {
	next := &Cluster{spec: s, model: m, latencyMS: s.LatencyMS, nodes: c.nodes, resources: c.resources, route: c.route,
		listed: c.listed, routes: c.routes, speeds: c.speeds, ownCompute: c.ownCompute, perNode: c.perNode}
	var check checker
	check.within("latency_ms", s.LatencyMS, latencySpan)
	next.checkModel(&check)
	if check.bad() {
		return nil, check.err()
	}
	return next, nil
}
