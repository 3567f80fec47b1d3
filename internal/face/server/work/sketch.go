package work

import (
	"fmt"
	"github.com/batopo/batopo/internal/cost"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// mostDrawn is how many edges a page can draw and still show anything.
const mostDrawn = 4000

// A Sketch is a plan as a page draws it: nodes or, with hierarchical averaging, groups that average exactly inside.
type Sketch struct {
	Nodes    int           `json:"nodes"`
	Names    []string      `json:"names,omitempty"`
	Inside   [][]string    `json:"inside,omitempty"` // the nodes of every group
	Directed bool          `json:"directed"`
	Rounds   []SketchRound `json:"rounds"`
}

type SketchRound struct {
	MS        float64       `json:"ms"`
	Edges     []SketchEdge  `json:"edges"`
	Self      []float64     `json:"self"`
	Resources []SharedLoads `json:"resources,omitempty"` // the busiest first
}

// A SketchEdge is an edge, or in a directed plan the arc i→j, with its weight and what it gets of the bandwidth.
type SketchEdge struct {
	I          int     `json:"i"`
	J          int     `json:"j"`
	Weight     float64 `json:"weight"`
	GBs        float64 `json:"gb_s,omitempty"` // between nodes only
	Bottleneck string  `json:"bottleneck,omitempty"`
}

// SharedLoads says how many edges pass a resource.
type SharedLoads struct {
	Name  string  `json:"name"`
	GBs   float64 `json:"gb_s"`
	Edges int     `json:"edges"`
}

// sketch describes who averages with whom; nil where there are no such rounds, or too many edges to draw.
func sketch(c *cluster.Cluster, p *design.Plan) *Sketch {
	count := 0
	for _, r := range p.Rounds {
		count += len(r.Edges)
	}
	matrices, err := p.Between()
	if err != nil || p.Collective != nil || count > mostDrawn {
		return nil
	}
	s := &Sketch{Nodes: p.Nodes, Names: p.Names, Directed: p.Directed}
	if p.Inside != nil {
		s.group(c, p.Inside.Groups)
	}
	for t, w := range matrices {
		r := SketchRound{MS: p.RoundMS[t]}
		for _, e := range p.Rounds[t].Edges {
			r.Edges = append(r.Edges, SketchEdge{I: e.I, J: e.J, Weight: e.Weight})
		}
		if p.Inside == nil {
			r.fill(c, w)
		} else {
			r.Self = w.Self()
		}
		s.Rounds = append(s.Rounds, r)
	}
	return s
}

// group makes the sketch one of groups.
func (s *Sketch) group(c *cluster.Cluster, groups [][]int) {
	s.Nodes, s.Names = len(groups), nil
	for k, nodes := range groups {
		var names []string
		for _, i := range nodes {
			names = append(names, c.NodeName(i))
		}
		s.Names, s.Inside = append(s.Names, fmt.Sprintf("group %d", k)), append(s.Inside, names)
	}
}

// sketchGraph describes a graph that a search has reached; nil where there are too many edges to draw.
func sketchGraph(c *cluster.Cluster, g *topology.Graph, weights []float64) *Sketch {
	w, err := mixing.FromEdges(g, weights)
	if err != nil || len(weights) > mostDrawn {
		return nil
	}
	round, err := cost.Gossip(c, w)
	if err != nil {
		return nil
	}
	r := SketchRound{MS: round.CommunicationMS}
	for k, e := range g.Edges() {
		r.Edges = append(r.Edges, SketchEdge{I: e.I, J: e.J, Weight: weights[k]})
	}
	r.fill(c, w)
	return &Sketch{Nodes: g.Nodes(), Names: c.Spec().Names, Rounds: []SketchRound{r}}
}

// fill adds what nodes keep of their own and what the edges get of the bandwidth.
func (r *SketchRound) fill(c *cluster.Cluster, w *mixing.Matrix) {
	r.Self, r.Resources = w.Self(), loads(c, w)
	shares := sharesOf(c, w)
	for k := range r.Edges {
		e := &r.Edges[k]
		share := shares[[2]int{e.I, e.J}]
		if back := shares[[2]int{e.J, e.I}]; !w.Directed() && back.GBs < share.GBs {
			share = back
		}
		e.GBs, e.Bottleneck = share.GBs, share.Bottleneck
	}
}

func sharesOf(c *cluster.Cluster, w *mixing.Matrix) map[[2]int]cluster.Share {
	all, err := c.Shares(w)
	if err != nil {
		return nil
	}
	out := make(map[[2]int]cluster.Share, len(all))
	for _, s := range all {
		out[[2]int{s.From, s.To}] = s
	}
	return out
}

// loads lists the resources that a round uses.
func loads(c *cluster.Cluster, w *mixing.Matrix) []SharedLoads {
	load, err := c.Load(w)
	if err != nil {
		return nil
	}
	var out []SharedLoads
	for l, r := range c.Resources() {
		if load.Count[l] > 0 {
			out = append(out, SharedLoads{r.Name, r.GBs, load.Count[l]})
		}
	}
	return out
}
