package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"

	"github.com/batopo/batopo/cluster"
)

// A network is a cluster whose sites' lines change.
type network struct {
	sites int
	at    func(factor []float64) (*cluster.Cluster, error)
}

// wan is one node per site. A pair's rate is the matrix's entry times the smaller factor of its two sites.
func wan(file string) (*network, error) {
	base, err := readRates(file)
	if err != nil {
		return nil, err
	}
	message := 1.0
	return &network{len(base), func(factor []float64) (*cluster.Cluster, error) {
		rates := make([][]float64, len(base))
		for i := range rates {
			rates[i] = make([]float64, len(base))
			for j := range rates[i] {
				rates[i][j] = base[i][j] * min(factor[i], factor[j])
			}
		}
		return cluster.New(cluster.Spec{Format: cluster.FormatV2, Matrix: &cluster.Matrix{GBs: rates},
			Model: &cluster.ModelSpec{MessageMB: &message}})
	}}, nil
}

// groupsOf is how many nodes a site of the second network has.
const groupsOf = 2

// farms are eight sites of two nodes behind lines of 1 and 2 Gb/s, which a model of 100 MB is trained on.
func farms() *network {
	lines := []float64{0.25, 0.25, 0.25, 0.25, 0.125, 0.125, 0.125, 0.125}
	message, compute, inside := 100.0, 300.0, cluster.Link{GBs: 10}
	return &network{len(lines), func(factor []float64) (*cluster.Cluster, error) {
		root := &cluster.Group{}
		for k, line := range lines {
			root.Groups = append(root.Groups, cluster.Group{Name: fmt.Sprintf("site %d", k), Nodes: groupsOf, Link: &inside,
				Uplink: &cluster.Link{GBs: line * factor[k]}})
		}
		return cluster.New(cluster.Spec{Format: cluster.FormatV2, Tree: root,
			Model: &cluster.ModelSpec{MessageMB: &message, ComputeMS: &compute}})
	}}
}

// readRates reads a matrix of MB/s as GB/s.
func readRates(name string) ([][]float64, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, err
	}
	rates := make([][]float64, len(rows))
	for i, row := range rows {
		for _, cell := range row {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", name, i+1, err)
			}
			rates[i] = append(rates[i], v/1000)
		}
	}
	return rates, nil
}
