package work

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// mostDrawn is how many edges a page can draw and still show anything.
const mostDrawn = 4000

// A Sketch is a plan as a page draws it.
type Sketch struct {
	Nodes    int           `json:"nodes"`
	Names    []string      `json:"names,omitempty"`
	Directed bool          `json:"directed"`
	Rounds   []SketchRound `json:"rounds"`
}

// A SketchRound is one round of a sketch.
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
	GBs        float64 `json:"gb_s"`
	Bottleneck string  `json:"bottleneck"`
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
	matrices, err := p.Matrices()
	if err != nil || count > mostDrawn {
		return nil
	}
	s := &Sketch{Nodes: p.Nodes, Names: p.Names, Directed: p.Directed}
	for t, w := range matrices {
		r := SketchRound{MS: p.RoundMS[t], Self: w.Self(), Resources: loads(c, w)}
		shares := sharesOf(c, w)
		for _, e := range p.Rounds[t].Edges {
			share := shares[[2]int{e.I, e.J}]
			if back := shares[[2]int{e.J, e.I}]; !p.Directed && back.GBs < share.GBs {
				share = back
			}
			r.Edges = append(r.Edges, SketchEdge{e.I, e.J, e.Weight, share.GBs, share.Bottleneck})
		}
		s.Rounds = append(s.Rounds, r)
	}
	return s
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
