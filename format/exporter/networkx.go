package exporter

import (
	"bufio"
	"encoding/json"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// nodeLink is networkx's node-link format. The edges stand in it twice because
// networkx reads "links" before version 3.6 and "edges" from then on, unless a parameter names another key.
type nodeLink struct {
	Directed   bool           `json:"directed"`
	Multigraph bool           `json:"multigraph"`
	Graph      map[string]any `json:"graph"` // attributes of the graph
	Nodes      []nodeLinkNode `json:"nodes"`
	Links      []nodeLinkEdge `json:"links"`
	Edges      []nodeLinkEdge `json:"edges"`
}

type nodeLinkNode struct {
	ID   int    `json:"id"`
	Name string `json:"name,omitempty"`
}

type nodeLinkEdge struct {
	Source int     `json:"source"`
	Target int     `json:"target"`
	Weight float64 `json:"weight"`
}

// writeNetworkx writes a Graph, or a DiGraph for a directed W.
func writeNetworkx(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	return nil, writeNodeLink(out, p, s, s.Directed())
}

// writeBluefog always writes a DiGraph with loops, which set_topology demands.
// BlueFog's receiver takes weight[src][dst] of the edge src → dst, so the direction is ours.
func writeBluefog(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	return nil, writeNodeLink(out, p, s, true)
}

func writeNodeLink(out *bufio.Writer, p *design.Plan, s *mixing.Schedule, directed bool) error {
	w := s.Rounds[0]
	g := nodeLink{Directed: directed, Graph: map[string]any{}}
	if p.Hash != "" {
		g.Graph["hash"] = p.Hash
	}
	for i := range w.Nodes() {
		node := nodeLinkNode{ID: i}
		if p.Names != nil {
			node.Name = p.Names[i]
		}
		g.Nodes = append(g.Nodes, node)
	}
	g.Links = nodeLinkEdges(w, directed)
	g.Edges = g.Links
	return json.NewEncoder(out).Encode(g)
}

func nodeLinkEdges(w *mixing.Matrix, directed bool) []nodeLinkEdge {
	edges := make([]nodeLinkEdge, 0, w.Nodes()+w.Arcs())
	for i, self := range w.Self() {
		edges = append(edges, nodeLinkEdge{i, i, self})
		from, weight := w.Row(i)
		for k, j := range from {
			if directed || j < i {
				edges = append(edges, nodeLinkEdge{j, i, weight[k]})
			}
		}
	}
	return edges
}
