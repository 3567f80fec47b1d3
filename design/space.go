package design

import (
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A Limit caps how many candidate edges may use one shared resource: one row of
// M z ≤ e in the paper.
type Limit struct {
	Name  string // of the resource, for messages
	Edges []int  // positions in the candidate list, ascending
	Max   int    // e_l

	// AtMost says that the limit may be left unused also in an Exact space: it is no row of the paper's M.
	AtMost bool
}

// A Space is the set of graphs that a solver may choose from.
type Space struct {
	Nodes      int
	Candidates []topology.Edge // sorted, I < J
	MaxEdges   int             // Card(z) ≤ r
	Limits     []Limit         // M z ≤ e
	Exact      bool            // M z = e, as the paper prints it
}

// MustFill reports whether a choice has to use all of a limit.
func (s Space) MustFill(l Limit) bool { return s.Exact && !l.AtMost }

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
		if l.Max < 0 {
			complain("limit of %s is %d; it must not be negative", l.Name, l.Max)
		}
		if len(l.Edges) > 0 && (l.Edges[0] < 0 || l.Edges[len(l.Edges)-1] >= len(s.Candidates) || !slices.IsSorted(l.Edges)) {
			complain("limit of %s lists edges that are out of range or out of order", l.Name)
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
