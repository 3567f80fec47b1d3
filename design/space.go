package design

import (
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A Space is the set of graphs that a solver may choose from.
type Space struct {
	Nodes      int
	Candidates []topology.Edge // sorted, I < J
	MaxEdges   int             // Card(z) ≤ r
	Limits     []Limit         // M z ≤ e
	Exact      bool            // M z = e, as the paper prints it
}

// MustFill reports whether a choice has to use all of a limit. A limit on a degree is no row of the paper's M and may
// be left unused also in an Exact space.
func (s Space) MustFill(l Limit) bool { return s.Exact && l.Kind != NodeDegree }

// Degrees returns the most neighbours that each node may have, where the limits say nothing else: every pair is a
// candidate, and each limit counts all edges of one node.
func (s Space) Degrees() (degrees []int, ok bool) {
	if len(s.Candidates) < topology.Pairs(s.Nodes) {
		return nil, false
	}
	degrees = slices.Repeat([]int{s.Nodes - 1}, s.Nodes)
	for _, l := range s.Limits {
		node, ok := l.AtNode()
		if !ok || len(l.Edges) < s.Nodes-1 {
			return nil, false
		}
		degrees[node] = min(degrees[node], l.Max)
	}
	return degrees, true
}

// Validate reports everything that makes the space meaningless or obviously empty.
func (s Space) Validate() error {
	var errs []error
	complain := func(format string, args ...any) { errs = append(errs, fmt.Errorf("design: "+format, args...)) }
	if s.Nodes < 2 {
		complain("%d nodes; averaging needs at least 2", s.Nodes)
		return errors.Join(errs...)
	}
	if s.MaxEdges < s.Nodes-1 {
		complain("MaxEdges is %d, but %d nodes need at least %d edges to be connected", s.MaxEdges, s.Nodes, s.Nodes-1)
	}
	if s.MaxEdges > len(s.Candidates) {
		complain("MaxEdges is %d, but there are only %d candidate edges", s.MaxEdges, len(s.Candidates))
	}
	g, err := topology.New(s.Nodes, s.Candidates)
	if err != nil {
		complain("candidates: %w", err)
		return errors.Join(errs...)
	}
	if !slices.Equal(g.Edges(), s.Candidates) {
		complain("candidates must be sorted, smaller node first")
	}
	if !g.Connected() {
		complain("the candidate edges do not connect all %d nodes, so no choice of them can", s.Nodes)
	}
	for _, l := range s.Limits {
		if err := l.validate(s.Candidates); err != nil {
			errs = append(errs, err)
		}
		if s.MustFill(l) && l.Max > len(l.Edges) {
			complain("%s must carry exactly %d edges, but only %d candidates use it", l.Name, l.Max, len(l.Edges))
		}
	}
	return errors.Join(errs...)
}

// Check reports how a choice of candidate edges breaks the space's rules: nil
// when it is connected, within budget and within every limit.
func (s Space) Check(chosen []bool) error {
	var errs []error
	edges := make([]topology.Edge, 0, s.MaxEdges)
	for k, in := range chosen {
		if in {
			edges = append(edges, s.Candidates[k])
		}
	}
	if len(edges) > s.MaxEdges {
		errs = append(errs, fmt.Errorf("design: %d edges, at most %d allowed", len(edges), s.MaxEdges))
	}
	for _, l := range s.Limits {
		load := 0
		for _, k := range l.Edges {
			if chosen[k] {
				load++
			}
		}
		if load > l.Max || s.MustFill(l) && load != l.Max {
			errs = append(errs, fmt.Errorf("design: %s carries %d edges, allowed are %d", l.Name, load, l.Max))
		}
	}
	if g, err := topology.New(s.Nodes, edges); err != nil {
		errs = append(errs, err)
	} else if !g.Connected() {
		errs = append(errs, errors.New("design: the chosen edges do not connect all nodes"))
	}
	return errors.Join(errs...)
}
