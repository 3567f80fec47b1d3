package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/topology"
)

// routeDrawing is hardware of the general form: resources as boxes over the nodes they belong to and, below, the pairs
// that may be edges. Where that would be a knot, only the pairs.
func routeDrawing(title report.Text, c *cluster.Cluster) (*report.Figure, error) {
	const (
		mostBoxes  = 256
		mostLayers = 8   // a picture as high as a screen
		mostPairs  = 100 // more lines under a row of nodes cover each other
	)
	resources, pairs := c.Resources(), routedPairs(c)
	edges := inflected(len(pairs), "pair that can exchange", "pairs that can exchange")
	if c.Nodes() <= report.FabricNodes && len(resources) <= mostBoxes {
		if layers, unused := resourceLayers(c); len(layers) <= mostLayers {
			title.Subtitle = Count(len(resources)-unused, "link") + ", " + edges
			d := report.HardwareDrawing{Text: title, Nodes: nodeNames(c), Layers: layers}
			if len(pairs) <= mostPairs && (len(pairs) < topology.Pairs(c.Nodes()) || !alike(pairs)) {
				d.Pairs = pairs
				d.Subtitle += " below the nodes; wider is faster"
			}
			if unused > 0 {
				d.Subtitle += "; " + Count(unused, "link") + " that no route passes left out"
			}
			return d.Draw()
		}
	}
	title.Subtitle = fmt.Sprintf("%s; wider is faster, for a pair alone. The %d resources are too entangled to draw",
		edges, len(resources))
	return report.RateDrawing{Text: title, Names: nodeNames(c), Rates: pairs}.Draw()
}

// alike reports whether all pairs are equally fast.
func alike(pairs []report.PairRate) bool {
	return !slices.ContainsFunc(pairs, func(p report.PairRate) bool { return p.GBs != pairs[0].GBs })
}

// routedPairs are the pairs that may be edges, as fast as the slowest resource of their routes lets one alone.
func routedPairs(c *cluster.Cluster) []report.PairRate {
	resources := c.Resources()
	var rates []report.PairRate
	var hops []cluster.Hop
	for _, e := range c.Candidates() {
		hops = c.Route(hops[:0], e.I, e.J)
		slowest := resources[hops[0].Resource].GBs
		var over []string
		for _, h := range hops {
			slowest = min(slowest, resources[h.Resource].GBs)
			over = append(over, resources[h.Resource].Name)
		}
		rates = append(rates, report.PairRate{I: e.I, J: e.J, GBs: slowest,
			Note: report.Rate(slowest) + "\nover " + strings.Join(over, ", ")})
	}
	return rates
}

// resourceLayers stacks resources: each above those that share a node with it and belong to fewer nodes.
// It counts those that no route passes.
func resourceLayers(c *cluster.Cluster) (layers []report.Layer, unused int) {
	resources, nodes := c.Resources(), belongsTo(c)
	order := make([]int, len(resources))
	for l := range order {
		order[l] = l
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(nodes[a]) - len(nodes[b]) })
	top := make([]int, c.Nodes()) // the first layer in which a node has nothing
	for _, l := range order {
		if len(nodes[l]) == 0 {
			unused++
			continue
		}
		k := 0
		for _, i := range nodes[l] {
			k = max(k, top[i])
		}
		for _, i := range nodes[l] {
			top[i] = k + 1
		}
		if k == len(layers) {
			layers = append(layers, report.Layer{Name: "of one node"})
		}
		if len(nodes[l]) > 1 {
			layers[k].Name = "shared"
		}
		layers[k].Parts = append(layers[k].Parts, report.Part{Name: resources[l].Name,
			Note: report.Rate(resources[l].GBs), Nodes: nodes[l]})
	}
	for _, layer := range layers {
		slices.SortStableFunc(layer.Parts, func(a, b report.Part) int { return cmp.Compare(middle(a), middle(b)) })
	}
	return layers, unused
}

// middle is where a part would stand over its nodes.
func middle(p report.Part) float64 {
	sum := 0
	for _, i := range p.Nodes {
		sum += i
	}
	return float64(sum) / float64(len(p.Nodes))
}
