package main

import (
	"path/filepath"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A scenario is one kind of hardware on which the paper compares topologies.
type scenario struct {
	name    string
	file    string  // description of the hardware, from the root of the repository
	ratio   float64 // without a file: of the port bandwidths of a BCube in its second reading
	budgets []int   // edges of BA-Topo
	toy     bool    // small enough for tests, without the printed method
}

var scenarios = []scenario{
	{name: "homogeneous", file: "examples/homogeneous-16.yaml", budgets: []int{16, 24, 32, 54}},
	{name: "node-level", file: "examples/node-level-16.yaml", budgets: []int{16, 32, 48}},
	{name: "intra-server", file: "examples/intra-server-8.yaml", budgets: []int{8, 12, 16}, toy: true},
	{name: "bcube-1to2", file: "examples/bcube-16-1to2.yaml", budgets: []int{24, 48}},
	{name: "bcube-2to3", file: "examples/bcube-16-2to3.yaml", budgets: []int{24, 48}},
	{name: "bcube-1to2-highest", ratio: 1. / 2, budgets: []int{24, 48}},
	{name: "bcube-2to3-highest", ratio: 2. / 3, budgets: []int{24, 48}},
}

// cluster is described by a file, or a second reading of the paper's BCube(4,2): any two servers may be
// joined, and an edge loads a port of each at the highest layer in which they differ, as
// the paper's servers load the highest link they cross. It is the only reading found
// in which 48 edges leave half the unit bandwidth to each, which is what the training times show.
func (s scenario) cluster(root string) (*cluster.Cluster, error) {
	if s.file != "" {
		return cluster.ReadFile(filepath.Join(root, s.file))
	}
	return cluster.New(cluster.Spec{BCube: &cluster.BCube{Ports: 4, Layers: 2, Load: cluster.LoadHighest,
		Bandwidth: []float64{cluster.PaperBandwidthGBs * s.ratio, cluster.PaperBandwidthGBs}}})
}

// doubledTorus gives every node of a two-dimensional torus the weight 1/5 for each of its four neighbours, also
// where two of them are the same node, as on 2 × 4: definitions in use differ there. Package
// mixing counts that neighbour once.
func doubledTorus(n int) (*mixing.Matrix, error) {
	rows, cols := topology.GridShape(n)
	var arcs []mixing.Arc
	for i := range n {
		r, c := i/cols, i%cols
		below, above := (r+1)%rows*cols+c, (r+rows-1)%rows*cols+c
		right, left := r*cols+(c+1)%cols, r*cols+(c+cols-1)%cols
		for _, j := range []int{below, above, right, left} {
			k := slices.IndexFunc(arcs, func(a mixing.Arc) bool { return a.From == j && a.To == i })
			if k < 0 {
				k = len(arcs)
				arcs = append(arcs, mixing.Arc{From: j, To: i})
			}
			arcs[k].Weight += 1. / 5
		}
	}
	return mixing.FromArcs(n, arcs)
}
