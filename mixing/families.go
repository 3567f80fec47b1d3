package mixing

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/topology"
)

// Params are the parameters of a family. A family reads only those it lists; zero
// means its documented default, except for Nodes, which is always needed, and
// Seed, where 0 is a seed like any other.
type Params struct {
	Nodes  int
	Degree int    // 0: 4, or n−1 when that is less
	Shifts int    // number of random shifts M; 0: see DefaultShifts
	Seed   uint64 // of random families; EquiStatic takes 0 … 2³²−1
	Rule   string // name of a weight rule; "": metropolis
}

// The parameters that a family may take besides the number of nodes, as flags and forms spell them.
const (
	ParamDegree = "degree"
	ParamShifts = "shifts"
	ParamSeed   = "seed"
	ParamRule   = "rule"
)

// A Family builds a mixing matrix of a known kind for any number of nodes.
type Family struct {
	Name       string
	Doc        string   // one line
	Parameters []string // besides Nodes
	build      func(Params) (*Matrix, error)
}

// Families lists the static topologies that people compare with. Undirected ones
// take any weight rule and use Metropolis weights by default, which on a regular
// graph of degree d are 1/(d+1) each.
var Families = []Family{
	undirected("ring", "cycle", plain(topology.Ring)),
	undirected("path", "line of nodes", plain(topology.Path)),
	undirected("grid", "two-dimensional grid, as square as n allows", plain(topology.Grid)),
	undirected("torus", "two-dimensional grid that wraps around", plain(topology.Torus)),
	undirected("hypercube", "nodes whose numbers differ in one bit; n a power of 2", plain(topology.Hypercube)),
	undirected("star", "node 0 joined to all others", plain(topology.Star)),
	undirected("complete", "every pair", plain(topology.Complete)),
	undirected("k-nearest", "ring with edges to the degree/2 nearest nodes on either side",
		func(p Params) (*topology.Graph, error) { return topology.KNearest(p.Nodes, p.degree()) }, ParamDegree),
	undirected("random-regular", "random connected graph with equal degrees",
		func(p Params) (*topology.Graph, error) { return topology.RandomRegular(p.Nodes, p.degree(), p.Seed) }, ParamDegree,
		ParamSeed),
	{"exponential", "directed: every node sends to those 1, 2, 4, 8, … ahead (Ying et al. 2021)", nil,
		func(p Params) (*Matrix, error) { return Exponential(p.Nodes) }},
	{"d-equistatic", "directed: random shifts, drawn as published (Song et al. 2022)", []string{ParamShifts, ParamSeed},
		func(p Params) (*Matrix, error) { return equiStatic(p, true) }},
	{"u-equistatic", "undirected: random shifts both ways, drawn as published (Song et al. 2022)",
		[]string{ParamShifts, ParamSeed},
		func(p Params) (*Matrix, error) { return equiStatic(p, false) }},
}

// FindFamily returns the family of that name; the error lists those that exist.
func FindFamily(name string) (Family, error) {
	return find("family", name, Families, func(f Family) string { return f.Name })
}

// Takes reports whether the family reads the parameter of that name.
func (f Family) Takes(parameter string) bool { return slices.Contains(f.Parameters, parameter) }

// Build returns the family's matrix. Degree, Shifts or Rule given to a family
// that does not read them is an error; Seed is ignored there, because programs have a default for it.
// A random family is drawn as [Family.Draw] says.
func (f Family) Build(p Params) (*Matrix, error) {
	w, _, err := f.Draw(p)
	return w, err
}

// Draw is Build, and returns the seed that was used: for a random family, the first from p.Seed on whose graph is
// connected. So the same family and seed always give the same matrix, and its nodes can always agree.
func (f Family) Draw(p Params) (w *Matrix, seed uint64, err error) {
	err = refuse("family "+f.Name, f.Parameters,
		given{ParamDegree, p.Degree != 0}, given{ParamShifts, p.Shifts != 0}, given{ParamRule, p.Rule != ""})
	if err != nil {
		return nil, 0, err
	}
	const draws = 100
	first := p.Seed
	for range draws {
		if w, err = f.build(p); err != nil || !f.Takes(ParamSeed) || w.Graph().Connected() {
			return w, p.Seed, err
		}
		p.Seed++ // after the largest seed comes 0
	}
	return nil, 0, fmt.Errorf("mixing: family %s: no connected draw for %d seeds from %d on", f.Name, draws, first)
}

// DrawNote says that a random family was drawn with another seed than was asked for; "" where it was not.
func DrawNote(seed, asked uint64) string {
	if seed == asked {
		return ""
	}
	return fmt.Sprintf("drawn with seed %d, the first from %d on that is connected", seed, asked)
}

// undirected makes a family of graphs that take any weight rule.
func undirected(name, doc string, graph func(Params) (*topology.Graph, error), parameters ...string) Family {
	return Family{name, doc, append(parameters, ParamRule), func(p Params) (*Matrix, error) {
		rule := Rule{Mix: Metropolis}
		if p.Rule != "" {
			var err error
			if rule, err = FindRule(p.Rule); err != nil {
				return nil, err
			}
		}
		g, err := graph(p)
		if err != nil {
			return nil, err
		}
		return rule.Mix(g)
	}}
}

// plain adapts a generator that needs only the number of nodes.
func plain(graph func(n int) (*topology.Graph, error)) func(Params) (*topology.Graph, error) {
	return func(p Params) (*topology.Graph, error) { return graph(p.Nodes) }
}

func (p Params) degree() int {
	if p.Degree != 0 {
		return p.Degree
	}
	return max(0, min(4, p.Nodes-1))
}
