package exporter

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// A Format is one way of writing a plan's matrices.
type Format struct {
	Name      string
	Ext       string // of file names, with the dot
	Doc       string // one line
	Schedules bool   // holds more than one round
	Directed  bool   // holds directed matrices
	write     func(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) (warnings []string, err error)
}

// Formats are what a plan can be exported to.
var Formats = []Format{
	{"npy", ".npy", "dense W for numpy.load", false, true, writeNPY},
	{"npz", ".npz", "dense W of every round for numpy.load: round_0, round_1, …", true, true, writeNPZ},
	{"csv", ".csv", "dense W, one row per line", false, true, writeCSV},
	{"edges", ".txt", "edge list: n, then i j weight per line; self weights are what is left to 1",
		false, false, writeEdges},
	{"networkx", ".json", "node-link JSON for networkx.node_link_graph; self weights are loops",
		false, true, writeNetworkx},
	{"bluefog", ".json", "weighted nx.DiGraph for bluefog.set_topology, as node-link JSON", false, true, writeBluefog},
	{"decentralizepy", ".txt", "edge file for decentralizepy, without weights", false, false, writeDecentralizepy},
	{"matchings", ".json", "the edges of every round in turns of disjoint pairs", true, true, writeMatchings},
	{"torch", ".json", "per rank: self weight and whom to send to and receive from, in order, for torch.distributed",
		true, true, writeTorch},
}

// Find returns the format of that name; the error lists those that exist.
func Find(name string) (Format, error) {
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("exporter: there is no format %q; known are %s",
		name, names(func(Format) bool { return true }))
}

func names(which func(Format) bool) string {
	var found []string
	for _, f := range Formats {
		if which(f) {
			found = append(found, f.Name)
		}
	}
	return strings.Join(found, ", ")
}

// valueFormats hold what rounds do to the nodes' values, not the messages that do it.
var valueFormats = []string{"npy", "npz", "csv"}

// schedule returns the matrices to write. Others than dense ones stand for messages along their arcs, which a
// collective and hierarchical averaging do not send.
func (f Format) schedule(p *design.Plan) (*mixing.Schedule, error) {
	if slices.Contains(valueFormats, f.Name) {
		return p.Averages()
	}
	s, err := p.Schedule()
	what := ""
	switch {
	case err == nil:
		return s, nil
	case p.Kind == design.CollectiveKind:
		what = "is an all-reduce over all nodes"
	case p.Inside != nil:
		what = "averages exactly inside groups too"
	default:
		return nil, err
	}
	return nil, fmt.Errorf("the plan %s, which %s cannot hold; what it does to values is written by %s; %s",
		what, f.Name, strings.Join(valueFormats, ", "), oneGraph)
}

// oneGraph says how to come by what every format holds.
const oneGraph = "batopo plan --static finds a graph that every format holds"

// Write writes the plan's matrices to w. warnings say what the format cannot hold and what that
// means; they are nil when nothing is lost.
func (f Format) Write(w io.Writer, p *design.Plan) (warnings []string, err error) {
	s, err := f.schedule(p)
	if err != nil {
		return nil, fmt.Errorf("exporter: %w", err)
	}
	if !s.Static() && !f.Schedules {
		return nil, fmt.Errorf("exporter: format %s holds one matrix, but there are %d rounds; "+
			"formats for schedules are %s; %s", f.Name, len(s.Rounds), names(func(f Format) bool { return f.Schedules }),
			oneGraph)
	}
	if s.Directed() && !f.Directed {
		return nil, fmt.Errorf("exporter: format %s holds undirected graphs only; formats for directed ones are %s",
			f.Name, names(func(f Format) bool { return f.Directed }))
	}
	out := bufio.NewWriter(w)
	if warnings, err = f.write(out, p, s); err != nil {
		return nil, fmt.Errorf("exporter: %s: %w", f.Name, err)
	}
	if err := out.Flush(); err != nil {
		return nil, fmt.Errorf("exporter: %s: %w", f.Name, err)
	}
	return warnings, nil
}
