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

// WithMessage returns the cluster with messages of another size.
func (c *Cluster) WithMessage(mb float64) (*Cluster, error) {
	return New(c.Spec().WithTraining(&mb, nil))
}
