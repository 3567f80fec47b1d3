package main

import (
	"context"
	"path/filepath"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/mixing"
)

// A variant is a plan that is measured: a family or schedule, with how often and in which order nodes average.
type variant struct {
	name    string
	rounds  func(nodes int) (*mixing.Schedule, error)
	every   int
	overlap bool
	exact   bool // a collective along a ring in place of the rounds
}

var variants = []variant{
	{"ring", ring, 1, false, false},
	{"ring-overlapped", ring, 1, true, false},
	{"ring-every-4", ring, 4, false, false},
	{"one-peer-hypercube", mixing.OnePeerHypercube, 1, false, false},
	{"one-peer-hypercube-overlapped", mixing.OnePeerHypercube, 1, true, false},
	{"all-reduce", ring, 1, false, true},
}

func ring(nodes int) (*mixing.Schedule, error) {
	f, err := mixing.FindFamily("ring")
	if err != nil {
		return nil, err
	}
	w, err := f.Build(mixing.Params{Nodes: nodes})
	if err != nil {
		return nil, err
	}
	return mixing.Static(w), nil
}

// equal is a cluster of equal nodes; what its links take is not looked at.
func equal(nodes int) (*cluster.Cluster, error) {
	return cluster.New(cluster.Homogeneous(nodes, cluster.PaperBandwidthGBs))
}

func writePlans() error {
	const nodes = 16
	c, err := equal(nodes)
	if err != nil {
		return err
	}
	for _, v := range variants {
		schedule, err := v.rounds(nodes)
		if err != nil {
			return err
		}
		p, err := design.NewSchedulePlan(context.Background(), c, schedule)
		if err != nil {
			return err
		}
		p.Method, p.Every, p.Overlap = v.name, v.every, v.overlap
		if v.overlap {
			p.Order = design.CombineThenAdapt
		}
		if v.exact {
			if p, err = sweep.CollectivePlan(context.Background(), c, "ring-all-reduce", 1); err != nil {
				return err
			}
		}
		p.Hash = p.ComputeHash()
		if err := outfile.Write(context.Background(), filepath.Join(folder, "plans", v.name+".json"), p.Write); err != nil {
			return err
		}
	}
	return nil
}
