package verify

import (
	"errors"
	"slices"

	"github.com/batopo/batopo/design"
)

// limits say which matrices a bound speaks about: symmetric W with rows that sum to 1 on a
// connected graph that keeps to them.
type limits struct {
	nodes   int
	edges   int   // the most there may be
	degrees []int // the most neighbours of each node, ascending: no argument asks whose limit it is
	cuts    []cut
	routes  *routes  // what edges between parts of the cluster share; nil where every pair loads just its two nodes
	signed  bool     // weights may be negative
	lowest  *float64 // μ in W ⪰ μI; with it bounds are on λ₂, without it on r_asym
}

// posed derives the limits of the problem that the plan answers from what the plan says was
// asked: its settings, its cluster, its setting and its smallest eigenvalue. Capacities are chosen from those that the
// question may have.
func (k *check) posed(choose func(capacities) []int) (limits, error) {
	p := k.plan
	asked := design.Problem{Cluster: k.cluster, MaxEdges: p.MaxEdges, MaxDegree: p.DegreeLimit, Objective: p.Objective,
		Purpose: p.Purpose, Sign: p.Sign, MinEigenvalue: p.MinEigenvalue}
	if err := asked.Validate(); err != nil {
		return limits{}, err
	}
	l := limits{nodes: p.Nodes, edges: p.MaxEdges, degrees: slices.Repeat([]int{p.Nodes - 1}, p.Nodes),
		signed: p.Sign == design.Free, lowest: p.MinEigenvalue}
	if !k.cluster.Homogeneous() {
		c, err := k.capacities()
		if err != nil {
			return limits{}, err
		}
		if k.cluster.PerNode() {
			copy(l.degrees, choose(c))
		} else {
			all, err := k.routes()
			if err != nil {
				return limits{}, err
			}
			l.routes = all.within(choose(c))
			l.degrees, l.cuts = l.routes.degrees(), l.routes.cuts()
		}
	}
	slices.Sort(l.degrees)
	most := l.nodes - 1
	if p.DegreeLimit > 0 {
		most = min(most, p.DegreeLimit)
	}
	return l.capped(most)
}

// capped limits every degree to most, and with that the edges.
func (l limits) capped(most int) (limits, error) {
	l.degrees = slices.Clone(l.degrees)
	ends := 0
	for i, d := range l.degrees {
		l.degrees[i] = min(d, most)
		ends += l.degrees[i]
	}
	l.edges = min(l.edges, ends/2)
	if l.degrees[0] < 1 || l.edges < l.nodes-1 {
		return limits{}, errors.New("no connected graph keeps to the limits, so there is nothing to bound")
	}
	return l, nil
}

// largest is the most neighbours that any node may have.
func (l limits) largest() int { return l.degrees[l.nodes-1] }

// smallest is a degree that some node cannot exceed.
func (l limits) smallest() int { return min(l.degrees[0], 2*l.edges/l.nodes) }
